"""Classic members in a consumer group, while a group migrates: the classic requests, translated.

To such a member a rebalance is what it was: it is called back by a heartbeat, joins, and asks for
its assignment. Here it is the way in which it takes its steps: a JoinGroup has what it owns, its
generation is its epoch, and SyncGroup hands out what it has been assigned. It has no leader.

If it does not follow the call in its rebalance timeout it is taken out.
"""

from __future__ import annotations

from dataclasses import replace

from moldau.broker.coordinator.group.classic.answers import join_refusal, sync_refusal
from moldau.broker.coordinator.group.classic.join import MEMBER_ID_REQUIRED_SINCE, Joins
from moldau.broker.coordinator.group.classic.leave import leave_answer, members_of
from moldau.broker.coordinator.group.consumer import admission
from moldau.broker.coordinator.group.consumer.classic_checks import (
    check_join,
    check_protocol,
    classic_side_of,
    known_member,
)
from moldau.broker.coordinator.group.consumer.context import ConsumerContext
from moldau.broker.coordinator.group.consumer.downgrade import Downgrade
from moldau.broker.coordinator.group.consumer.embedded import (
    CONSUMER,
    assignment_for,
    by_topic_id,
    subscription_of,
)
from moldau.broker.coordinator.group.consumer.fencing import TIMERS, Fencing
from moldau.broker.coordinator.group.consumer.group import ConsumerGroup
from moldau.broker.coordinator.group.consumer.member import ClassicSide, ConsumerMember, MemberState
from moldau.broker.coordinator.group.consumer.member_change import MemberChange
from moldau.broker.coordinator.group.consumer.progress import Progress
from moldau.broker.coordinator.group.consumer.subscribe import Subscriptions
from moldau.broker.coordinator.group.draft import Draft
from moldau.broker.coordinator.shard import Decision, Reply, RequestContext, StoredRecord
from moldau.errors import DecodeError, KafkaError
from moldau.protocol.messages.group.heartbeat import HeartbeatRequest, HeartbeatResponse
from moldau.protocol.messages.group.join_group import JoinGroupRequest, JoinGroupResponse
from moldau.protocol.messages.group.leave_group import LeaveGroupRequest
from moldau.protocol.messages.group.sync_group import SyncGroupRequest, SyncGroupResponse
from moldau.protocol.wire.error_codes import ErrorCode


class ClassicMembers:
    """Answers the classic protocol for consumer groups."""

    def __init__(
        self,
        context: ConsumerContext,
        subscriptions: Subscriptions,
        progress: Progress,
        fencing: Fencing,
        downgrade: Downgrade,
        joins: Joins,
    ) -> None:
        self._context = context
        self._subscriptions = subscriptions
        self._progress = progress
        self._fencing = fencing
        self._downgrade = downgrade
        self._joins = joins

    # JoinGroup.

    def join(self, request: JoinGroupRequest, asking: RequestContext, now_ms: int) -> Decision:
        """An empty group gives way to a classic one."""
        group = self._group(request.group_id)
        if group.is_empty:
            return self._joins.join(request, asking, now_ms, instead_of=group.tombstones())
        draft = Draft()
        try:
            response = self._join(group, request, asking, draft, now_ms)
        except KafkaError as error:
            refusal = join_refusal("", error.code)
            return Decision(replies=[Reply(asking.ticket, refusal)])
        draft.reply(asking.ticket, response)
        return draft.decision()

    def _join(
        self,
        group: ConsumerGroup,
        request: JoinGroupRequest,
        asking: RequestContext,
        draft: Draft,
        now_ms: int,
    ) -> JoinGroupResponse:
        settings = self._context.settings
        check_join(group, request, settings)
        member_id = request.member_id or self._context.member_id()
        admission.check_room(group, member_id, settings.group_consumer_max_size)
        is_dynamic = request.group_instance_id is None
        if is_dynamic and not request.member_id and asking.version >= MEMBER_ID_REQUIRED_SINCE:
            return join_refusal(member_id, ErrorCode.MEMBER_ID_REQUIRED)
        before = self._member(group, request, member_id, draft.records)
        member, reported = self._updated(before, request, asking)
        change = MemberChange(group, now_ms, before, member, draft.records)
        self._subscriptions.note(change, asking, waits_for_lookup=False)
        if self._takes_last_place(group, request):
            self._join_and_downgrade(change, reported, request)
        else:
            self._progress.assign(change)
            self._progress.step(change, reported)
            self._watch(group, member, request, now_ms)
        return _joined(change.member)

    def _member(
        self,
        group: ConsumerGroup,
        request: JoinGroupRequest,
        member_id: str,
        records: list[StoredRecord],
    ) -> ConsumerMember:
        instance_id = request.group_instance_id
        known = group.members.get(member_id, ConsumerMember(member_id))
        if instance_id is None:
            return known
        owner = group.static_member(instance_id)
        if request.member_id:
            return admission.check_static(owner, member_id, instance_id)
        if owner is None:
            return known
        self._fencing.timers.cancel(group.group_id, owner.member_id, TIMERS)
        return admission.succeed(group, owner, member_id, records)

    def _updated(
        self, before: ConsumerMember, request: JoinGroupRequest, asking: RequestContext
    ) -> tuple[ConsumerMember, dict[bytes, list[int]]]:
        """The member with all that its join has of it, and what it reports to own."""
        classic = classic_side_of(request)
        try:
            subscription = subscription_of(classic.protocols)
        except DecodeError as error:
            raise KafkaError(ErrorCode.UNKNOWN_SERVER_ERROR, str(error)) from error
        timeout_ms = request.rebalance_timeout_ms
        member = replace(
            before,
            instance_id=request.group_instance_id or before.instance_id,
            rack_id=subscription.rack_id or before.rack_id,
            rebalance_timeout_ms=before.rebalance_timeout_ms if timeout_ms == -1 else timeout_ms,
            topic_names=tuple(sorted(set(subscription.topics))),
            topic_pattern="",
            client_id=asking.client_id,
            client_host=asking.client_host,
            classic=classic,
        )
        return member, by_topic_id(subscription.owned_partitions, self._context.image)

    def _takes_last_place(self, group: ConsumerGroup, request: JoinGroupRequest) -> bool:
        """Whether it takes the place of the last member that speaks the new protocol."""
        owner = group.static_member(request.group_instance_id)
        if owner is None or owner.is_classic:
            return False
        others = [one for one in group.members.values() if one is not owner]
        are_classic = all(one.is_classic for one in others)
        return are_classic and self._downgrade.is_allowed(len(group.members))

    def _join_and_downgrade(
        self, change: MemberChange, reported: dict[bytes, list[int]], request: JoinGroupRequest
    ) -> None:
        group = change.group
        owner = group.static_member(request.group_instance_id)
        assert owner is not None
        rebalances = group.assignment_epoch < change.epoch
        change.target = group.target_of(owner.member_id)
        if not rebalances:
            self._progress.step(change, reported)
        staying = [one for one in group.members.values() if one is not owner]
        change.records += self._downgrade.records(
            group,
            [*staying, change.member],
            change.now_ms,
            rebalances=rebalances,
            successor=(change.member.member_id, owner.member_id),
        )

    def _watch(
        self, group: ConsumerGroup, member: ConsumerMember, request: JoinGroupRequest, now_ms: int
    ) -> None:
        group_id, member_id = group.group_id, member.member_id
        self._fencing.timers.cancel(group_id, member_id, ["rejoin", "revocation"])
        self._fencing.timers.touch_session(group_id, member_id, request.session_timeout_ms, now_ms)
        timeout_ms = member.rebalance_timeout_ms
        self._fencing.timers.watch("sync", group_id, member_id, timeout_ms, now_ms)

    # SyncGroup.

    def sync(self, request: SyncGroupRequest, asking: RequestContext, now_ms: int) -> Decision:
        response: SyncGroupResponse
        try:
            response = self._sync(self._group(request.group_id), request, now_ms)
        except KafkaError as error:
            response = sync_refusal(error.code)
        return Decision(replies=[Reply(asking.ticket, response)])

    def _sync(
        self, group: ConsumerGroup, request: SyncGroupRequest, now_ms: int
    ) -> SyncGroupResponse:
        member, classic = known_member(
            group, request.member_id, request.group_instance_id, request.generation_id
        )
        check_protocol(classic, request)
        is_late = group.assignment_epoch > member.epoch
        if is_late and member.state is not MemberState.UNREVOKED:
            self._call_back(group, member, now_ms)
            raise KafkaError(ErrorCode.REBALANCE_IN_PROGRESS)
        self._fencing.timers.cancel(group.group_id, member.member_id, ["sync"])
        self._touch_session(group, member, classic, now_ms)
        metadata = classic.protocols[0].metadata
        return SyncGroupResponse(
            throttle_time_ms=0,
            error_code=ErrorCode.NONE,
            protocol_type=request.protocol_type,
            protocol_name=request.protocol_name,
            assignment=assignment_for(metadata, member.assigned, self._context.image),
        )

    # Heartbeat.

    def heartbeat(self, request: HeartbeatRequest, asking: RequestContext, now_ms: int) -> Decision:
        try:
            code = self._beat(self._group(request.group_id), request, now_ms)
        except KafkaError as error:
            code = error.code
        response = HeartbeatResponse(throttle_time_ms=0, error_code=code)
        return Decision(replies=[Reply(asking.ticket, response)])

    def _beat(self, group: ConsumerGroup, request: HeartbeatRequest, now_ms: int) -> int:
        """The member is called back when it could take a step."""
        member, classic = known_member(
            group, request.member_id, request.group_instance_id, request.generation_id
        )
        self._touch_session(group, member, classic, now_ms)
        can_step = (
            member.epoch < group.assignment_epoch
            or member.state is MemberState.UNREVOKED
            or (member.state is MemberState.UNRELEASED and not _waits(group, member))
        )
        if not can_step:
            return ErrorCode.NONE
        self._call_back(group, member, now_ms)
        return ErrorCode.REBALANCE_IN_PROGRESS

    # LeaveGroup.

    def leave(self, request: LeaveGroupRequest, asking: RequestContext, now_ms: int) -> Decision:
        """Members of either protocol may be sent away in this way."""
        group = self._group(request.group_id)
        leaving: dict[str, ConsumerMember] = {}
        codes = []
        identities = members_of(request, asking)
        for identity in identities:
            try:
                member = _leaving(group, identity.member_id, identity.group_instance_id)
                leaving[member.member_id] = member
                codes.append(int(ErrorCode.NONE))
            except KafkaError as error:
                codes.append(error.code)
        records = self._fencing.remove(group, list(leaving.values()), now_ms)
        response = leave_answer(identities, codes, asking)
        return Decision(records, [Reply(asking.ticket, response)])

    # What several need.

    def _group(self, group_id: str) -> ConsumerGroup:
        group = self._context.group(group_id)
        assert group is not None, "the shard sends here what names a consumer group"
        return group

    def _touch_session(
        self, group: ConsumerGroup, member: ConsumerMember, classic: ClassicSide, now_ms: int
    ) -> None:
        timeout_ms = classic.session_timeout_ms
        self._fencing.timers.touch_session(group.group_id, member.member_id, timeout_ms, now_ms)

    def _call_back(self, group: ConsumerGroup, member: ConsumerMember, now_ms: int) -> None:
        """The time to join again begins with the first call."""
        if ("rejoin", group.group_id, member.member_id) not in self._context.groups.timers:
            timeout_ms = member.rebalance_timeout_ms
            self._fencing.timers.watch(
                "rejoin", group.group_id, member.member_id, timeout_ms, now_ms
            )


def _joined(member: ConsumerMember) -> JoinGroupResponse:
    assert member.classic is not None
    return JoinGroupResponse(
        throttle_time_ms=0,
        error_code=ErrorCode.NONE,
        generation_id=member.epoch,
        protocol_type=CONSUMER,
        protocol_name=member.classic.protocols[0].name,
        leader="",
        member_id=member.member_id,
        members=[],
    )


def _leaving(group: ConsumerGroup, member_id: str, instance_id: str | None) -> ConsumerMember:
    if instance_id is None:
        return group.member(member_id)
    owner = group.static_member(instance_id)
    if owner is not None and not member_id:
        return owner
    return admission.check_static(owner, member_id, instance_id)


def _waits(group: ConsumerGroup, member: ConsumerMember) -> bool:
    """Whether something of the member's target still belongs to another."""
    return any(
        partition not in member.assigned.get(topic_id, ()) and group.has_owner(topic_id, partition)
        for topic_id, partitions in group.target_of(member.member_id).items()
        for partition in partitions
    )
