"""Dialogues of commits: whose are taken, whose are refused, and what is too long to keep."""

from __future__ import annotations

from typing import Any

from moldau.protocol.messages.group.delete_groups import DeleteGroupsRequest
from moldau.protocol.messages.group.describe_groups import DescribeGroupsRequest
from moldau.protocol.messages.group.find_coordinator import FindCoordinatorRequest
from moldau.protocol.messages.group.offset_commit import OffsetCommitRequest
from moldau.protocol.messages.streams.streams_group_heartbeat import StreamsGroupHeartbeatRequest
from moldau.protocol.messages.transaction.add_offsets_to_txn import AddOffsetsToTxnRequest
from moldau.protocol.messages.transaction.txn_offset_commit import TxnOffsetCommitRequest
from tests.interop.differential.dialogues import Dialogue, Step, known
from tests.interop.differential.group_dialogues import (
    consumer_beat,
    fetch_offsets,
    join,
    leave,
    sync,
)
from tests.interop.differential.transaction_dialogues import end, init

TOO_LONG, LONG = "n" * 4097, "n" * 4096
TOPIC_IDS_SINCE = 10
MEMBER = "B" * 22
JOINED_EPOCH = 1
ASSIGNED = 2
"""Of a streams group: the first epoch in which its member has tasks."""


def commit(group, version, member="", generation=-1, *, notes=("",), instance=None, topic="plain"):
    """One partition for each of `notes`."""
    of = OffsetCommitRequest.OffsetCommitRequestTopic
    named = {"topic_id": known(f"topic:{topic}", b"\x07" * 16)}
    parts = [
        of.OffsetCommitRequestPartition(
            partition_index=index,
            committed_offset=index + 1,
            committed_leader_epoch=0,
            committed_metadata=note,
        )
        for index, note in enumerate(notes)
    ]
    return OffsetCommitRequest(
        group_id=group,
        generation_id_or_member_epoch=generation,
        member_id=member,
        group_instance_id=instance,
        topics=[of(**(named if version >= TOPIC_IDS_SINCE else {"name": topic}), partitions=parts)],
    )


def commit_pending(group, member="", generation=-1, *, notes=("",), instance=None, topic="plain"):
    """The same in the transaction of the group's name."""
    of = TxnOffsetCommitRequest.TxnOffsetCommitRequestTopic
    parts = [
        of.TxnOffsetCommitRequestPartition(
            partition_index=index, committed_offset=index + 5, committed_metadata=note
        )
        for index, note in enumerate(notes)
    ]
    return TxnOffsetCommitRequest(
        transactional_id=group,
        group_id=group,
        producer_id=known(f"producer:{group}", -1),
        producer_epoch=known(f"epoch:{group}", 0),
        generation_id=generation,
        member_id=member,
        group_instance_id=instance,
        topics=[of(name=topic, partitions=parts)],
    )


def begin(group: str, version: int) -> Dialogue:
    """A transaction that offsets of the group may belong to."""
    producer, epoch = known(f"producer:{group}", -1), known(f"epoch:{group}", 0)
    learn = {
        f"producer:{group}": lambda answer: answer.producer_id,
        f"epoch:{group}": lambda answer: answer.producer_epoch,
    }
    yield Step(FindCoordinatorRequest(key_type=1, coordinator_keys=[group]), 6)
    yield Step(init(group), 5, learn)
    if version < 5:
        yield Step(
            AddOffsetsToTxnRequest(
                transactional_id=group, producer_id=producer, producer_epoch=epoch, group_id=group
            ),
            3,
        )


def finish(group: str, version: int, *, commits: bool = True) -> Dialogue:
    producer, epoch = known(f"producer:{group}", -1), known(f"epoch:{group}", 0)
    yield Step(end(group, producer, epoch, commits=commits), 5 if version >= 5 else 4)


def too_long(version: int) -> Dialogue:
    """Notes that are too long, to a group that is not there yet."""
    group = f"notes-{version}"
    yield Step(commit(group, version, notes=[TOO_LONG]), version)
    yield Step(DescribeGroupsRequest(groups=[group]), 6)
    yield Step(fetch_offsets(group), 8)
    yield Step(commit(group, version, notes=[LONG], topic="many"), version)
    yield Step(commit(group, version, notes=["", TOO_LONG, None], topic="many"), version)
    yield Step(fetch_offsets(group), 8)
    yield Step(DeleteGroupsRequest(groups_names=[group]), 2)


def too_long_in_a_transaction(version: int) -> Dialogue:
    group = f"pending-notes-{version}"
    yield from begin(group, version)
    yield Step(commit_pending(group, notes=[TOO_LONG]), version)
    yield Step(DescribeGroupsRequest(groups=[group]), 6)
    yield Step(commit_pending(group, notes=["", TOO_LONG, LONG], topic="many"), version)
    yield Step(fetch_offsets(group), 8)
    yield from finish(group, version)
    yield Step(fetch_offsets(group), 8)
    yield Step(DeleteGroupsRequest(groups_names=[group]), 2)


def of_classic_members(version: int) -> Dialogue:
    """Transactions of members of a classic group, of strangers, and of one who was replaced."""
    group = f"pending-classic-{version}"
    member = known(f"member:{group}")
    yield from begin(group, version)
    yield Step(commit_pending(group, "m", 1), version)
    learn = {f"member:{group}": lambda answer: answer.member_id}
    yield Step(join(group, "", 9, instance="desk"), 9, learn)
    yield Step(commit_pending(group, member, 1), version)
    yield Step(sync(group, member, 5, 1, instance="desk"), 5)
    for who, generation, instance in (
        (member, 1, "desk"), (member, 0, "desk"), (member, 9, None), ("m", 1, None),
        ("m", 1, "desk"), (member, 1, "chair"), ("", -1, None), (member, -1, None), ("", 1, None),
    ):  # fmt: skip
        yield Step(commit_pending(group, who, generation, instance=instance), version)
    yield Step(commit_pending(group, member, 1, notes=["", ""], topic="missing"), version)
    yield from finish(group, version)
    yield Step(fetch_offsets(group), 8)
    yield Step(leave(group, "", 5, "desk"), 5)


def of_modern_members(group: str, member: str, epoch: int, version: int) -> Dialogue:
    """Commits with all epochs that there may be, plain and in a transaction."""
    yield from begin(group, version)
    for who, named in (
        (member, epoch), (member, epoch - 1), (member, 0), (member, epoch + 1), (member, -1),
        ("stranger", epoch), ("stranger", -1), ("", -1), ("", epoch),
    ):  # fmt: skip
        for topic, notes in (("plain", [""]), ("many", [TOO_LONG, ""]), ("plain", [TOO_LONG])):
            asked = {"notes": notes, "topic": topic}
            yield Step(commit_pending(group, who, named, **asked), version)
            for plain in (8, 9, 10):
                yield Step(commit(group, plain, who, named, **asked), plain)
    yield Step(commit_pending(group, member, epoch, instance="desk"), version)
    yield from finish(group, version, commits=False)
    yield Step(fetch_offsets(group), 8)


def of_consumers(version: int) -> Dialogue:
    group = f"pending-consumer-{version}"
    full = {"rebalance_timeout_ms": 30_000, "topic_partitions": []}
    yield Step(consumer_beat(group, MEMBER, 0, subscribed_topic_names=["plain"], **full), 1)
    yield from of_modern_members(group, MEMBER, JOINED_EPOCH, version)
    owned = {"rebalance_timeout_ms": 30_000, "topic_partitions": None}
    both = ["plain", "many"]
    yield Step(consumer_beat(group, MEMBER, JOINED_EPOCH, subscribed_topic_names=both, **owned), 1)
    yield from of_modern_members(group, MEMBER, JOINED_EPOCH + 1, version)
    yield Step(consumer_beat(group, MEMBER, -1), 1)


def streams_beat(group, epoch, **more):
    return StreamsGroupHeartbeatRequest(
        group_id=group, member_id=MEMBER, member_epoch=epoch, endpoint_information_epoch=0, **more
    )


def of_streams(version: int) -> Dialogue:
    group = f"pending-streams-{version}"
    beat = StreamsGroupHeartbeatRequest
    part = beat.Topology.Subtopology(
        subtopology_id="0",
        source_topics=["plain"],
        source_topic_regex=[],
        state_changelog_topics=[],
        repartition_sink_topics=[],
        repartition_source_topics=[],
        copartition_groups=[],
    )
    topology = beat.Topology(epoch=0, subtopologies=[part])
    nothing: dict[str, Any] = {"active_tasks": [], "standby_tasks": [], "warmup_tasks": []}
    yield Step(
        streams_beat(
            group,
            0,
            rebalance_timeout_ms=30_000,
            topology=topology,
            process_id="p",
            client_tags=[],
            **nothing,
        ),
        0,
    )
    yield from of_modern_members(group, MEMBER, JOINED_EPOCH, version)
    yield Step(
        streams_beat(group, JOINED_EPOCH), 0, until=lambda answer: answer.member_epoch == ASSIGNED
    )
    yield from of_modern_members(group, MEMBER, ASSIGNED, version)
    yield Step(streams_beat(group, -1), 0)


def offset_dialogues() -> list[Dialogue]:
    return [
        *(too_long(version) for version in range(2, 11)),
        *(too_long_in_a_transaction(version) for version in range(6)),
        *(of_classic_members(version) for version in range(3, 6)),
        *(of_consumers(version) for version in range(3, 6)),
        *(of_streams(version) for version in range(4, 6)),
    ]
