"""Dialogues of groups: classic ones in every version of their protocol, and those of KIP-848."""

from __future__ import annotations

from moldau.protocol.messages.group.consumer_group_describe import ConsumerGroupDescribeRequest
from moldau.protocol.messages.group.consumer_group_heartbeat import ConsumerGroupHeartbeatRequest
from moldau.protocol.messages.group.delete_groups import DeleteGroupsRequest
from moldau.protocol.messages.group.describe_groups import DescribeGroupsRequest
from moldau.protocol.messages.group.heartbeat import HeartbeatRequest
from moldau.protocol.messages.group.join_group import JoinGroupRequest
from moldau.protocol.messages.group.leave_group import LeaveGroupRequest
from moldau.protocol.messages.group.list_groups import ListGroupsRequest
from moldau.protocol.messages.group.offset_commit import OffsetCommitRequest
from moldau.protocol.messages.group.offset_fetch import OffsetFetchRequest
from moldau.protocol.messages.group.sync_group import SyncGroupRequest
from tests.interop.differential.dialogues import Dialogue, Step, known

SESSION_MS = 30_000
SUBSCRIPTION = bytes.fromhex("0000 00000001 0005") + b"plain" + bytes.fromhex("ffffffff")
ASSIGNMENT = (
    bytes.fromhex("0000 00000001 0005") + b"plain" + bytes.fromhex("00000001 00000000 ffffffff")
)


def join(group, member, version, *, instance=None, protocols=("range",), session=SESSION_MS):
    protocol = JoinGroupRequest.JoinGroupRequestProtocol
    return JoinGroupRequest(
        group_id=group,
        session_timeout_ms=session,
        rebalance_timeout_ms=SESSION_MS if version >= 1 else -1,
        member_id=member,
        group_instance_id=instance,
        protocol_type="consumer",
        protocols=[protocol(name=name, metadata=SUBSCRIPTION) for name in protocols],
    )


def sync(group, member, version, generation, *, instance=None):
    assignment = SyncGroupRequest.SyncGroupRequestAssignment
    return SyncGroupRequest(
        group_id=group,
        generation_id=generation,
        member_id=member,
        group_instance_id=instance,
        protocol_type="consumer" if version >= 5 else None,
        protocol_name="range" if version >= 5 else None,
        assignments=[assignment(member_id=member, assignment=ASSIGNMENT)],
    )


def heartbeat(group, member, generation, instance=None):
    return HeartbeatRequest(
        group_id=group, generation_id=generation, member_id=member, group_instance_id=instance
    )


def leave(group, member, version, instance=None):
    if version < 3:
        return LeaveGroupRequest(group_id=group, member_id=member)
    identity = LeaveGroupRequest.MemberIdentity(member_id=member, group_instance_id=instance)
    return LeaveGroupRequest(group_id=group, members=[identity])


def commit(group, member, generation, *, offset=1, topic="plain"):
    of = OffsetCommitRequest.OffsetCommitRequestTopic
    part = of.OffsetCommitRequestPartition(
        partition_index=0, committed_offset=offset, committed_leader_epoch=0, committed_metadata=""
    )
    return OffsetCommitRequest(
        group_id=group,
        generation_id_or_member_epoch=generation,
        member_id=member,
        topics=[of(name=topic, partitions=[part])],
    )


def fetch_offsets(group, member=None, epoch=-1):
    of = OffsetFetchRequest.OffsetFetchRequestGroup
    return OffsetFetchRequest(
        groups=[of(group_id=group, member_id=member, member_epoch=epoch, topics=None)],
        require_stable=False,
    )


def classic(version: int) -> Dialogue:
    """A member's whole life, with the mistakes that clients make."""
    group = f"classic-{version}"
    member = known(f"member:{group}")
    learn = {f"member:{group}": lambda answer: answer.member_id}
    sync_version = min(version, 5)
    leave_version, beat_version = min(version, 5), min(version, 4)
    yield Step(join(group, "", version, session=1), version)
    yield Step(join("", "", version), version)
    yield Step(join(group, "stranger", version), version)
    yield Step(join(group, "", version), version, learn)
    if version >= 4:
        yield Step(join(group, member, version), version)
    yield Step(heartbeat(group, member, 1), beat_version)
    yield Step(commit(group, member, 1), 7)
    yield Step(sync(group, member, version, 7), sync_version)
    yield Step(sync(group, "stranger", version, 1), sync_version)
    yield Step(sync(group, member, version, 1), sync_version)
    yield Step(heartbeat(group, member, 1), beat_version)
    yield Step(heartbeat(group, member, 2), beat_version)
    yield Step(heartbeat(group, "stranger", 1), beat_version)
    yield Step(commit(group, member, 1), 7)
    yield Step(commit(group, member, 0), 7)
    yield Step(commit(group, "", -1), 7)
    yield Step(commit(group, member, 1, topic="missing"), 7)
    yield Step(fetch_offsets(group), 8)
    yield Step(DescribeGroupsRequest(groups=[group]), 6)
    yield Step(ListGroupsRequest(states_filter=["Stable"]), 5)
    yield Step(DeleteGroupsRequest(groups_names=[group]), 2)
    yield Step(join(group, member, version, protocols=("other",)), version)
    yield Step(sync(group, member, min(version, 4), 2), min(sync_version, 4))
    yield Step(leave(group, "stranger", leave_version), leave_version)
    yield Step(leave(group, member, leave_version), leave_version)
    yield Step(heartbeat(group, member, 2), beat_version)
    yield Step(DescribeGroupsRequest(groups=[group]), 6)
    yield Step(commit(group, "", -1, offset=3), 7)
    yield Step(fetch_offsets(group), 8)
    yield Step(DeleteGroupsRequest(groups_names=[group]), 2)
    yield Step(fetch_offsets(group), 8)
    yield Step(DescribeGroupsRequest(groups=[group]), 6)


def static(version: int) -> Dialogue:
    """A static member that comes back, and another that takes its name (from v5 on)."""
    group = f"static-{version}"
    first, second = known(f"first:{group}"), known(f"second:{group}")
    name = "desk"
    yield Step(
        join(group, "", version, instance=name),
        version,
        {f"first:{group}": lambda answer: answer.member_id},
    )
    yield Step(sync(group, first, version, 1, instance=name), min(version, 5))
    yield Step(
        join(group, "", version, instance=name),
        version,
        {f"second:{group}": lambda answer: answer.member_id},
    )
    yield Step(heartbeat(group, first, 1, name), 4)
    yield Step(heartbeat(group, second, 1, name), 4)
    yield Step(sync(group, second, version, 1, instance=name), min(version, 5))
    yield Step(heartbeat(group, second, 1, name), 4)
    yield Step(join(group, first, version, instance=name), version)
    yield Step(DescribeGroupsRequest(groups=[group]), 6)
    yield Step(leave(group, "", 5, name), 5)
    yield Step(leave(group, "", 5, "unknown"), 5)
    yield Step(DescribeGroupsRequest(groups=[group]), 6)


def describe_consumers(group):
    return ConsumerGroupDescribeRequest(group_ids=[group], include_authorized_operations=False)


def consumer_beat(group, member, epoch, **more):
    return ConsumerGroupHeartbeatRequest(
        group_id=group, member_id=member, member_epoch=epoch, **more
    )


def consumer(version: int) -> Dialogue:
    """A member of a consumer group."""
    group = f"consumer-{version}"
    beat = ConsumerGroupHeartbeatRequest
    yield Step(consumer_beat(group, "m", 0), version)
    yield Step(consumer_beat(group, "m", 5), version)
    yield Step(consumer_beat("", "m", 0, rebalance_timeout_ms=1000), version)
    name = "A" * 22
    full = {
        "rebalance_timeout_ms": 30_000,
        "subscribed_topic_names": ["plain"],
        "topic_partitions": [],
    }
    yield Step(consumer_beat(group, name, 0, server_assignor="nonsense", **full), version)
    yield Step(consumer_beat(group, name, 0, **full), version)
    yield Step(describe_consumers(group), version)
    owned = beat.TopicPartitions(topic_id=known("topic:plain", bytes(16)), partitions=[0])
    yield Step(consumer_beat(group, name, 1, topic_partitions=[owned]), version)
    yield Step(consumer_beat(group, name, 1), version)
    yield Step(consumer_beat(group, name, 9), version)
    yield Step(consumer_beat(group, "stranger", 1), version)
    yield Step(commit(group, name, 1), 9)
    yield Step(commit(group, name, 0), 9)
    yield Step(commit(group, name, 1), 7)
    yield Step(fetch_offsets(group, name, 1), 9)
    yield Step(fetch_offsets(group, name, 7), 9)
    yield Step(ListGroupsRequest(types_filter=["consumer"], states_filter=["Stable"]), 5)
    yield Step(DeleteGroupsRequest(groups_names=[group]), 2)
    yield Step(DescribeGroupsRequest(groups=[group]), 6)
    yield Step(consumer_beat(group, name, -1), version)
    yield Step(consumer_beat(group, name, -1), version)
    yield Step(describe_consumers(group), version)
    yield Step(DeleteGroupsRequest(groups_names=[group]), 2)


def group_dialogues() -> list[Dialogue]:
    return [
        *(classic(version) for version in range(10)),
        *(static(version) for version in range(5, 10)),
        *(consumer(version) for version in range(2)),
    ]
