"""Kafka's StandardAuthorizer, rule by rule, and against a slow and obvious version."""

from __future__ import annotations

import pytest

from moldau.broker.metadata.security import AccessRule
from moldau.broker.security.access import OPERATIONS, Operation, Resource, bits_of
from moldau.broker.security.acls import AclAuthorizer
from moldau.network.principal import Principal
from moldau.platform.ports.network import Address
from moldau.platform.simulated.randomness import SeededRandom

TOPIC, GROUP = Resource.TOPIC, Resource.GROUP
LITERAL, PREFIXED = 3, 4
DENY, ALLOW = 2, 3
READ, WRITE, DESCRIBE = Operation.READ, Operation.WRITE, Operation.DESCRIBE


class Client:
    def __init__(self, name="alice", host="10.0.0.1", kind="User"):
        self.principal = Principal(kind, name)
        self.peer = Address(host, 4711)


ALICE = Client()


def rule(
    name, operation, permission=ALLOW, *, pattern=LITERAL, who="User:alice", host="*", kind=TOPIC
):
    return AccessRule(kind, name, pattern, who, host, operation, permission)


def judge(*rules, **wishes):
    by_id = {bytes([number]): one for number, one in enumerate(rules)}
    return AclAuthorizer(lambda: by_id, **wishes)


def test_where_no_rule_concerns_a_resource_the_setting_decides():
    other = rule("orders", READ, who="User:bob")
    assert not judge(other).allows(ALICE, READ, TOPIC, "letters")
    generous = judge(other, allows_without_rules=True)
    assert generous.allows(ALICE, READ, TOPIC, "letters")
    assert not generous.allows(ALICE, READ, TOPIC, "orders")
    assert generous.allows(ALICE, READ, GROUP, "orders")


def test_super_users_may_do_everything():
    denied = judge(rule("orders", Operation.ALL, DENY), super_users=["User:alice"])
    assert denied.allows(ALICE, READ, TOPIC, "orders")
    assert not denied.allows(Client("bob"), READ, TOPIC, "orders")
    assert denied.allowed(ALICE, TOPIC, "orders") == bits_of(OPERATIONS[TOPIC])


@pytest.mark.parametrize(
    "given",
    [
        rule("orders", READ),
        rule("orders", Operation.ALL),
        rule("*", READ),
        rule("ord", READ, pattern=PREFIXED),
        rule("orders", READ, pattern=PREFIXED),
        rule("orders", READ, who="User:*"),
        rule("orders", READ, host="10.0.0.1"),
    ],
)
def test_a_rule_that_matches_allows(given):
    assert judge(given).allows(ALICE, READ, TOPIC, "orders")


@pytest.mark.parametrize(
    "given",
    [
        rule("orders", WRITE),
        rule("order", READ),
        rule("orders-", READ, pattern=PREFIXED),
        rule("*", READ, pattern=PREFIXED),
        rule("orders", READ, who="User:bob"),
        rule("orders", READ, who="Group:*"),
        rule("orders", READ, host="10.0.0.2"),
        rule("orders", READ, kind=GROUP),
    ],
)
def test_one_that_does_not_does_not(given):
    assert not judge(given).allows(ALICE, READ, TOPIC, "orders")


@pytest.mark.parametrize("pattern", [("orders", LITERAL), ("*", LITERAL), ("o", PREFIXED)])
def test_a_denial_wins_wherever_it_stands(pattern):
    name, kind = pattern
    denial = rule(name, READ, DENY, pattern=kind, who="User:*")
    assert not judge(rule("orders", READ), denial).allows(ALICE, READ, TOPIC, "orders")


def test_permissions_imply_others_and_denials_none():
    for operation in (READ, WRITE, Operation.DELETE, Operation.ALTER):
        assert judge(rule("t", operation)).allows(ALICE, DESCRIBE, TOPIC, "t")
        both = judge(rule("t", DESCRIBE), rule("t", operation, DENY))
        assert both.allows(ALICE, DESCRIBE, TOPIC, "t")
    configs = judge(rule("t", Operation.ALTER_CONFIGS))
    assert configs.allows(ALICE, Operation.DESCRIBE_CONFIGS, TOPIC, "t")
    assert not configs.allows(ALICE, DESCRIBE, TOPIC, "t")


def test_addresses_of_version_6_match_as_java_writes_them():
    given = judge(rule("t", READ, host="0:0:0:0:0:0:0:1"))
    assert given.allows(Client(host="::1"), READ, TOPIC, "t")
    given = judge(rule("t", READ, host="10.0.0.1"))
    assert given.allows(Client(host="::ffff:10.0.0.1"), READ, TOPIC, "t")


def test_rules_that_come_and_go_count_at_once():
    now: list[dict[bytes, AccessRule]] = [{}]
    moving = AclAuthorizer(lambda: now[0])
    for step in (
        {b"1": rule("o", READ, pattern=PREFIXED)},
        {b"1": rule("o", READ, pattern=PREFIXED), b"2": rule("orders", READ, DENY)},
        {b"2": rule("orders", READ, DENY)},
        {b"3": rule("orders", READ)},
        {},
    ):
        now[0] = step
        fresh = judge(*step.values())
        assert moving.allows(ALICE, READ, TOPIC, "orders") == fresh.allows(
            ALICE, READ, TOPIC, "orders"
        )


NAMES = ("a", "ab", "abc", "b", "*", "hardcode")
IMPLIES = {
    DESCRIBE: {DESCRIBE, READ, WRITE, Operation.DELETE, Operation.ALTER},
    Operation.DESCRIBE_CONFIGS: {Operation.DESCRIBE_CONFIGS, Operation.ALTER_CONFIGS},
}


def drawn_rule(random):
    def one_of(*values):
        return values[random.randrange(0, len(values))]

    return rule(
        one_of(*NAMES),
        one_of(*Operation) if random.random() < 0.9 else Operation.ALL,
        one_of(DENY, ALLOW, ALLOW),
        pattern=one_of(LITERAL, PREFIXED),
        who=one_of("User:alice", "User:bob", "User:*"),
        host=one_of("*", "10.0.0.1", "10.0.0.2"),
        kind=one_of(TOPIC, TOPIC, GROUP),
    )


def obvious(rules, caller, operation, kind, name, *, generous):
    """The words of Kafka's documentation, one rule after the other."""
    is_concerned = is_allowed = False
    for one in rules:
        is_equal = one.pattern_type == LITERAL and one.resource_name in (name, "*")
        is_prefix = one.pattern_type == PREFIXED and name.startswith(one.resource_name)
        if one.resource_type != kind or not (is_equal or is_prefix):
            continue
        is_concerned = True
        if one.principal not in (str(caller.principal), "User:*"):
            continue
        if one.host not in ("*", caller.peer.host):
            continue
        if one.permission_type == DENY and one.operation in (operation, Operation.ALL):
            return False
        wide = {Operation.ALL, *IMPLIES.get(operation, {operation})}
        is_allowed |= one.permission_type == ALLOW and one.operation in wide
    return is_allowed if is_concerned else generous


@pytest.mark.parametrize("generous", [True, False])
def test_decisions_are_those_of_an_obvious_version_whatever_rules_come_and_go(seed, generous):
    random = SeededRandom(seed)
    now: dict[bytes, AccessRule] = {}
    ours = AclAuthorizer(lambda: now, allows_without_rules=generous)
    callers = [Client(name, host) for name in ("alice", "carol") for host in ("10.0.0.1", "h")]
    for number in range(400):
        now = dict(now)
        if now and random.random() < 0.45:
            del now[list(now)[random.randrange(0, len(now))]]
        else:
            now[number.to_bytes(4, "big")] = drawn_rule(random)
        for caller in callers:
            name = NAMES[random.randrange(0, len(NAMES))] + "x" * random.randrange(0, 2)
            for operation in OPERATIONS[TOPIC]:
                expected = obvious(now.values(), caller, operation, TOPIC, name, generous=generous)
                assert ours.allows(caller, operation, TOPIC, name) == expected, (now, name)


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ([], False),
        ([rule("a", WRITE)], True),
        ([rule("a", READ)], False),
        ([rule("a", WRITE, who="User:bob")], False),
        ([rule("a", WRITE), rule("a", WRITE, DENY)], False),
        ([rule("abc", WRITE), rule("ab", WRITE, DENY, pattern=PREFIXED)], False),
        ([rule("a", WRITE, pattern=PREFIXED), rule("ab", WRITE, DENY, pattern=PREFIXED)], True),
        ([rule("*", WRITE), rule("a", WRITE, DENY, pattern=PREFIXED)], True),
        ([rule("a", WRITE), rule("*", WRITE, DENY)], False),
        ([rule("a", WRITE), rule("b", Operation.ALL, DENY)], True),
    ],
)
def test_any_resource_that_is_not_denied_whole_is_enough(rules, expected):
    assert judge(*rules).allows_any(ALICE, WRITE, TOPIC) == expected
