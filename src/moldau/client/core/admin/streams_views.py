"""Groups of Kafka Streams, with topology, members and tasks (KIP-1071)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from moldau.client.core.admin.calls import AdminCall
from moldau.client.core.admin.choices import AccessOperation, operations_of
from moldau.client.core.admin.cluster import ClusterNode
from moldau.client.core.admin.declared import declared
from moldau.client.core.admin.group_views import coordinator_of
from moldau.client.core.admin.groups import describe_rows
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.core.dialogue import Dialogue
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.streams.streams_group_describe import (
    StreamsGroupDescribeRequest,
    StreamsGroupDescribeResponse,
)

__all__ = [
    "StreamsGroupView",
    "StreamsMember",
    "StreamsTasks",
    "Subtopology",
    "SubtopologyTopic",
    "Task",
    "describe_streams_groups",
]

Row = StreamsGroupDescribeResponse.DescribedGroup


class Task(NamedTuple):
    """A subtopology's work on one partition."""

    subtopology: str
    partition: int

    def __str__(self) -> str:
        return f"{self.subtopology}_{self.partition}"


@dataclass(frozen=True, slots=True)
class StreamsTasks:
    """What a member runs, or shall run."""

    active: tuple[Task, ...]
    standby: tuple[Task, ...]
    warmup: tuple[Task, ...]


@dataclass(frozen=True, slots=True)
class SubtopologyTopic:
    """A topic that the application keeps for itself."""

    name: str
    partitions: int
    """0 where no number is asked for."""
    replication_factor: int
    """0: the cluster's default."""
    configs: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Subtopology:
    """A part of the topology, which reads its partitions together."""

    subtopology: str
    source_topics: tuple[str, ...]
    repartition_sink_topics: tuple[str, ...]
    changelog_topics: tuple[SubtopologyTopic, ...]
    repartition_source_topics: tuple[SubtopologyTopic, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamsMember:
    """A thread of the application."""

    member_id: str
    epoch: int
    client_id: str
    host: str
    instance_id: str | None
    rack_id: str | None
    topology_epoch: int
    process_id: str
    user_endpoint: str | None
    client_tags: Mapping[str, str]
    task_offsets: Mapping[Task, int]
    task_end_offsets: Mapping[Task, int]
    assignment: StreamsTasks
    target: StreamsTasks
    is_classic: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamsGroupView:
    """A streams group, as its coordinator sees it."""

    group_id: str
    state: str
    epoch: int
    assignment_epoch: int
    topology_epoch: int | None
    subtopologies: tuple[Subtopology, ...]
    members: tuple[StreamsMember, ...]
    coordinator: ClusterNode | None = None
    operations: frozenset[AccessOperation] | None = None


@declared
def describe_streams_groups(
    call: AdminCall, names: str | Iterable[str], *, operations: bool = False
) -> Dialogue[Outcomes[str, StreamsGroupView]]:
    def request(names: Sequence[str]) -> StreamsGroupDescribeRequest:
        return StreamsGroupDescribeRequest(
            group_ids=list(names), include_authorized_operations=operations
        )

    return describe_rows(call, names, "describing streams groups", request, _view)


def _view(call: AdminCall, row: Row) -> StreamsGroupView:
    topology = row.topology
    parts = [] if topology is None else topology.subtopologies or []
    return StreamsGroupView(
        group_id=row.group_id,
        state=row.group_state,
        epoch=row.group_epoch,
        assignment_epoch=row.assignment_epoch,
        topology_epoch=None if topology is None else topology.epoch,
        subtopologies=tuple(_subtopology(part) for part in parts),
        members=tuple(_member(member) for member in row.members),
        coordinator=coordinator_of(call, row.group_id),
        operations=operations_of(row.authorized_operations),
    )


def _subtopology(row: Row.Topology.Subtopology) -> Subtopology:
    return Subtopology(
        row.subtopology_id,
        tuple(row.source_topics),
        tuple(row.repartition_sink_topics),
        tuple(_topic(topic) for topic in row.state_changelog_topics),
        tuple(_topic(topic) for topic in row.repartition_source_topics),
    )


def _topic(row: StreamsGroupDescribeResponse.TopicInfo) -> SubtopologyTopic:
    configs = {pair.key: pair.value for pair in row.topic_configs}
    return SubtopologyTopic(row.name, row.partitions, row.replication_factor, configs)


def _member(row: Row.Member) -> StreamsMember:
    endpoint = row.user_endpoint
    return StreamsMember(
        member_id=row.member_id,
        epoch=row.member_epoch,
        client_id=row.client_id,
        host=row.client_host,
        instance_id=row.instance_id,
        rack_id=row.rack_id,
        topology_epoch=row.topology_epoch,
        process_id=row.process_id,
        user_endpoint=None if endpoint is None else f"{endpoint.host}:{endpoint.port}",
        client_tags={pair.key: pair.value for pair in row.client_tags},
        task_offsets=_offsets(row.task_offsets),
        task_end_offsets=_offsets(row.task_end_offsets),
        assignment=_tasks(row.assignment),
        target=_tasks(row.target_assignment),
        is_classic=row.is_classic,
    )


def _offsets(rows: Iterable[StreamsGroupDescribeResponse.TaskOffset]) -> dict[Task, int]:
    return {Task(row.subtopology_id, row.partition): row.offset for row in rows}


def _tasks(row: StreamsGroupDescribeResponse.Assignment) -> StreamsTasks:
    return StreamsTasks(
        _listed(row.active_tasks), _listed(row.standby_tasks), _listed(row.warmup_tasks)
    )


def _listed(rows: Iterable[StreamsGroupDescribeResponse.TaskIds]) -> tuple[Task, ...]:
    return tuple(Task(row.subtopology_id, number) for row in rows for number in row.partitions)
