"""Who has which role, and what each role allows."""

from moldau.client.admin import AccessOperation, AclRule, PatternType, ResourceKind
from moldau.programs.console.access.roles import explained_roles, sentence_of_binding, shown_binding


def binding(kind, name, pattern=PatternType.LITERAL, role="DeveloperRead"):
    return AclRule("User:ann", AccessOperation.ALL, kind, name, pattern, host=f"role:{role}")


def test_a_role_of_resources_names_the_kinds_that_it_can_be_granted_on():
    found = {one["role"]: one for one in explained_roles()}
    assert found["DeveloperWrite"]["on"] == ["topic", "transactional_id"]
    assert found["SystemAdmin"]["on"] == ["cluster"]
    assert found["DeveloperRead"]["allows"]["group"] == ["describe", "read"]


def test_a_binding_is_shown_as_it_is_granted():
    assert shown_binding(binding(ResourceKind.TOPIC, "pay", PatternType.PREFIXED)) == {
        "principal": "User:ann",
        "role": "DeveloperRead",
        "kind": "topic",
        "name": "pay",
        "pattern": "prefixed",
    }


def test_a_binding_is_a_sentence():
    prefixed = binding(ResourceKind.TRANSACTIONAL_ID, "pay", PatternType.PREFIXED)
    whole = binding(ResourceKind.CLUSTER, "kafka-cluster", role="Operator")
    assert sentence_of_binding(prefixed) == "User:ann is DeveloperRead on transactional id pay…"
    assert sentence_of_binding(whole) == "User:ann is Operator on the cluster"


def test_a_cluster_without_access_rules_has_a_sentence_and_still_explains(console):
    status, sentence = console.refusal("GET", "/role-bindings")
    assert (status, bool(sentence)) == (400, True)
    assert len(console.get("/roles")) == len(explained_roles())
