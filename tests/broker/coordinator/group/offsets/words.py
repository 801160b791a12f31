"""Requests about offsets in a few words."""

from __future__ import annotations

from moldau.protocol.messages.group.offset_commit import OffsetCommitRequest
from moldau.protocol.messages.group.offset_delete import OffsetDeleteRequest
from moldau.protocol.messages.group.offset_fetch import OffsetFetchRequest
from moldau.protocol.messages.transaction.txn_offset_commit import TxnOffsetCommitRequest
from moldau.protocol.wire.types import NULL_UUID
from tests.broker.coordinator.group.coordinator import Asked, Coordinator, Reply

_CommitTopic = OffsetCommitRequest.OffsetCommitRequestTopic
_PendingTopic = TxnOffsetCommitRequest.TxnOffsetCommitRequestTopic
_FetchGroup = OffsetFetchRequest.OffsetFetchRequestGroup
_DeleteTopic = OffsetDeleteRequest.OffsetDeleteRequestTopic


def commit(
    offset: int,
    member_id: str = "",
    generation: int = -1,
    *,
    group: str = "g",
    topic: str = "t",
    topic_id: bytes = NULL_UUID,
    partition: int = 0,
    metadata: str | None = "",
    leader_epoch: int = -1,
    retention_ms: int = -1,
    instance: str | None = None,
    version: int = 9,
) -> Asked:
    one = _CommitTopic.OffsetCommitRequestPartition(
        partition_index=partition,
        committed_offset=offset,
        committed_leader_epoch=leader_epoch,
        committed_metadata=metadata,
    )
    request = OffsetCommitRequest(
        group_id=group,
        generation_id_or_member_epoch=generation,
        member_id=member_id,
        group_instance_id=instance,
        retention_time_ms=retention_ms,
        topics=[_CommitTopic(name=topic, topic_id=topic_id, partitions=[one])],
    )
    return Asked(request, version)


def commit_pending(
    offset: int,
    member_id: str = "",
    generation: int = -1,
    *,
    producer_id: int = 9,
    group: str = "g",
    topic: str = "t",
    instance: str | None = None,
    metadata: str | None = "",
) -> Asked:
    one = _PendingTopic.TxnOffsetCommitRequestPartition(
        partition_index=0, committed_offset=offset, committed_metadata=metadata
    )
    request = TxnOffsetCommitRequest(
        transactional_id="x",
        group_id=group,
        producer_id=producer_id,
        producer_epoch=0,
        generation_id=generation,
        member_id=member_id,
        group_instance_id=instance,
        topics=[_PendingTopic(name=topic, partitions=[one])],
    )
    return Asked(request, 5)


def fetch(
    *partitions: int,
    group: str = "g",
    topic_id: bytes = NULL_UUID,
    stable: bool = False,
    everything: bool = False,
) -> Asked:
    asked = _FetchGroup.OffsetFetchRequestTopics(
        name="t", topic_id=topic_id, partition_indexes=list(partitions or (0,))
    )
    one = _FetchGroup(group_id=group, topics=None if everything else [asked])
    request = OffsetFetchRequest(group_id="", topics=[], groups=[one], require_stable=stable)
    return Asked(request, 10)


def delete(*partitions: int, group: str = "g", topic: str = "t") -> Asked:
    indexes = [_DeleteTopic.OffsetDeleteRequestPartition(partition_index=one) for one in partitions]
    topics = [_DeleteTopic(name=topic, partitions=indexes)]
    return Asked(OffsetDeleteRequest(group_id=group, topics=topics), 0)


def codes(reply: Reply) -> list[int]:
    """The codes of all partitions of an answer."""
    return [one.error_code for topic in reply.answer.topics for one in topic.partitions]


def offsets(coordinator: Coordinator, **how: object) -> dict[tuple[str, int], int]:
    """All that the group has committed."""
    reply = coordinator >> fetch(everything=True, **how)  # type: ignore[arg-type]
    (group,) = reply.answer.groups
    return {
        (topic.name, one.partition_index): one.committed_offset
        for topic in group.topics
        for one in topic.partitions
    }
