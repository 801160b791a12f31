"""Rules that clients could not run are refused before they are kept."""

import pytest

from tests.programs.registry.asked import record

RULE = {"name": "r", "kind": "CONDITION", "type": "CEL", "mode": "WRITE", "expr": "true"}
WRONG = [
    {"domainRules": [RULE, RULE]},
    {"domainRules": [RULE], "encodingRules": [RULE]},
    {"domainRules": "all"},
    {"domainRules": [1]},
    {"domainRules": [{**RULE, "name": None}]},
    {"domainRules": [{**RULE, "name": "1st"}]},
    {"domainRules": [{**RULE, "name": "a b"}]},
    {"domainRules": [{**RULE, "name": "r" * 65}]},
    {"domainRules": [{**RULE, "type": None}]},
    {"domainRules": [{**RULE, "kind": "WISH"}]},
    {"domainRules": [{**RULE, "mode": "UPGRADE"}]},
    {"migrationRules": [RULE]},
    {"domainRules": [{**RULE, "onFailure": "DLQ,NONE"}]},
]


@pytest.mark.parametrize("given", WRONG)
def test_what_is_no_rule_is_refused(ask, given):
    assert ask.register("s", record("a"), ruleSet=given)[1]["error_code"] == 42210
    for name in ("defaultRuleSet", "overrideRuleSet"):
        assert ask.code("PUT", "/config/s", {name: given}) == 42210
    assert ask.store.records == []


@pytest.mark.parametrize(
    "given",
    [
        {"domainRules": [{**RULE, "mode": None, "kind": None, "onFailure": "DLQ,NONE"}]},
        {"migrationRules": [{**RULE, "mode": "UPDOWN", "name": "_a-1"}], "enableAt": "CLIENT"},
    ],
)
def test_what_is_one_is_kept(ask, given):
    assert ask.register("s", record("a"), ruleSet=given)[0] == 200
