"""Expressions of rules, which are read before they are kept where that is asked for."""

from __future__ import annotations

import pytest

from moldau.programs.registry import rule_expressions
from tests.programs.registry.asked import record


def rules(kind, expression, phase="domainRules"):
    mode = "UPGRADE" if phase == "migrationRules" else "WRITE"
    rule = {"name": "r", "kind": "CONDITION", "type": kind, "mode": mode, "expr": expression}
    return {phase: [rule]}


@pytest.mark.parametrize(
    ("rule_set", "reason"),
    [
        (rules("CEL", "message.a >"), "is no expression of CEL"),
        (rules("CEL_FIELD", "name == ; value > 0"), "is no expression of CEL"),
        (rules("CEL", ""), "has no expression"),
        (rules("CEL", "1 + " * 1024 + "1"), "more than 4096 characters"),
        (rules("JSONATA", "$merge([", "migrationRules"), "is no expression of JSONata"),
        (rules("JSONATA", "(" * 4000, "migrationRules"), ""),
    ],
)
def test_what_cannot_be_read_is_refused_where_rules_are_looked_at(ask, rule_set, reason):
    assert ask.register("t", record("a"), ruleSet=rule_set)[0] == 200
    ask("PUT", "/config/s", {"validateRules": True})
    answer = ask.register("s", record("a"), ruleSet=rule_set)[1]
    assert answer["error_code"] == 42210
    assert "rule 'r'" in answer["message"]
    assert reason in answer["message"]
    assert "s" not in ask.state.subjects


@pytest.mark.parametrize(
    "rule_set",
    [
        rules("CEL", "message.a > 0"),
        rules("CEL_FIELD", "name == 'a' ; value > 0"),
        rules("JSONATA", "$merge([$, {'b': 1}])", "migrationRules"),
        rules("OF_MY_OWN", "(("),
    ],
)
def test_what_can_be_read_is_registered(ask, rule_set):
    ask("PUT", "/config", {"validateRules": True})
    assert ask.register("s", record("a"), ruleSet=rule_set)[0] == 200


def test_rules_that_a_version_takes_over_are_looked_at_too(ask):
    ask("PUT", "/config/s", {"validateRules": True, "defaultRuleSet": rules("CEL", "((")})
    assert ask.register("s", record("a"))[1]["error_code"] == 42210


def test_without_the_package_a_rule_is_refused_with_what_to_install(ask, monkeypatch):
    monkeypatch.setitem(rule_expressions.READERS, "CEL", "tests.programs.registry.without_extra")
    ask("PUT", "/config/s", {"validateRules": True})
    answer = ask.register("s", record("a"), ruleSet=rules("CEL", "true"))[1]
    assert answer["error_code"] == 42210
    assert "pip install" in answer["message"]
