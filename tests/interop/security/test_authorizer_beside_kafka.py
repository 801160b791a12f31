"""Judge: 20,000 drawn decisions of Apache Kafka's StandardAuthorizer are ours, while rules change.

The classes of Kafka stand in a process of their own, and get the same rules and questions in the
same order, so rules that go count as much as those that come.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from moldau.broker.metadata.security import AccessRule
from moldau.broker.security.access import OPERATIONS, Operation, Resource
from moldau.broker.security.acls import AclAuthorizer
from moldau.network.principal import Principal
from moldau.platform.ports.network import Address
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.wire.uuids import uuid_text
from tests.judges.java_programs import compiled
from tests.judges.kafka_jars import class_path

pytestmark = [pytest.mark.judge, pytest.mark.timeout(600)]

QUESTIONS = 20_000
QUESTIONS_OF_RULES = 25
"""Before the rules change again."""
LITERAL, PREFIXED = 3, 4
DENY, ALLOW = 2, 3
SUPER_USERS = "User:root;User:CN=node,O=Company"
NAMES = ("a", "ab", "abc", "b", "ünï", "a-b.c_d", "hardcode", "*", "kafka-cluster", "User:bob")
PRINCIPALS = ("User:alice", "User:bob", "User:*", "Group:alice", "User:CN=alice,O=Company")
CALLERS = (
    *(("User", name) for name in ("alice", "bob", "root", "CN=node,O=Company")),
    *(("User", "CN=alice,O=Company"), ("Group", "alice"), ("User", "ANONYMOUS")),
)
HOSTS = ("10.0.0.1", "10.0.0.2", "0:0:0:0:0:0:0:1")
KINDS = tuple(OPERATIONS)
IMPLIED = (Operation.DESCRIBE, Operation.DESCRIBE_CONFIGS)
"""Of these Kafka asks nowhere whether any resource would do, and would then imply nothing."""
WRITTEN = tuple(operation for operation in Operation if operation is not Operation.ANY)
"""What a rule may name."""
RULES_MAX = 60


class Caller(NamedTuple):
    principal: Principal
    peer: Address


def drawn_rule(random: SeededRandom) -> AccessRule:
    return AccessRule(
        random.choice(KINDS),
        random.choice(NAMES),
        random.choice((LITERAL, PREFIXED)),
        random.choice(PRINCIPALS),
        random.choice(("*", "*", *HOSTS)),
        random.choice((*OPERATIONS[Resource.TOPIC], *WRITTEN)),
        random.choice((DENY, ALLOW, ALLOW, ALLOW)),
    )


def change(random: SeededRandom, rules: dict[bytes, AccessRule]) -> str:
    """One rule comes or goes; the line that says so."""
    if rules and random.random() < len(rules) / RULES_MAX:
        gone = random.choice(tuple(rules))
        del rules[gone]
        return f"remove\t{uuid_text(gone)}"
    rule_id, rule = random.randbytes(16), drawn_rule(random)
    while rule in rules.values():
        rule = drawn_rule(random)
    rules[rule_id] = rule
    values = (
        "add",
        uuid_text(rule_id),
        int(rule.resource_type),
        rule.resource_name,
        rule.pattern_type,
        rule.principal,
        rule.host,
        int(rule.operation),
        rule.permission_type,
    )
    return "\t".join(map(str, values))


def questions(
    random: SeededRandom, rules: dict[bytes, AccessRule], *, generous: bool
) -> Iterator[tuple[str, bool | None]]:
    """Lines for Kafka's, with our answer where it is a question."""
    now: list[dict[bytes, AccessRule]] = [{}]
    ours = AclAuthorizer(lambda: now[0], SUPER_USERS.split(";"), allows_without_rules=generous)
    for number in range(QUESTIONS):
        if number % QUESTIONS_OF_RULES == 0:
            yield change(random, rules), None
            now[0] = dict(rules)
        kind, name = random.choice(CALLERS)
        host, resource = random.choice(HOSTS), random.choice(KINDS)
        operation = random.choice(OPERATIONS[resource])
        caller = Caller(Principal(kind, name), Address(host, 1))
        values = (kind, name, host, int(operation), int(resource))
        words = "\t".join(map(str, values))
        if random.random() < 0.2 and operation not in IMPLIED:
            yield f"any\t{words}", ours.allows_any(caller, operation, resource)
        else:
            wanted = random.choice(NAMES[:-3]) + random.choice(("", "", "x"))
            answer = ours.allows(caller, operation, resource, wanted)
            yield f"ask\t{words}\t{wanted}", answer


@pytest.mark.parametrize("generous", [False, True])
def test_twenty_thousand_decisions_are_those_of_apache_kafka(kafka_libs, seed, generous):
    drawn = list(questions(SeededRandom(seed), {}, generous=generous))
    head = f"{SUPER_USERS}\t{str(generous).lower()}"
    done = subprocess.run(
        compiled(["java", "-Xmx256m", "-cp", class_path(kafka_libs)], "JudgeDecisions"),
        input="\n".join([head, *(line for line, _ in drawn)]) + "\n",
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    asked = [(line, answer) for line, answer in drawn if answer is not None]
    theirs = [line == "1" for line in done.stdout.splitlines() if line in ("0", "1")]
    assert len(theirs) == len(asked) == QUESTIONS
    differ = [
        (number, line)
        for number, (line, answer) in enumerate(asked)
        if answer is not theirs[number]
    ]
    assert not differ, f"{len(differ)} differ, first {differ[0]}; Kafka: {theirs[differ[0][0]]}"
    allowed = sum(theirs)
    assert QUESTIONS // 20 < allowed < QUESTIONS - QUESTIONS // 20, "both answers are given often"
