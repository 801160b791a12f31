"""Dialogues of a client that changes more partitions than its quota allows (KIP-599)."""

from __future__ import annotations

from moldau.protocol.messages.config.alter_client_quotas import AlterClientQuotasRequest
from moldau.protocol.messages.config.describe_client_quotas import DescribeClientQuotasRequest
from moldau.protocol.messages.topic.create_partitions import CreatePartitionsRequest
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.messages.topic.delete_topics import DeleteTopicsRequest
from moldau.protocol.messages.topic.metadata import MetadataRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.interop.differential.dialogues import Dialogue, Step, codes_of
from tests.interop.differential.side import CLIENT_ID

QUOTA = 4.0
"""Changed partitions in a second; what eleven seconds bring is let through at once."""
BURST = 44
SLOW, FAST = 0.01, 1_000_000.0
"""Rates at which no debt is paid within a test, and at which every debt is paid at once.

Two nodes, asked one after the other, get apart by the clock. So no answer here rests on how long
an exchange has taken: what is owed stays owed until the rate is raised.
"""
STRICT_CREATES = 7
"""The version of CreateTopics that is refused; before 6 it waits instead."""


def limited(quota: float | None) -> AlterClientQuotasRequest:
    entry = AlterClientQuotasRequest.EntryData
    change = entry.OpData(key="controller_mutation_rate", value=quota or 0.0, remove=quota is None)
    entity = entry.EntityData(entity_type="client-id", entity_name=CLIENT_ID)
    return AlterClientQuotasRequest(
        entries=[entry(entity=[entity], ops=[change])], validate_only=False
    )


def create(counts, *, validate_only=False):
    """Topics by name, with so many partitions."""
    of = CreateTopicsRequest.CreatableTopic
    topics = [
        of(name=name, num_partitions=count, replication_factor=1, assignments=[], configs=[])
        for name, count in counts.items()
    ]
    return CreateTopicsRequest(topics=topics, timeout_ms=30_000, validate_only=validate_only)


def grow(counts):
    of = CreatePartitionsRequest.CreatePartitionsTopic
    topics = [of(name=name, count=count, assignments=None) for name, count in counts.items()]
    return CreatePartitionsRequest(topics=topics, timeout_ms=30_000, validate_only=False)


def delete(version, *names):
    of = DeleteTopicsRequest.DeleteTopicState
    by_state = version >= 6
    return DeleteTopicsRequest(
        topics=[of(name=name, topic_id=bytes(16)) for name in names] if by_state else [],
        topic_names=[] if by_state else list(names),
        timeout_ms=30_000,
    )


def is_let_through(answer) -> bool:
    return ErrorCode.THROTTLING_QUOTA_EXCEEDED not in codes_of(answer)


def mutations(is_strict: bool) -> Dialogue:
    """The same by versions that know of the quota and by versions that do not.

    A change goes through while nothing is owed, and may owe more than there is; what comes after it
    is refused, or waits.
    """
    creates, grows, deletes = (STRICT_CREATES, 3, 6) if is_strict else (5, 2, 4)
    names = [f"{'strict' if is_strict else 'permissive'}-{letter}" for letter in "abc"]
    one, two, three = names
    yield from paid(QUOTA)
    yield Step(create({one: BURST}, validate_only=True), creates, hangs_up=True)
    yield from limited_to(SLOW)
    yield Step(create({one: 4, "bad name": 5, two: 1, three: 1}), creates, hangs_up=True)
    yield Step(MetadataRequest(topics=None), 12)
    yield from paid()
    yield Step(create({two: 4}), creates, hangs_up=True)
    yield Step(create({three: 1}, validate_only=True), creates, hangs_up=True)
    yield from paid()
    yield Step(grow({one: 8}), grows, hangs_up=True)
    yield Step(grow({one: 9, "missing": 9, two: 9}), grows, hangs_up=True)
    yield from paid()
    yield Step(delete(deletes, two), deletes, hangs_up=True)
    yield Step(delete(deletes, "missing", one), deletes, hangs_up=True)
    yield Step(limited(None), 1)
    yield Step(MetadataRequest(topics=None), 12)
    yield Step(delete(deletes, *names), deletes)


def paid(rate: float = SLOW) -> Dialogue:
    """Nothing is owed any more, and no more is there than the burst of this rate."""
    yield from limited_to(FAST)
    probe = create({"probe": 1}, validate_only=True)
    yield Step(probe, STRICT_CREATES, until=is_let_through, hangs_up=True)
    yield from limited_to(rate)


def limited_to(rate: float) -> Dialogue:
    """The rate, once the node goes by it."""
    yield Step(limited(rate), 1)
    component = DescribeClientQuotasRequest.ComponentData
    this_client = component(entity_type="client-id", match_type=0, match=CLIENT_ID)
    asked = DescribeClientQuotasRequest(components=[this_client], strict=True)
    yield Step(asked, 1, until=lambda answer: rate in rates_of(answer))


def rates_of(answer) -> list[float]:
    return [one.value for entry in answer.entries or () for one in entry.values]


def quota_dialogues() -> list[Dialogue]:
    return [mutations(is_strict) for is_strict in (True, False)]
