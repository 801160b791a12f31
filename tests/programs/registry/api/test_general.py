"""Paths that are about the registry itself."""

from tests.programs.registry.asked import record


def test_contexts_are_those_with_schemas_and_the_default_one(ask):
    assert ask("GET", "/contexts") == (200, ["."])
    ask.register(":.x:s", record("a"))
    assert ask("GET", "/contexts") == (200, [".", ".x"])


def test_the_registry_names_itself(ask):
    assert ask("GET", "/") == (200, {})
    clusters = ask("GET", "/v1/metadata/id")[1]["scope"]["clusters"]
    assert clusters == {"kafka-cluster": "cluster", "schema-registry-cluster": "group"}
    assert ask("GET", "/v1/metadata/version")[1]["version"].startswith("moldau-")


def test_a_context_is_deleted_when_nothing_is_in_it(ask):
    ask.register(":.x:s", record("a"))
    assert ask("GET", "/contexts?contextPrefix=.x") == (200, [".x"])
    assert ask.code("DELETE", "/contexts/.x") == 42211
    ask("DELETE", "/subjects/:.x:s")
    assert ask.code("DELETE", "/contexts/:.x:") == 42211
    ask("DELETE", "/subjects/:.x:s?permanent=true")
    assert ask("GET", "/contexts") == (200, [".", ".x"])
    assert ask("DELETE", "/contexts/:.x:") == (204, None)
    assert ask("GET", "/contexts") == (200, ["."])
    assert ask.code("DELETE", "/contexts/.") == 42211


def test_a_deployment_has_no_attributes_of_its_own(ask):
    assert ask("GET", "/v1/metadata/deployment") == (200, {"attributes": []})
