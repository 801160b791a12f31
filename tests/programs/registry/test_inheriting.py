"""A version takes over what it is not given, and settings have the first and the last word."""

import pytest

from moldau.programs.registry.inheriting import (
    inherited,
    merged_metadata,
    merged_rules,
    versioned,
    without_version,
)
from moldau.schemas.model import SchemaText
from tests.programs.registry.asked import record


def rule(name, expression="true"):
    return {"name": name, "kind": "CONDITION", "type": "CEL", "mode": "WRITE", "expr": expression}


def rules(*given):
    return {"domainRules": list(given)}


def test_a_version_has_the_metadata_and_rules_of_the_one_before_it(ask):
    ask.register(
        "s", record("a"), metadata={"properties": {"owner": "x"}}, ruleSet=rules(rule("r"))
    )
    assert ask.register("s", record("a", "b="))[1]["version"] == 2
    found = ask("GET", "/subjects/s/versions/2")[1]
    assert (found["metadata"], found["ruleSet"]) == (
        {"properties": {"owner": "x"}},
        rules(rule("r")),
    )


def test_a_schema_without_a_text_is_the_one_before_it_with_other_metadata(ask):
    assert ask.register("s", "")[1]["error_code"] == 42201
    ask.register("s", record("a"))
    answer = ask("POST", "/subjects/s/versions", {"metadata": {"properties": {"x": "1"}}})
    assert answer[1]["version"] == 2
    first, second = (ask("GET", f"/subjects/s/versions/{number}")[1] for number in (1, 2))
    assert (first["schema"], second["metadata"]) == (
        second["schema"],
        {"properties": {"x": "1"}},
    )


def test_settings_have_defaults_and_overrides(ask):
    config = {
        "defaultMetadata": {"properties": {"owner": "all", "team": "t"}},
        "overrideMetadata": {"properties": {"team": "u"}},
        "defaultRuleSet": rules(rule("first"), rule("r", "false")),
        "overrideRuleSet": rules(rule("last")),
    }
    assert ask("PUT", "/config/s", config)[0] == 200
    given = {"properties": {"owner": "x"}}
    ask.register("s", record("a"), metadata=given, ruleSet=rules(rule("r")))
    found = ask("GET", "/subjects/s/versions/1")[1]
    assert found["metadata"]["properties"] == {"owner": "x", "team": "u"}
    assert found["ruleSet"] == rules(rule("first"), rule("r"), rule("last"))
    assert ask.register("s", record("a"), metadata=given, ruleSet=rules(rule("r")))[1]["id"] == 1
    body = {"schema": record("a")}
    assert ask("POST", "/subjects/s", body)[1]["version"] == 1


def test_what_both_have_is_the_newer_ones_and_what_is_secret_stays_so():
    old = {"properties": {"a": "1"}, "sensitive": ["a"]}
    new = {"properties": {"a": "2"}, "sensitive": ["b"], "tags": {"f": ["PII"]}}
    assert merged_metadata(old, new) == {
        "properties": {"a": "2"}, "sensitive": ["a", "b"], "tags": {"f": ["PII"]},
    }  # fmt: skip
    assert merged_metadata(None, new) is new
    found = merged_rules({**rules(rule("r")), "enableAt": "CLIENT"}, rules(rule("r", "false")))
    assert found == {**rules(rule("r", "false")), "enableAt": "CLIENT"}


def test_a_version_that_is_asked_for_is_the_next_one_and_knows_itself(ask):
    assert ask.register("s", record("a"), version=2)[1]["error_code"] == 42201
    assert ask.register("s", record("a"), version=1)[1]["version"] == 1
    assert ask.register("s", record("a", "b="), version=-1)[1]["version"] == 2
    found = ask("GET", "/subjects/s/versions/2")[1]
    assert found["metadata"]["properties"] == {"confluent:version": "2"}
    assert ask.register("s", record("a", "b="))[1]["version"] == 2
    assert ask.register("s", record("a", "b=", "c="))[1]["version"] == 3
    found = ask("GET", "/subjects/s/versions/3")[1]
    assert found["metadata"]["properties"] == {"confluent:version": "3"}


@pytest.mark.parametrize("others", [{}, {"properties": {"a": "1"}}, {"tags": {"f": ["PII"]}}])
def test_schemas_are_compared_without_their_versions(others):
    plain = SchemaText(record("a"), metadata=others or None)
    assert versioned(plain, 3, is_wanted=False) == plain
    assert without_version(versioned(plain, 3, is_wanted=True)) == plain
    assert inherited(plain, versioned(plain, 2, is_wanted=True), {}).text == plain.text
