"""A new target: which tasks each member shall run."""

from __future__ import annotations

from collections.abc import Mapping

from moldau.broker.coordinator.group.streams.configured import Configured
from moldau.broker.coordinator.group.streams.group import StreamsGroup
from moldau.broker.coordinator.group.streams.member import StreamsMember
from moldau.broker.coordinator.group.streams.records import assignment_epoch_record, target_record
from moldau.broker.coordinator.group.streams.sticky import Runner, Subtopology, assign_sticky
from moldau.broker.coordinator.group.streams.tasks import Tasks
from moldau.broker.coordinator.shard import StoredRecord
from moldau.protocol.messages.stored.streams_group import StreamsGroupTopologyValue

NOTHING_TO_RUN = Tasks()


def retarget(
    group: StreamsGroup,
    members: Mapping[str, StreamsMember],
    topology: StreamsGroupTopologyValue,
    configured: Configured,
    standby_count: int,
) -> dict[str, Tasks]:
    """What each of these members shall run; nothing as long as the topology is not ready."""
    if not configured.is_ready:
        return dict.fromkeys(members, NOTHING_TO_RUN)
    runners = {
        member_id: Runner(member.process_id, group.targets.get(member_id, NOTHING_TO_RUN))
        for member_id, member in members.items()
    }
    return assign_sticky(runners, _subtopologies(topology, configured), standby_count)


def _subtopologies(
    topology: StreamsGroupTopologyValue, configured: Configured
) -> dict[str, Subtopology]:
    stateful = {one.subtopology_id for one in topology.subtopologies if one.state_changelog_topics}
    return {
        subtopology_id: Subtopology(count, subtopology_id in stateful)
        for subtopology_id, count in configured.task_counts.items()
    }


def target_records(
    group: StreamsGroup, targets: Mapping[str, Tasks], epoch: int, now_ms: int
) -> list[StoredRecord]:
    """What is another target than before, and that all of it is of this epoch."""
    changed = [
        target_record(group.group_id, member_id, target)
        for member_id, target in targets.items()
        if group.targets.get(member_id) != target
    ]
    return [*changed, assignment_epoch_record(group.group_id, epoch, now_ms)]
