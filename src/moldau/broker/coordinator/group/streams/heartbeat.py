"""StreamsGroupHeartbeat: a member sends its tasks, and gets its assignment and a status.

    epoch 0     join, with the topology; a group that is not there begins with it
    epoch -1    leave
    else        go on

The first target of a group that was empty waits a while for more members. As long as topics are
missing or do not fit there are members but no tasks, and every answer has the status with what is
wrong; internal topics are created once the records are committed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import partial
from typing import TypeVar

from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.coordinator.group.epoch_group import fenced, may_assign
from moldau.broker.coordinator.group.streams import answers
from moldau.broker.coordinator.group.streams.configured import (
    Configured,
    Creatable,
    Status,
    configure,
)
from moldau.broker.coordinator.group.streams.context import StreamsContext
from moldau.broker.coordinator.group.streams.group import StreamsGroup
from moldau.broker.coordinator.group.streams.member import StreamsMember
from moldau.broker.coordinator.group.streams.reconcile import Aim, reconcile
from moldau.broker.coordinator.group.streams.records import (
    current_record,
    group_record,
    member_record,
    topology_record,
)
from moldau.broker.coordinator.group.streams.target import NOTHING_TO_RUN, retarget, target_records
from moldau.broker.coordinator.group.streams.tasks import TaskId, Tasks, task_map
from moldau.broker.coordinator.group.streams.topology import required_topics, topology_of
from moldau.broker.coordinator.group.streams.validation import check_tasks
from moldau.broker.coordinator.group.topic_hash import group_hash
from moldau.broker.coordinator.shard import NOTHING, Decision, Reply, RequestContext, StoredRecord
from moldau.errors import KafkaError
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.stored.streams_group import StreamsGroupTopologyValue
from moldau.protocol.messages.streams.streams_group_heartbeat import (
    StreamsGroupHeartbeatRequest,
    StreamsGroupHeartbeatResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

JOINS, LEAVES = 0, -1
UNCHANGED = -1
REFRESH_INTERVAL_MS = 2**31 - 1
NOT_VALIDATED = -1
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class CreateInternalTopics:
    """An effect: these topics are to be created, if the caller may have that done."""

    topics: tuple[Creatable, ...]
    caller: object
    """The `correlation` of the heartbeat."""


@dataclass(slots=True)
class MemberChange:
    """One heartbeat: the group as it is, and what comes of it."""

    group: StreamsGroup
    request: StreamsGroupHeartbeatRequest
    asking: RequestContext
    now_ms: int
    before: StreamsMember
    member: StreamsMember
    topology: StreamsGroupTopologyValue
    records: list[StoredRecord] = field(default_factory=list)
    statuses: list[tuple[Status, str]] = field(default_factory=list)
    configured: Configured = field(default_factory=Configured)
    metadata_hash: int = 0
    epoch: int = 0
    assignment_epoch: int = 0
    target: Tasks = NOTHING_TO_RUN

    def members(self) -> dict[str, StreamsMember]:
        """The group's members as they will be."""
        return {**self.group.members, self.member.member_id: self.member}


class Heartbeats:
    """Answers StreamsGroupHeartbeat."""

    def __init__(self, context: StreamsContext) -> None:
        self._context = context

    def heartbeat(
        self, request: StreamsGroupHeartbeatRequest, asking: RequestContext, now_ms: int
    ) -> Decision:
        try:
            if request.member_epoch == LEAVES:
                return self._leave(request, asking)
            return self._beat(request, asking, now_ms)
        except KafkaError as error:
            return Decision(replies=[Reply(asking.ticket, answers.refusal(error))])

    # Leaving.

    def _leave(self, request: StreamsGroupHeartbeatRequest, asking: RequestContext) -> Decision:
        group = self._existing(request.group_id)
        if request.shutdown_application and group.stopped_by is None:
            group.stopped_by = request.member_id
        member = group.member(request.member_id)
        records = self._context.remove(group, member.member_id)
        return Decision(records, [Reply(asking.ticket, answers.left(request))])

    def _existing(self, group_id: str) -> StreamsGroup:
        group = self._context.group(group_id)
        if group is None:
            raise self._context.groups.missing(group_id, "streams")
        return group

    # Joining and going on.

    def _beat(
        self, request: StreamsGroupHeartbeatRequest, asking: RequestContext, now_ms: int
    ) -> Decision:
        change = self._change(request, asking, now_ms)
        self._note_member(change)
        self._look_at_topics(change)
        self._assign(change)
        reported = reported_tasks(request)
        self._step(change, reported)
        self._context.touch_session(change.group, change.member.member_id, now_ms)
        response = self._answer(change)
        effects = []
        if change.configured.to_create:
            effects.append(CreateInternalTopics(change.configured.to_create, asking.correlation))
        return Decision(change.records, [Reply(asking.ticket, response)], effects)

    def _change(
        self, request: StreamsGroupHeartbeatRequest, asking: RequestContext, now_ms: int
    ) -> MemberChange:
        records: list[StoredRecord] = []
        joins = request.member_epoch == JOINS
        group = self._joined(request, records) if joins else self._existing(request.group_id)
        known = group.members.get(request.member_id)
        if known is None and not joins:
            known = group.member(request.member_id)
        before = known or StreamsMember(request.member_id)
        check_epoch(before, request)
        topology = _topology(group, request)
        return MemberChange(
            group,
            request,
            asking,
            now_ms,
            before,
            reported(before, request, asking),
            topology,
            records,
        )

    def _joined(
        self, request: StreamsGroupHeartbeatRequest, records: list[StoredRecord]
    ) -> StreamsGroup:
        """The group to join; an empty classic one gives way."""
        found = self._context.groups.by_id.get(request.group_id)
        if found is None:
            return StreamsGroup(request.group_id)
        if isinstance(found, ClassicGroup) and found.is_empty:
            records += found.tombstones()
            return StreamsGroup(request.group_id)
        group = self._existing(request.group_id)
        if len(group.members) >= self._context.groups.context.settings.group_streams_max_size:
            raise KafkaError(ErrorCode.GROUP_MAX_SIZE_REACHED, f"Group {group.group_id} is full.")
        return group

    def _note_member(self, change: MemberChange) -> None:
        group = change.group
        change.epoch, change.assignment_epoch = group.epoch, group.assignment_epoch
        if change.member != change.before:
            change.records.append(member_record(group.group_id, change.member))
            change.epoch = group.epoch + 1
        if group.topology is None:
            change.records.append(topology_record(group.group_id, change.topology))
        stored = group.topology
        if stored is not None and change.member.topology_epoch < stored.epoch:
            text = (
                f"The member has topology {change.member.topology_epoch}, "
                f"and its group has {stored.epoch}."
            )
            change.statuses.append((Status.STALE_TOPOLOGY, text))

    def _look_at_topics(self, change: MemberChange) -> None:
        """Hold the topology against the topics, if either may be another one."""
        group, image = change.group, self._context.image
        change.metadata_hash = group.metadata_hash
        configured = group.configured
        if group.topology is None or configured is None or group.needs_refresh(change.now_ms):
            topics = required_topics(change.topology)
            change.metadata_hash = group_hash(topics, image, self._context.hashes)
            if change.metadata_hash != group.metadata_hash:
                change.epoch, configured = group.epoch + 1, None
            if configured is None or group.topology is None:
                configured = group.configured = configure(change.topology, image)
        change.configured = configured
        validated = change.topology.epoch if configured.is_ready else NOT_VALIDATED
        if configured.is_ready:
            tasks = (
                change.request.active_tasks,
                change.request.standby_tasks,
                change.request.warmup_tasks,
            )
            for entries in tasks:
                check_tasks(entries or (), configured.task_counts)
        self._bump(change, validated)

    def _bump(self, change: MemberChange, validated: int) -> None:
        group = change.group
        configs = self._context.settings_of(group).assignment_configs()
        if validated != group.validated_topology_epoch or configs != group.assignment_configs:
            change.epoch = group.epoch + 1
        if change.epoch > group.epoch:
            record = group_record(
                group.group_id, change.epoch, change.metadata_hash, validated, configs
            )
            change.records.append(record)
            group.refreshed(change.now_ms + REFRESH_INTERVAL_MS, change.epoch)

    # Targets.

    def _assign(self, change: MemberChange) -> None:
        group, settings = change.group, self._context.settings_of(change.group)
        name = ("first target", group.group_id)
        timers = self._context.groups.timers
        if group.is_empty and settings.initial_delay_ms > 0 and name not in timers:
            due_ms = change.now_ms + settings.initial_delay_ms
            timers.schedule(name, due_ms, partial(self._assign_late, group.group_id))
        change.target = group.targets.get(change.member.member_id, NOTHING_TO_RUN)
        if name in timers:
            change.target = NOTHING_TO_RUN
            change.statuses.append((Status.ASSIGNMENT_DELAYED, "More members are waited for."))
        elif group.assignment_epoch < change.epoch:
            interval_ms = settings.assignment_interval_ms
            if not may_assign(group.assigned_at_ms, interval_ms, change.now_ms):
                text = "The last assignment was only just made."
                change.statuses.append((Status.ASSIGNMENT_DELAYED, text))
                return
            targets = self._targets(change)
            change.records += target_records(group, targets, change.epoch, change.now_ms)
            change.assignment_epoch = change.epoch
            change.target = targets[change.member.member_id]

    def _targets(self, change: MemberChange) -> dict[str, Tasks]:
        standby_count = self._context.settings_of(change.group).standby_count
        return retarget(
            change.group, change.members(), change.topology, change.configured, standby_count
        )

    def _assign_late(self, group_id: str, now_ms: int) -> Decision:
        """The first members have come: give out the tasks."""
        group = self._context.group(group_id)
        if group is None or group.is_empty or group.topology is None:
            return NOTHING
        if group.epoch <= group.assignment_epoch:
            return NOTHING
        if group.configured is None:
            group.configured = configure(group.topology, self._context.image)
        standby_count = self._context.settings_of(group).standby_count
        targets = retarget(group, group.members, group.topology, group.configured, standby_count)
        return Decision(target_records(group, targets, group.epoch, now_ms))

    # The member's step, and the answer.

    def _step(self, change: MemberChange, reported: Tasks | None) -> None:
        member, group = change.member, change.group
        if member.is_reconciled_to(change.assignment_epoch):
            return

        def is_in_process(task: TaskId) -> bool:
            return group.is_in_process(member.process_id, task)

        aim = Aim(change.assignment_epoch, change.target, group.is_active, is_in_process)
        change.member = reconcile(member, aim, reported)
        if change.member != member:
            change.records.append(current_record(group.group_id, change.member))
            self._context.timers.watch_revocation(group.group_id, change.member, change.now_ms)

    def _answer(self, change: MemberChange) -> StreamsGroupHeartbeatResponse:
        group, request, member = change.group, change.request, change.member
        if request.shutdown_application and group.stopped_by is None:
            group.stopped_by = member.member_id
        has_changed = member.assigned.plain() != change.before.assigned.plain()
        sends_tasks = request.member_epoch == JOINS or has_changed
        if sends_tasks and member.endpoint is not None:
            group.endpoint_epoch += 1
        if change.configured.status is not None:
            change.statuses.append(change.configured.status)
        if group.stopped_by is not None:
            text = f"Member {group.stopped_by} asks the whole application to stop."
            change.statuses.append((Status.SHUTDOWN_APPLICATION, text))
        settings = self._context.settings_of(group)
        response = answers.accepted(member, settings.heartbeat_interval_ms, change.statuses)
        if sends_tasks:
            answers.set_tasks(response, member)
        if group.endpoint_epoch != request.endpoint_information_epoch:
            answers.set_endpoints(response, change.members(), change.topology, self._context.image)
        if group.group_id in self._context.groups.by_id:
            response.endpoint_information_epoch = group.endpoint_epoch
        return response


def _topology(
    group: StreamsGroup, request: StreamsGroupHeartbeatRequest
) -> StreamsGroupTopologyValue:
    """The group's topology, or the first one that it gets."""
    if request.topology is None:
        assert group.topology is not None, "a group has had a topology since its first member"
        return group.topology
    offered = topology_of(request.topology)
    if group.topology is None:
        return offered
    if group.topology.epoch <= offered.epoch and group.topology != offered:
        raise KafkaError(
            ErrorCode.INVALID_REQUEST,
            f"Group {group.group_id} has another topology, which cannot be changed yet.",
        )
    return group.topology


def reported(
    member: StreamsMember, request: StreamsGroupHeartbeatRequest, asking: RequestContext
) -> StreamsMember:
    """The member with all that its heartbeat has of it."""
    timeout_ms, topology, endpoint = (
        request.rebalance_timeout_ms,
        request.topology,
        request.user_endpoint,
    )
    tags: Mapping[str, str] = member.client_tags
    if request.client_tags is not None:
        tags = {tag.key: tag.value for tag in request.client_tags}
    return replace(
        member,
        rack_id=_or(request.rack_id, member.rack_id),
        rebalance_timeout_ms=(
            member.rebalance_timeout_ms if timeout_ms == UNCHANGED else timeout_ms
        ),
        topology_epoch=member.topology_epoch if topology is None else topology.epoch,
        client_id=asking.client_id,
        client_host=asking.client_host,
        process_id=_or(request.process_id, member.process_id),
        client_tags=tags,
        endpoint=member.endpoint if endpoint is None else (endpoint.host, endpoint.port),
    )


def _or(given: Value | None, known: Value) -> Value:
    return known if given is None else given


def check_epoch(member: StreamsMember, request: StreamsGroupHeartbeatRequest) -> None:
    """A member that missed our last answer may come back in its previous epoch."""
    epoch = request.member_epoch
    if epoch in (JOINS, member.epoch):
        return
    reported = reported_tasks(request)
    has_missed_answer = (
        epoch == member.previous_epoch
        and reported is not None
        and member.assigned.has_all_of(reported)
    )
    if epoch > member.epoch or not has_missed_answer:
        raise fenced("streams", epoch, member.epoch)


def reported_tasks(request: StreamsGroupHeartbeatRequest) -> Tasks | None:
    """The tasks that the member reports to run."""
    if request.active_tasks is None or request.standby_tasks is None:
        return None
    return Tasks(
        task_map(request.active_tasks),
        task_map(request.standby_tasks),
        task_map(request.warmup_tasks or ()),
    )
