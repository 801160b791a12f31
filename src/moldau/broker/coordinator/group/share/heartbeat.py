"""ShareGroupHeartbeat: a member sends what it subscribes to, and gets its assignment.

    epoch 0     join              a group that is not there begins with it
    epoch -1    leave
    else        go on

The group's epoch rises with every change of members, of what they subscribe to, of these topics,
and when state that was asked for is there. With the epoch comes another target, and each member
has its part of that with its next heartbeat. What has no state yet is asked for in passing.
"""

from __future__ import annotations

from dataclasses import field, replace

from moldau.broker.coordinator.group.epoch_group import fenced, full, may_assign
from moldau.broker.coordinator.group.java_order import JavaSet, text_hash
from moldau.broker.coordinator.group.member_timers import SESSION, MemberTimers
from moldau.broker.coordinator.group.share.assignor import SharedWork, assign
from moldau.broker.coordinator.group.share.context import ShareContext
from moldau.broker.coordinator.group.share.group import ShareGroup
from moldau.broker.coordinator.group.share.member import (
    JOINS,
    LEFT,
    Assignment,
    ShareMember,
    is_same,
)
from moldau.broker.coordinator.group.share.records import (
    assignment_epoch_record,
    current_record,
    group_record,
    member_record,
    member_tombstones,
    prepared_record,
    target_record,
)
from moldau.broker.coordinator.group.share.steps import PrepareShares, preparation
from moldau.broker.coordinator.shard import Decision, Reply, RequestContext, StoredRecord
from moldau.errors import KafkaError
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.share.share_group_heartbeat import (
    ShareGroupHeartbeatRequest,
    ShareGroupHeartbeatResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode


@dataclass(slots=True)
class MemberChange:
    """One heartbeat under way; the group is not touched before the records are applied."""

    group: ShareGroup
    now_ms: int
    before: ShareMember
    member: ShareMember
    epoch: int
    """The group's, with what was decided so far."""
    records: list[StoredRecord] = field(default_factory=list)
    has_new_epoch: bool = False

    def members(self) -> dict[str, ShareMember]:
        """As they will be."""
        return {**self.group.members, self.member.member_id: self.member}

    def topics(self) -> set[str]:
        return {name for member in self.members().values() for name in member.topic_names}


class Heartbeats:
    """Answers ShareGroupHeartbeat."""

    def __init__(self, context: ShareContext) -> None:
        self._context = context
        self._timers = MemberTimers(context.groups, ShareGroup, self._remove)

    def heartbeat(
        self, request: ShareGroupHeartbeatRequest, asking: RequestContext, now_ms: int
    ) -> Decision:
        try:
            if request.member_epoch == LEFT:
                return self._leave(request, asking, now_ms)
            return self._beat(request, asking, now_ms)
        except KafkaError as error:
            return Decision(replies=[Reply(asking.ticket, _refusal(error))])

    # Leaving.

    def _leave(
        self, request: ShareGroupHeartbeatRequest, asking: RequestContext, now_ms: int
    ) -> Decision:
        group = self._context.group(request.group_id)
        member = group.member(request.member_id)
        records = self._remove(group, member.member_id, now_ms)
        response = _response(request.member_id, request.member_epoch, 0)
        return Decision(records, [Reply(asking.ticket, response)])

    def _remove(self, group: ShareGroup, member_id: str, now_ms: int) -> list[StoredRecord]:
        """The records that take the member out; the group gets another epoch."""
        self._timers.cancel(group.group_id, member_id, [SESSION])
        staying = [one for one in group.members.values() if one.member_id != member_id]
        topics = {name for one in staying for name in one.topic_names}
        return [
            *member_tombstones(group.group_id, member_id),
            group_record(group.group_id, group.epoch + 1, self._context.hash_of(topics)),
        ]

    def touch_session(self, group: ShareGroup, member_id: str, now_ms: int) -> None:
        """The member sent a heartbeat."""
        timeout_ms = self._context.settings_of(group.group_id).session_timeout_ms
        self._timers.touch_session(group.group_id, member_id, timeout_ms, now_ms)

    # Joining and going on.

    def _beat(
        self, request: ShareGroupHeartbeatRequest, asking: RequestContext, now_ms: int
    ) -> Decision:
        group = self._group(request)
        self._check_room(group, request.member_id)
        before = self._member(group, request)
        member = _updated(before, request, asking)
        change = MemberChange(group, now_ms, before, member, group.epoch)
        self._note(change)
        self._assign(change)
        self.touch_session(group, member.member_id, now_ms)
        response = self._answer(request, change)
        effects = self._prepare(change)
        return Decision(change.records, [Reply(asking.ticket, response)], effects)

    def _group(self, request: ShareGroupHeartbeatRequest) -> ShareGroup:
        if request.member_epoch == JOINS and request.group_id not in self._context.groups.by_id:
            return ShareGroup(request.group_id)
        return self._context.group(request.group_id)

    def _check_room(self, group: ShareGroup, member_id: str) -> None:
        size_max = self._context.settings.group_share_max_size
        if len(group.members) >= size_max and member_id not in group.members:
            raise full("share", size_max)

    def _member(self, group: ShareGroup, request: ShareGroupHeartbeatRequest) -> ShareMember:
        member_id, epoch = request.member_id, request.member_epoch
        if epoch == JOINS:
            return group.members.get(member_id, ShareMember(member_id))
        member = group.member(member_id)
        if epoch > member.epoch or epoch not in (member.epoch, member.previous_epoch):
            raise fenced("share", epoch, member.epoch, member.previous_epoch)
        return member

    def _note(self, change: MemberChange) -> None:
        """Store what is new of the member, and raise the group's epoch where that needs it."""
        group, member = change.group, change.member
        if member != change.before or member.member_id not in group.members:
            change.records.append(member_record(group.group_id, member))
        bumps = member.topic_names != change.before.topic_names
        if group.assignment_epoch >= group.epoch and self._may_assign(change):
            bumps = bumps or _has_unassigned(group)
        if not bumps and not group.looks_again:
            return
        metadata_hash = self._context.hash_of(change.topics())
        group.looks_again = False
        if bumps or metadata_hash != group.metadata_hash:
            change.epoch += 1
            change.has_new_epoch = True
            change.records.append(group_record(group.group_id, change.epoch, metadata_hash))

    def _assign(self, change: MemberChange) -> None:
        """Another target if it is due, and the member's part of it."""
        group, member = change.group, change.member
        assignment_epoch, target = group.assignment_epoch, group.target.get(member.member_id, {})
        if assignment_epoch < change.epoch and self._may_assign(change):
            assignment_epoch, target = change.epoch, self._retarget(change)
        if not change.has_new_epoch and member.epoch == assignment_epoch:
            return
        topic_ids = self._context.ids_of(member.topic_names)
        assigned = {one: some for one, some in target.items() if one in topic_ids}
        stepped = replace(member, assigned=assigned)
        if member.epoch != assignment_epoch:
            stepped = replace(stepped, epoch=assignment_epoch, previous_epoch=member.epoch)
        if stepped != member:
            change.records.append(current_record(group.group_id, stepped))
            change.member = stepped

    def _may_assign(self, change: MemberChange) -> bool:
        interval_ms = self._context.settings_of(change.group.group_id).assignment_interval_ms
        return may_assign(change.group.assigned_at_ms, interval_ms, change.now_ms)

    def _retarget(self, change: MemberChange) -> Assignment:
        group = change.group
        members = change.members()
        work = SharedWork(
            subscriptions={
                member_id: self._context.ids_of(JavaSet.copied(text_hash, member.topic_names))
                for member_id, member in members.items()
            },
            assignable={topic_id: one.partitions for topic_id, one in group.prepared.ready.items()},
            is_homogeneous=len({member.topic_names for member in members.values()}) == 1,
            before=group.target,
        )
        targets = assign(work)
        for member_id, target in targets.items():
            if member_id not in group.target or not is_same(group.target[member_id], target):
                change.records.append(target_record(group.group_id, member_id, target))
        change.records.append(assignment_epoch_record(group.group_id, change.epoch, change.now_ms))
        return targets[change.member.member_id]

    def _prepare(self, change: MemberChange) -> list[PrepareShares]:
        """Ask for state that is not there."""
        group, context = change.group, self._context
        retry_ms = context.settings.group_share_initialize_retry_interval_ms
        missing = group.prepared.missing(change.topics(), context.image, change.now_ms, retry_ms)
        if not missing:
            return []
        prepared = group.prepared.asking(missing)
        change.records.append(prepared_record(group.group_id, prepared))
        return [PrepareShares(preparation(group.group_id, change.epoch, missing))]

    def _answer(
        self, request: ShareGroupHeartbeatRequest, change: MemberChange
    ) -> ShareGroupHeartbeatResponse:
        member = change.member
        interval_ms = self._context.settings_of(change.group.group_id).heartbeat_interval_ms
        response = _response(member.member_id, member.epoch, interval_ms)
        is_full = request.member_epoch == JOINS or request.subscribed_topic_names is not None
        if is_full or not is_same(member.assigned, change.before.assigned):
            response.assignment = _assignment(member)
        return response


def _updated(
    member: ShareMember, request: ShareGroupHeartbeatRequest, asking: RequestContext
) -> ShareMember:
    """The member with all that its heartbeat has of it."""
    names = request.subscribed_topic_names
    return replace(
        member,
        rack_id=member.rack_id if request.rack_id is None else request.rack_id,
        client_id=asking.client_id,
        client_host=asking.client_host,
        topic_names=member.topic_names if names is None else tuple(sorted(set(names))),
    )


def _has_unassigned(group: ShareGroup) -> bool:
    """Whether there is state of partitions that were not given out yet, though they are wanted."""
    wanted = group.topics()
    given: dict[bytes, set[int]] = {}
    for target in group.target.values():
        for topic_id, partitions in target.items():
            given.setdefault(topic_id, set()).update(partitions)
    return any(
        one.name in wanted and given.get(topic_id, set()) != set(one.partitions)
        for topic_id, one in group.prepared.ready.items()
    )


def _response(member_id: str, epoch: int, interval_ms: int) -> ShareGroupHeartbeatResponse:
    return ShareGroupHeartbeatResponse(
        throttle_time_ms=0,
        error_code=ErrorCode.NONE,
        member_id=member_id,
        member_epoch=epoch,
        heartbeat_interval_ms=interval_ms,
    )


def _refusal(error: KafkaError) -> ShareGroupHeartbeatResponse:
    return ShareGroupHeartbeatResponse(
        throttle_time_ms=0,
        error_code=error.code,
        error_message=error.message,
        member_epoch=0,
        heartbeat_interval_ms=0,
    )


def _assignment(member: ShareMember) -> ShareGroupHeartbeatResponse.Assignment:
    return ShareGroupHeartbeatResponse.Assignment(
        topic_partitions=[
            ShareGroupHeartbeatResponse.TopicPartitions(
                topic_id=topic_id, partitions=sorted(partitions)
            )
            for topic_id, partitions in member.assigned.items()
        ]
    )
