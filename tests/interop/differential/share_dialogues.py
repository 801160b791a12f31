"""Dialogues of share groups that take records, and say what became of them (KIP-932)."""

from __future__ import annotations

from moldau.protocol.messages.share.alter_share_group_offsets import AlterShareGroupOffsetsRequest
from moldau.protocol.messages.share.delete_share_group_offsets import DeleteShareGroupOffsetsRequest
from moldau.protocol.messages.share.describe_share_group_offsets import (
    DescribeShareGroupOffsetsRequest,
)
from moldau.protocol.messages.share.share_acknowledge import ShareAcknowledgeRequest
from moldau.protocol.messages.share.share_fetch import ShareFetchRequest
from moldau.protocol.messages.share.share_group_heartbeat import ShareGroupHeartbeatRequest
from tests.interop.differential.dialogues import Dialogue, Step, known
from tests.interop.differential.setting_dialogues import GROUP, SET, change

ACCEPT, RELEASE, REJECT = 1, 2, 3
MEMBER = "C" * 22
INITIALIZED_EPOCH = 3
TOPIC_ID = known("topic:stamped", b"\x07" * 16)


def beat(group, epoch):
    return ShareGroupHeartbeatRequest(
        group_id=group, member_id=MEMBER, member_epoch=epoch, subscribed_topic_names=["stamped"]
    )


def has_initialized(answer):
    """The group moves on to its next epoch once the state of its partitions is written."""
    return answer.member_epoch == INITIALIZED_EPOCH


def take(group, epoch, acknowledged=(), *, member=MEMBER, index=0, records=500):
    """`acknowledged` are first offset, last offset and what became of them."""
    of = ShareFetchRequest.FetchTopic
    batches = [
        of.FetchPartition.AcknowledgementBatch(
            first_offset=first, last_offset=last, acknowledge_types=[kind]
        )
        for first, last, kind in acknowledged
    ]
    part = of.FetchPartition(partition_index=index, acknowledgement_batches=batches)
    return ShareFetchRequest(
        group_id=group,
        member_id=member,
        share_session_epoch=epoch,
        max_wait_ms=300,
        min_bytes=1,
        max_records=records,
        batch_size=records,
        topics=[of(topic_id=TOPIC_ID, partitions=[part])],
        forgotten_topics_data=[],
    )


def say(group, epoch, *acknowledged):
    of = ShareAcknowledgeRequest.AcknowledgeTopic
    batches = [
        of.AcknowledgePartition.AcknowledgementBatch(
            first_offset=first, last_offset=last, acknowledge_types=[kind]
        )
        for first, last, kind in acknowledged
    ]
    part = of.AcknowledgePartition(partition_index=0, acknowledgement_batches=batches)
    return ShareAcknowledgeRequest(
        group_id=group,
        member_id=MEMBER,
        share_session_epoch=epoch,
        topics=[of(topic_id=TOPIC_ID, partitions=[part])],
    )


def offsets(group):
    of = DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestGroup
    return DescribeShareGroupOffsetsRequest(groups=[of(group_id=group, topics=None)])


def altered(group, offset):
    of = AlterShareGroupOffsetsRequest.AlterShareGroupOffsetsRequestTopic
    part = of.AlterShareGroupOffsetsRequestPartition(partition_index=0, start_offset=offset)
    return AlterShareGroupOffsetsRequest(
        group_id=group, topics=[of(topic_name="stamped", partitions=[part])]
    )


def deleted(group):
    of = DeleteShareGroupOffsetsRequest.DeleteShareGroupOffsetsRequestTopic
    return DeleteShareGroupOffsetsRequest(group_id=group, topics=[of(topic_name="stamped")])


def taking(version: int) -> Dialogue:
    """A member's session, from the first fetch to the end."""
    group = f"takers-{version}"
    yield Step(change(GROUP, group, ("share.auto.offset.reset", SET, "earliest")), 1)
    yield Step(take(group, 3), version)
    yield Step(say(group, 1, (0, 0, ACCEPT)), version)
    yield Step(beat(group, 0), 1)
    yield Step(beat(group, 1), 1)
    yield Step(beat(group, 2), 1, until=has_initialized)
    yield Step(offsets(group), 0)
    yield Step(take(group, 0), version)
    yield Step(take(group, 1), version)
    yield Step(take(group, 2, ((0, 2, ACCEPT),)), version)
    yield Step(say(group, 3, (3, 3, RELEASE), (4, 4, REJECT)), version)
    yield Step(say(group, 4, (4, 4, ACCEPT)), version)
    yield Step(say(group, 9, (5, 5, ACCEPT)), version)
    yield Step(say(group, 5, (5, 5, 77)), version)
    yield Step(say(group, 6, (8, 5, ACCEPT)), version)
    yield Step(take(group, 7, records=1), version)
    yield Step(take(group, 8, index=99), version)
    yield Step(take(group, 9, ((3, 3, RELEASE),)), version)
    yield Step(take(group, 10), version)
    yield Step(offsets(group), 0)
    yield Step(altered(group, 1), 0)
    yield Step(deleted(group), 0)
    yield Step(say(group, -1, (5, 5, ACCEPT)), version)
    yield Step(take(group, 11), version)
    yield Step(beat(group, -1), 1)
    yield Step(altered(group, 1), 0)
    yield Step(offsets(group), 0)
    yield Step(deleted(group), 0)
    yield Step(offsets(group), 0)


def share_dialogues() -> list[Dialogue]:
    return [taking(version) for version in (1, 2)]
