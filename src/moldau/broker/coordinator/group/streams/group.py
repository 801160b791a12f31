"""A streams group: its topology, its members, and which process has which task.

Epochs, and what they allow, are in `epoch_group`; before all of its states comes one of its own:

    topology not validated              NotReady: topics are missing, or do not fit

Volatile is also what the topology looks like in front of the topics, where members can be queried,
and which member asked all to stop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from moldau.broker.coordinator.group.epoch_group import EpochGroup
from moldau.broker.coordinator.group.group import Committed, GroupType
from moldau.broker.coordinator.group.streams.configured import Configured
from moldau.broker.coordinator.group.streams.member import StreamsMember, StreamsState
from moldau.broker.coordinator.group.streams.records import group_tombstones, owned_tasks
from moldau.broker.coordinator.group.streams.tasks import OwnedTasks, TaskId, Tasks, task_map
from moldau.broker.coordinator.group.streams.topology import read_topics
from moldau.broker.coordinator.shard import StoredRecord
from moldau.errors import KafkaError
from moldau.protocol.messages.stored.streams_group import (
    StreamsGroupCurrentMemberAssignmentValue,
    StreamsGroupMemberMetadataValue,
    StreamsGroupMetadataValue,
    StreamsGroupTargetAssignmentMemberValue,
    StreamsGroupTopologyValue,
)
from moldau.protocol.wire.error_codes import ErrorCode

_NO_MEMBER = StreamsMember("")


class StreamsGroup(EpochGroup[StreamsMember]):
    """One group; `heartbeat` and its kin decide what becomes of it."""

    def __init__(self, group_id: str) -> None:
        super().__init__(group_id)
        self.validated_topology_epoch = 0
        self.assignment_configs: Mapping[str, str] = {}
        """With which the last target was made."""
        self.topology: StreamsGroupTopologyValue | None = None
        self.targets: dict[str, Tasks] = {}
        self._active: Counter[TaskId] = Counter()
        self._in_process: Counter[tuple[str, TaskId]] = Counter()
        # Volatile.
        self.configured: Configured | None = None
        self.endpoint_epoch = 0
        """Rises when it changes who can be queried for what."""
        self.stopped_by: str | None = None
        """The member that asks the whole application to stop."""

    # What every kind of group answers.

    @property
    def group_type(self) -> GroupType:
        return GroupType.STREAMS

    @property
    def protocol_type(self) -> str:
        return "streams"

    @property
    def state_name(self) -> str:
        topology_epoch = None if self.topology is None else self.topology.epoch
        if self.members and topology_epoch != self.validated_topology_epoch:
            return "NotReady"
        return super().state_name

    def check_commit_of(self, member_id: str, epoch: int, asked: Committed) -> None:
        """An older epoch will do if the member has had the task that reads it since then."""
        reader = self._reader_of(asked.topic)
        since = None
        if reader is not None:
            since = self.member(member_id).epoch_of(reader, asked.partition)
        if since is None or epoch < since:
            raise KafkaError(
                ErrorCode.STALE_MEMBER_EPOCH,
                f"Member {member_id} did not have the task in epoch {epoch}.",
            )

    def _reader_of(self, topic: str) -> str | None:
        """The subtopology that reads a topic; of several the last."""
        found = None
        for one in [] if self.topology is None else self.topology.subtopologies:
            if topic in read_topics(one):
                found = one.subtopology_id
        return found

    def is_subscribed_to(self, topic: str) -> bool:
        if self.is_empty or self.topology is None:
            return False
        return any(topic in read_topics(one) for one in self.topology.subtopologies)

    def tombstones(self) -> list[StoredRecord]:
        return group_tombstones(self.group_id, list(self.members))

    # Finding.

    def is_active(self, task: TaskId) -> bool:
        """Whether a member runs this task actively, or has not let go of it yet."""
        return task in self._active

    def is_in_process(self, process_id: str, task: TaskId) -> bool:
        """Whether this process has the task in any role."""
        return (process_id, task) in self._in_process

    # Applied records.

    def apply_group(self, value: StreamsGroupMetadataValue) -> None:
        self.epoch, self.metadata_hash = value.epoch, value.metadata_hash
        self.validated_topology_epoch = value.validated_topology_epoch
        configs = value.last_assignment_configs or []
        self.assignment_configs = {config.key: config.value for config in configs}

    def apply_topology(self, value: StreamsGroupTopologyValue | None) -> None:
        self.topology = value

    def apply_member(self, member_id: str, value: StreamsGroupMemberMetadataValue | None) -> None:
        if value is None:
            self._remove(member_id)
            return
        endpoint = value.user_endpoint
        member = replace(
            self.members.get(member_id, StreamsMember(member_id)),
            instance_id=value.instance_id,
            rack_id=value.rack_id,
            client_id=value.client_id,
            client_host=value.client_host,
            rebalance_timeout_ms=value.rebalance_timeout_ms,
            topology_epoch=value.topology_epoch,
            process_id=value.process_id,
            endpoint=None if endpoint is None else (endpoint.host, endpoint.port),
            client_tags={tag.key: tag.value for tag in value.client_tags},
        )
        self._put(member)

    def apply_target(
        self, member_id: str, value: StreamsGroupTargetAssignmentMemberValue | None
    ) -> None:
        if value is None:
            self.targets.pop(member_id, None)
        else:
            self.targets[member_id] = Tasks(
                task_map(value.active_tasks),
                task_map(value.standby_tasks),
                task_map(value.warmup_tasks),
            )

    def apply_current(
        self, member_id: str, value: StreamsGroupCurrentMemberAssignmentValue | None
    ) -> None:
        known = self.members.get(member_id)
        if value is None:
            if known is not None:
                nothing = OwnedTasks()
                left = replace(
                    known, epoch=-1, previous_epoch=-1, assigned=nothing, to_revoke=nothing
                )
                self._put(left)
            return
        member = replace(
            known or StreamsMember(member_id),
            epoch=value.member_epoch,
            previous_epoch=value.previous_member_epoch,
            state=StreamsState.read(value.state),
            assigned=owned_tasks(
                value.active_tasks, value.standby_tasks, value.warmup_tasks, value.member_epoch
            ),
            to_revoke=owned_tasks(
                value.active_tasks_pending_revocation,
                value.standby_tasks_pending_revocation,
                value.warmup_tasks_pending_revocation,
                value.member_epoch,
            ),
        )
        self._put(member)

    def _put(self, member: StreamsMember) -> None:
        self._count(self.members.get(member.member_id, _NO_MEMBER), -1)
        self.members[member.member_id] = member
        self._count(member, 1)

    def _remove(self, member_id: str) -> None:
        member = self.members.pop(member_id, None)
        if member is not None:
            self._count(member, -1)
        if not self.members:
            self.stopped_by = None

    def _count(self, member: StreamsMember, change: int) -> None:
        """How often each task is somewhere; what is nowhere is not counted."""
        for owned in (member.assigned, member.to_revoke):
            for task, is_active in _each(owned):
                place = member.process_id, task
                self._in_process[place] += change
                if not self._in_process[place]:
                    del self._in_process[place]
                if is_active:
                    self._active[task] += change
                    if not self._active[task]:
                        del self._active[task]


def _each(owned: OwnedTasks) -> Iterator[tuple[TaskId, bool]]:
    """Every task, and whether it is active."""
    tasks = owned.plain()
    for role in (tasks.active, tasks.standby, tasks.warmup):
        for subtopology_id, partitions in role.items():
            for partition in partitions:
                yield TaskId(subtopology_id, partition), role is tasks.active
