"""Explanations, and that they explain the decision that is made."""

from __future__ import annotations

import pytest

from moldau.broker.security.access import Operation, Resource
from moldau.broker.security.explaining import Question, explain, show_rule
from moldau.platform.simulated.randomness import SeededRandom
from tests.broker.security.test_acls import (
    DENY,
    GROUP,
    NAMES,
    PREFIXED,
    READ,
    TOPIC,
    WRITE,
    Client,
    drawn_rule,
    rule,
)
from tests.broker.security.test_acls import judge as judge_of

ASKED = Question("User:alice", "10.0.0.1", READ, TOPIC, "orders")


def test_a_rule_that_allows_is_named():
    given = rule("ord", Operation.ALL, pattern=PREFIXED)
    found = explain(ASKED, [given, rule("orders", WRITE)])
    assert (found.is_allowed, found.rules) == (True, (given,))
    assert show_rule(given) == "ALLOW User:alice ALL on prefixed TOPIC ord from *"


def test_a_permission_that_implies_another_is_named():
    given = rule("orders", WRITE)
    found = explain(ASKED._replace(operation=Operation.DESCRIBE), [given])
    assert (found.is_allowed, found.rules) == (True, (given,))


def test_a_denial_is_named_before_what_allows():
    denial = rule("*", READ, DENY, who="User:*")
    found = explain(ASKED, [rule("orders", READ), denial])
    assert (found.is_allowed, found.rules, found.remedy) == (False, (denial,), "delete this rule")


def test_what_nearly_matches_is_shown_with_the_rule_that_it_takes():
    elsewhere = rule("orders", READ, host="10.0.0.2")
    found = explain(ASKED, [elsewhere, rule("orders", READ, who="User:bob")])
    assert (found.is_allowed, found.rules) == (False, (elsewhere,))
    assert found.reason == "2 rules concern the TOPIC, and none allows it"
    assert found.remedy == "add a rule: ALLOW User:alice READ on literal TOPIC orders from *"


@pytest.mark.parametrize(
    ("wishes", "is_allowed", "clause"),
    [
        ({}, False, "acl.found is false"),
        ({"allows_without_rules": True}, True, "acl.found is true"),
        ({"super_users": ["User:alice"]}, True, "super.users"),
    ],
)
def test_settings_that_decide_are_named(wishes, is_allowed, clause):
    found = explain(ASKED, [rule("letters", READ)], **wishes)
    assert found.is_allowed is is_allowed
    assert clause in found.reason


def test_a_question_is_shown_in_a_line():
    asked = Question("User:a", "h", Operation.DESCRIBE_CONFIGS, Resource.CLUSTER, "kafka-cluster")
    assert str(asked) == "User:a from h: DESCRIBE_CONFIGS CLUSTER kafka-cluster"


def test_an_explanation_is_of_the_decision_that_is_made(seed, volume):
    random = SeededRandom(seed)
    for _ in range(volume(100, 2_000)):
        rules = [drawn_rule(random) for _ in range(random.randrange(0, 8))]
        wishes = {"allows_without_rules": random.random() < 0.5}
        judge = judge_of(*rules, super_users=["User:carol"], **wishes)
        for name in ("alice", "bob", "carol"):
            for operation in (READ, WRITE, Operation.DESCRIBE, Operation.DESCRIBE_CONFIGS):
                for kind, what in ((TOPIC, NAMES[2]), (TOPIC, "b"), (GROUP, "ab")):
                    asked = Question(f"User:{name}", "10.0.0.1", operation, kind, what)
                    found = explain(asked, rules, ["User:carol"], **wishes)
                    decided = judge.allows(Client(name), operation, kind, what)
                    assert found.is_allowed == decided, (asked, rules)
