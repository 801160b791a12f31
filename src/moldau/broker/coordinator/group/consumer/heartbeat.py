"""ConsumerGroupHeartbeat: a member sends what it reads and owns, and gets its assignment.

    epoch 0     join                  a group that is not there begins with it
    epoch -1    leave
    epoch -2    leave a static place for later
    else        go on

A field that is left out means: as last time. The answer holds the assignment when the member joins,
when it has sent all fields (it may have lost its memory), and when the assignment is another one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from moldau.broker.coordinator.group.consumer import admission
from moldau.broker.coordinator.group.consumer.context import ConsumerContext
from moldau.broker.coordinator.group.consumer.fencing import TIMERS, Fencing
from moldau.broker.coordinator.group.consumer.group import ConsumerGroup
from moldau.broker.coordinator.group.consumer.member import (
    LEFT,
    LEFT_FOR_LATER,
    ConsumerMember,
    owned_since,
)
from moldau.broker.coordinator.group.consumer.member_change import MemberChange
from moldau.broker.coordinator.group.consumer.progress import Progress
from moldau.broker.coordinator.group.consumer.reconcile import Reported
from moldau.broker.coordinator.group.consumer.records import current_record
from moldau.broker.coordinator.group.consumer.subscribe import Subscriptions
from moldau.broker.coordinator.group.consumer.upgrade import Upgrade
from moldau.broker.coordinator.group.draft import Draft
from moldau.broker.coordinator.shard import Decision, Reply, RequestContext, StoredRecord
from moldau.errors import KafkaError
from moldau.protocol.messages.group.consumer_group_heartbeat import (
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

UNCHANGED = -1
Value = TypeVar("Value")


class Heartbeats:
    """Answers ConsumerGroupHeartbeat."""

    def __init__(
        self,
        context: ConsumerContext,
        subscriptions: Subscriptions,
        progress: Progress,
        fencing: Fencing,
        upgrade: Upgrade,
    ) -> None:
        self._context = context
        self._subscriptions = subscriptions
        self._progress = progress
        self._fencing = fencing
        self._upgrade = upgrade

    def heartbeat(
        self, request: ConsumerGroupHeartbeatRequest, asking: RequestContext, now_ms: int
    ) -> Decision:
        draft = Draft()
        try:
            if request.member_epoch in (LEFT, LEFT_FOR_LATER):
                draft.reply(asking.ticket, self._leave(request, draft, now_ms))
            else:
                draft.reply(asking.ticket, self._beat(request, asking, draft, now_ms))
        except KafkaError as error:
            return Decision(replies=[Reply(asking.ticket, _refusal(error))])
        return draft.decision()

    # Leaving.

    def _leave(
        self, request: ConsumerGroupHeartbeatRequest, draft: Draft, now_ms: int
    ) -> ConsumerGroupHeartbeatResponse:
        group = self._existing(request.group_id)
        member_id, instance_id = request.member_id, request.instance_id
        if instance_id is None:
            member = group.member(member_id)
        else:
            owner = group.static_member(instance_id)
            member = admission.check_static(owner, member_id, instance_id)
        if instance_id is not None and request.member_epoch == LEFT_FOR_LATER:
            draft.records.append(current_record(group.group_id, _away(member)))
        else:
            draft.records += self._fencing.remove(group, [member], now_ms)
        return _response(member_id, request.member_epoch)

    def _existing(self, group_id: str) -> ConsumerGroup:
        group = self._context.group(group_id)
        if group is None:
            raise self._context.groups.missing(group_id, "consumer")
        return group

    # Joining and going on.

    def _beat(
        self,
        request: ConsumerGroupHeartbeatRequest,
        asking: RequestContext,
        draft: Draft,
        now_ms: int,
    ) -> ConsumerGroupHeartbeatResponse:
        reported = _reported(request)
        group = self._group(request, draft, now_ms)
        size_max = self._context.settings.group_consumer_max_size
        admission.check_room(group, request.member_id, size_max)
        before = self._member(group, request, reported, draft.records)
        member = _updated(before, request, asking)
        change = MemberChange(group, now_ms, before, member, draft.records)
        self._subscriptions.note(change, asking)
        self._progress.assign(change)
        self._progress.step(change, reported)
        settings = self._context.settings_of(group)
        member = change.member
        timeout_ms = settings.session_timeout_ms
        self._fencing.timers.touch_session(group.group_id, member.member_id, timeout_ms, now_ms)
        response = _response(member.member_id, member.epoch, settings.heartbeat_interval_ms)
        is_full = _is_full(request) or request.member_epoch == admission.JOINS
        if is_full or not member.has_same_partitions(before):
            response.assignment = _assignment(member)
        return response

    def _group(
        self, request: ConsumerGroupHeartbeatRequest, draft: Draft, now_ms: int
    ) -> ConsumerGroup:
        """The group; a joining member may begin it, or convert it from a classic one."""
        if request.member_epoch != admission.JOINS:
            return self._existing(request.group_id)
        group = self._context.groups.by_id.get(request.group_id)
        if group is None:
            return ConsumerGroup(request.group_id)
        if isinstance(group, ConsumerGroup):
            return group
        return self._upgrade.upgrade(group, draft, now_ms)

    def _member(
        self,
        group: ConsumerGroup,
        request: ConsumerGroupHeartbeatRequest,
        reported: Reported | None,
        records: list[StoredRecord],
    ) -> ConsumerMember:
        member_id = request.member_id or self._context.member_id()
        joins = request.member_epoch == admission.JOINS
        if request.instance_id is None:
            known = group.members.get(member_id) if joins else group.member(member_id)
            member = known or ConsumerMember(member_id)
            admission.check_epoch(member, request.member_epoch, reported)
            return member
        owner = group.static_member(request.instance_id)
        if not joins:
            member = admission.check_static(owner, member_id, request.instance_id)
            admission.check_epoch(member, request.member_epoch, reported)
            return member
        if owner is None:
            return group.members.get(member_id, ConsumerMember(member_id))
        if not owner.is_classic:
            admission.check_free(owner, request.instance_id)
        self._fencing.timers.cancel(group.group_id, owner.member_id, TIMERS)
        return admission.succeed(group, owner, member_id, records)


def _updated(
    member: ConsumerMember, request: ConsumerGroupHeartbeatRequest, asking: RequestContext
) -> ConsumerMember:
    """The member with all that its heartbeat has of it."""
    names, timeout_ms = request.subscribed_topic_names, request.rebalance_timeout_ms
    return replace(
        member,
        instance_id=_or(request.instance_id, member.instance_id),
        rack_id=_or(request.rack_id, member.rack_id),
        rebalance_timeout_ms=(
            member.rebalance_timeout_ms if timeout_ms == UNCHANGED else timeout_ms
        ),
        assignor=_or(request.server_assignor, member.assignor),
        topic_names=member.topic_names if names is None else tuple(sorted(set(names))),
        topic_pattern=_or(request.subscribed_topic_regex, member.topic_pattern),
        client_id=asking.client_id,
        client_host=asking.client_host,
        classic=None,
    )


def _or(given: Value | None, known: Value) -> Value:
    return known if given is None else given


def _away(member: ConsumerMember) -> ConsumerMember:
    """A static member that comes back later: it keeps what it has, but for what it must give up."""
    return replace(
        member,
        epoch=LEFT_FOR_LATER,
        assigned=owned_since(0, member.assigned),
        to_revoke={},
    )


def _reported(request: ConsumerGroupHeartbeatRequest) -> Reported | None:
    if request.topic_partitions is None:
        return None
    return {entry.topic_id: entry.partitions for entry in request.topic_partitions}


def _is_full(request: ConsumerGroupHeartbeatRequest) -> bool:
    says_topics = (
        request.subscribed_topic_names is not None or request.subscribed_topic_regex is not None
    )
    says_timeout = request.rebalance_timeout_ms != UNCHANGED
    return says_timeout and says_topics and request.topic_partitions is not None


def _response(member_id: str, epoch: int, interval_ms: int = 0) -> ConsumerGroupHeartbeatResponse:
    return ConsumerGroupHeartbeatResponse(
        throttle_time_ms=0,
        error_code=ErrorCode.NONE,
        member_id=member_id,
        member_epoch=epoch,
        heartbeat_interval_ms=interval_ms,
    )


def _refusal(error: KafkaError) -> ConsumerGroupHeartbeatResponse:
    return ConsumerGroupHeartbeatResponse(
        throttle_time_ms=0,
        error_code=error.code,
        error_message=error.message,
        member_epoch=0,
        heartbeat_interval_ms=0,
    )


def _assignment(member: ConsumerMember) -> ConsumerGroupHeartbeatResponse.Assignment:
    return ConsumerGroupHeartbeatResponse.Assignment(
        topic_partitions=[
            ConsumerGroupHeartbeatResponse.TopicPartitions(
                topic_id=topic_id, partitions=list(partitions)
            )
            for topic_id, partitions in member.assigned.items()
        ]
    )
