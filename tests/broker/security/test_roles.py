"""What a role allows, to whom and on what."""

from __future__ import annotations

import pytest

from moldau.broker.metadata.security import AccessRule
from moldau.broker.security.access import CLUSTER_NAME, OPERATIONS, Operation, Resource
from moldau.broker.security.acls import AclAuthorizer, rules_of_binding
from moldau.broker.security.explaining import Question, explain, show_rule
from moldau.broker.security.roles import CLUSTER_ROLES, RESOURCE_ROLES, complaint
from moldau.network.principal import Principal
from moldau.platform.ports.network import Address

LITERAL, PREFIXED = 3, 4
DENY, ALLOW = 2, 3
ALICE = Principal("User", "alice")


class Client:
    principal = ALICE
    peer = Address("10.0.0.1", 1)


def binding(role, resource=Resource.TOPIC, name="orders", pattern=LITERAL, permission=ALLOW):
    who, what = "User:alice", Operation.ALL
    return AccessRule(resource, name, pattern, who, f"role:{role}", what, permission)


def on_cluster(role):
    return binding(role, Resource.CLUSTER, CLUSTER_NAME)


def may(rules, operation, resource=Resource.TOPIC, name="orders", **more):
    by_id = {bytes([index]) * 16: rule for index, rule in enumerate(rules)}
    return AclAuthorizer(lambda: by_id, **more).allows(Client(), operation, resource, name)


def operations(rules, resource, name):
    return {one for one in OPERATIONS[resource] if may(rules, one, resource, name)}


@pytest.mark.parametrize("role", RESOURCE_ROLES)
def test_a_role_on_a_resource_allows_what_it_names_there_and_nowhere_else(role):
    for resource, allowed in RESOURCE_ROLES[role].items():
        name = CLUSTER_NAME if resource == Resource.CLUSTER else "orders"
        rules = [binding(role, resource, name)]
        assert operations(rules, resource, name) == set(allowed), resource
        assert operations(rules, resource, "other") == set()


@pytest.mark.parametrize("role", CLUSTER_ROLES)
def test_a_role_on_the_cluster_allows_what_it_names_everywhere(role):
    rules = [on_cluster(role)]
    for resource in OPERATIONS:
        name = CLUSTER_NAME if resource == Resource.CLUSTER else "whatever"
        allowed = set(CLUSTER_ROLES[role].get(resource, ()))
        assert operations(rules, resource, name) == allowed, resource


@pytest.mark.parametrize("role", RESOURCE_ROLES)
def test_no_role_on_resources_gives_rights_to_others(role):
    rules = [binding(role, kind, name) for kind in Resource for name in ("orders", CLUSTER_NAME)]
    for operation in (Operation.ALTER, Operation.ALTER_CONFIGS, Operation.CLUSTER_ACTION):
        assert not may(rules, operation, Resource.CLUSTER, CLUSTER_NAME)


def test_a_prefix_grants_on_all_names_that_begin_like_it():
    rules = [binding("DeveloperRead", name="ord", pattern=PREFIXED)]
    assert may(rules, Operation.READ)
    assert not may(rules, Operation.READ, name="letters")


def test_a_rule_that_denies_wins():
    deny = AccessRule(Resource.TOPIC, "orders", LITERAL, "User:*", "*", Operation.READ, DENY)
    assert not may([on_cluster("SystemAdmin"), deny], Operation.READ)


def test_a_role_that_is_denied_or_unknown_is_nothing():
    assert not list(rules_of_binding(binding("ResourceOwner", permission=DENY)))
    assert not list(rules_of_binding(binding("Wizard")))
    assert not list(rules_of_binding(binding("SystemAdmin")))


def test_a_binding_that_goes_takes_its_rights_along():
    kept = {b"1" * 16: binding("DeveloperRead")}
    rules = [kept]
    authorizer = AclAuthorizer(lambda: rules[0])
    assert authorizer.allows(Client(), Operation.READ, Resource.TOPIC, "orders")
    rules[0] = {}
    assert not authorizer.allows(Client(), Operation.READ, Resource.TOPIC, "orders")


def test_what_a_role_allows_elsewhere_is_no_rule_that_takes_freedom_away():
    others = AccessRule(Resource.TOPIC, "orders", LITERAL, "User:bob", "*", Operation.READ, ALLOW)
    admin = [on_cluster("SystemAdmin")._replace(principal="User:bob")]
    assert may(admin, Operation.READ, allows_without_rules=True)
    assert not may([*admin, others], Operation.READ, allows_without_rules=True)
    assert not may([*admin, binding("Wizard")], Operation.READ, allows_without_rules=True)


@pytest.mark.parametrize("role", [*RESOURCE_ROLES, *CLUSTER_ROLES])
def test_an_explanation_decides_as_the_judge_does_and_names_the_role(role):
    rules = [on_cluster(role) if role in CLUSTER_ROLES else binding(role)]
    for without in (False, True):
        for operation in OPERATIONS[Resource.TOPIC]:
            asked = Question("User:alice", "10.0.0.1", operation, Resource.TOPIC, "orders")
            found = explain(asked, rules, allows_without_rules=without)
            assert found.is_allowed == may(rules, operation, allows_without_rules=without)
            if found.is_allowed and not without:
                assert f"by the role {role}" in show_rule(found.rules[0])


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (binding("Wizard"), "there is no role 'Wizard'"),
        (binding("SystemAdmin"), "granted on the cluster"),
        (binding("DeveloperRead", Resource.CLUSTER, CLUSTER_NAME), "nothing to do with"),
        (binding("ResourceOwner", Resource.CLUSTER, CLUSTER_NAME), "nothing to do with"),
        (binding("ResourceOwner", permission=DENY), "allows ALL"),
        (binding("ResourceOwner"), None),
    ],
)
def test_what_is_wrong_with_a_binding_is_a_sentence(rule, text):
    found = complaint(rule.resource_type, rule.operation, rule.permission_type, rule.host)
    assert found is None if text is None else text in str(found)
