"""Judge: with access rules in force, Kafka and Moldau answer the same to the same principal.

Both nodes have the same topics, groups and users. A user who may do nothing asks every API in every
version; then rules are drawn from the seed, created on both, and it asks again. Where an answer
hides that a thing exists, and with which code, is compared with all the rest of it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from moldau.broker.security.access import Operation, Resource
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.security.create_acls import CreateAclsRequest
from moldau.protocol.messages.security.delete_acls import DeleteAclsRequest
from moldau.protocol.messages.topic.create_partitions import CreatePartitionsRequest
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.messages.topic.delete_topics import DeleteTopicsRequest
from moldau.protocol.wire.schema import Request
from tests.interop.differential.aliases import Alias
from tests.interop.differential.requests import random_request
from tests.interop.differential.running import Outcome, exchange, questions
from tests.interop.differential.values import BY_API, GROUPS, TOPICS, one_of
from tests.interop.differential.world import find_topics, prepare
from tests.interop.security.named_side import NamedSide
from tests.judges.logins import ADMIN, ALICE, ALICE_PASSWORD, node_settings

pytestmark = [pytest.mark.judge, pytest.mark.timeout(3600)]

SETTINGS = node_settings(
    authorizer_class_name="org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    super_users=f"User:{ADMIN};User:ANONYMOUS",
    log_retention_ms="-1",
    offsets_retention_check_interval_ms="86400000",
    transaction_abort_timed_out_transaction_cleanup_interval_ms="86400000",
)
QUESTIONS = 600
QUESTIONS_LONG = 20_000
ROUNDS = 4
RULES = 12
SETTLE_S = 0.3
CHANGES = 40
CHANGES_LONG = 2_000
LITERAL, PREFIXED = 3, 4
DENY, ALLOW = 2, 3
CHANGED = ("changing-0", "changing-1")
"""Made for alice to change and delete."""
FEW = (*CHANGED, "changing-2", "__cluster_metadata")
"""So few that a request often names one twice."""
IDS = tuple(Alias(f"topic:{name}", b"\x07" * 16) for name in FEW)
CHANGES_OF_TOPICS: dict[type[Request], dict[str, Any]] = {
    CreateTopicsRequest: {**BY_API["CreateTopics"], "name": one_of(*FEW)},
    CreatePartitionsRequest: {**BY_API["CreatePartitions"], "name": one_of(*FEW)},
    DeleteTopicsRequest: {
        "name": one_of(*FEW, None, None, None),
        "topic_names": one_of(["changing-0"], ["changing-2", "changing-1"], ["changing-0"] * 2),
        "topic_id": one_of(bytes(16), bytes(16), *IDS),
    },
}
MAY_CHANGE = (
    Operation.CREATE,
    Operation.ALTER,
    Operation.DELETE,
    Operation.DESCRIBE,
    Operation.DESCRIBE_CONFIGS,
    Operation.ALL,
)
TWICE = 0.3


@pytest.fixture(scope="module")
def nodes(new_kafka_node, new_moldau_node):
    """Each as the administrator sees it, with the same in it."""
    sides = []
    for name, node in (("ours", new_moldau_node(SETTINGS)), ("kafka", new_kafka_node(SETTINGS))):
        node.start()
        sides.append(NamedSide(name, node.client_port))
        prepare(sides[-1])
    yield sides
    for side in sides:
        side.close()


def as_alice(side: NamedSide) -> NamedSide:
    return NamedSide(side.name, side.port, side.ids, user=ALICE, password=ALICE_PASSWORD)


def ask(nodes: list[NamedSide], random: SeededRandom, count: int, outcome: Outcome) -> None:
    put(nodes, questions(random, count), outcome)


def put(nodes: list[NamedSide], asked: Iterator[tuple[Request, int]], outcome: Outcome) -> None:
    ours, theirs = (as_alice(node) for node in nodes)
    for request, version in asked:
        exchange(ours, theirs, request, version, outcome)
    ours.close()
    theirs.close()


def drawn(random: SeededRandom) -> CreateAclsRequest:
    """Rules for alice, and for all."""

    def one_of(values: Any) -> Any:
        return values[random.randrange(0, len(values))]

    creations = []
    for _ in range(RULES):
        kind = one_of(list(Resource)[1:])
        names = {
            Resource.TOPIC: [*TOPICS, "p", "m", "*", "nowhere"],
            Resource.GROUP: [*GROUPS, "r", "*"],
            Resource.CLUSTER: ["kafka-cluster"],
        }.get(kind, ["alice", "s", "*"])
        creations.append(
            CreateAclsRequest.AclCreation(
                resource_type=kind,
                resource_name=one_of(names),
                resource_pattern_type=LITERAL if kind == Resource.CLUSTER else one_of((3, 4)),
                principal=one_of((f"User:{ALICE}", "User:*", "User:bob")),
                host=one_of(("*", "127.0.0.1", "127.0.0.2")),
                operation=one_of([*list(Operation)[1:], Operation.ALL]),
                permission_type=one_of((DENY, ALLOW, ALLOW, ALLOW)),
            )
        )
    return CreateAclsRequest(creations=creations)


def everything() -> DeleteAclsRequest:
    return DeleteAclsRequest(
        filters=[
            DeleteAclsRequest.DeleteAclsFilter(
                resource_type_filter=1,
                resource_name_filter=None,
                pattern_type_filter=1,
                principal_filter=None,
                host_filter=None,
                operation=1,
                permission_type=1,
            )
        ]
    )


def test_who_may_do_nothing_gets_the_same_answers(nodes, seed, volume):
    outcome = Outcome()
    ask(nodes, SeededRandom(seed), volume(QUESTIONS, QUESTIONS_LONG), outcome)
    assert not outcome.kinds, outcome.report()


def test_whatever_the_rules_are_the_answers_are_the_same(nodes, seed, volume):
    outcome, random = Outcome(), SeededRandom(seed)
    ours, theirs = nodes
    for _ in range(ROUNDS):
        exchange(ours, theirs, drawn(random), 3, outcome)
        time.sleep(SETTLE_S)
        ask(nodes, random, volume(QUESTIONS, QUESTIONS_LONG) // ROUNDS, outcome)
        exchange(ours, theirs, everything(), 3, outcome)
        time.sleep(SETTLE_S)
    assert not outcome.kinds, outcome.report()


def rules_of_changes(random: SeededRandom) -> CreateAclsRequest:
    """Rules for alice about the topics that alice changes."""
    creations = [
        CreateAclsRequest.AclCreation(
            resource_type=Resource.TOPIC,
            resource_name=random.choice((*FEW, *FEW, "changing", "*")),
            resource_pattern_type=random.choice((LITERAL, LITERAL, PREFIXED)),
            principal=f"User:{ALICE}",
            host="*",
            operation=random.choice(MAY_CHANGE),
            permission_type=random.choice((DENY, ALLOW, ALLOW, ALLOW)),
        )
        for _ in range(RULES)
    ]
    return CreateAclsRequest(creations=creations)


def changes(random: SeededRandom, count: int) -> Iterator[tuple[Request, int]]:
    """Requests that create, extend and delete topics, many of which name one twice."""
    for _ in range(count):
        kind, draws = random.choice(tuple(CHANGES_OF_TOPICS.items()))
        version = random.choice(tuple(kind.VERSIONS.each()))
        request: Any = random_request(random, kind, version, draws)
        if request.topics and random.random() < TWICE:
            request.topics.append(random.choice(request.topics))
        yield request, version


def make_topics(side: NamedSide) -> None:
    """What alice has deleted is there again."""
    topic = CreateTopicsRequest.CreatableTopic
    topics = [
        topic(name=name, num_partitions=1, replication_factor=1, assignments=[], configs=[])
        for name in CHANGED
    ]
    side.ask(CreateTopicsRequest(topics=topics, timeout_ms=30_000), 7)
    find_topics(side)


def test_who_changes_topics_learns_what_kafka_shows(nodes, seed, volume):
    outcome, random = Outcome(), SeededRandom(seed)
    ours, theirs = nodes
    for _ in range(ROUNDS):
        for side in nodes:
            make_topics(side)
        exchange(ours, theirs, rules_of_changes(random), 3, outcome)
        time.sleep(SETTLE_S)
        count = volume(CHANGES, CHANGES_LONG) // ROUNDS
        put(nodes, changes(random, count), outcome)
        exchange(ours, theirs, everything(), 3, outcome)
        time.sleep(SETTLE_S)
    assert not outcome.kinds, outcome.report()
