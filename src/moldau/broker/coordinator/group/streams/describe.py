"""StreamsGroupDescribe: a group with its topology, and what its members run and shall run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from moldau.broker.coordinator.group.streams.context import StreamsContext
from moldau.broker.coordinator.group.streams.group import StreamsGroup
from moldau.broker.coordinator.group.streams.member import StreamsMember
from moldau.broker.coordinator.group.streams.tasks import Tasks, sorted_tasks
from moldau.broker.coordinator.group.streams.topology import TopicInfo
from moldau.broker.coordinator.shard import Decision, Reply, RequestContext
from moldau.errors import KafkaError
from moldau.protocol.messages.streams.streams_group_describe import (
    StreamsGroupDescribeRequest,
    StreamsGroupDescribeResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

_Response = StreamsGroupDescribeResponse
_Group = _Response.DescribedGroup


class Descriptions:
    """Answers StreamsGroupDescribe."""

    def __init__(self, context: StreamsContext) -> None:
        self._context = context

    def describe(
        self, request: StreamsGroupDescribeRequest, asking: RequestContext, now_ms: int
    ) -> Decision:
        groups = [self._describe(group_id) for group_id in request.group_ids]
        response = _Response(throttle_time_ms=0, groups=groups)
        return Decision(replies=[Reply(asking.ticket, response)])

    def _describe(self, group_id: str) -> _Group:
        group = self._context.group(group_id)
        if group is None:
            return refused(group_id, self._context.groups.missing(group_id, "streams"))
        return _Group(
            error_code=ErrorCode.NONE,
            group_id=group_id,
            group_state=group.state_name,
            group_epoch=group.epoch,
            assignment_epoch=group.assignment_epoch,
            topology=_topology(group),
            members=[_member(group, member) for member in group.members.values()],
        )


def refused(group_id: str, error: KafkaError) -> _Group:
    """The entry of a group that cannot be described."""
    return _Group(
        error_code=error.code,
        error_message=error.message,
        group_id=group_id,
        group_state="",
        group_epoch=0,
        assignment_epoch=0,
        members=[],
    )


def _topology(group: StreamsGroup) -> _Group.Topology | None:
    if group.topology is None:
        return None
    configured = group.configured
    counts = configured.counts if configured is not None and configured.is_ready else None
    return _Group.Topology(
        epoch=group.topology.epoch,
        subtopologies=[
            _Group.Topology.Subtopology(
                subtopology_id=one.subtopology_id,
                source_topics=sorted(one.source_topics),
                repartition_sink_topics=sorted(one.repartition_sink_topics),
                state_changelog_topics=_topics(one.state_changelog_topics, counts),
                repartition_source_topics=_topics(one.repartition_source_topics, counts),
            )
            for one in group.topology.subtopologies
        ],
    )


def _topics(
    topics: Iterable[TopicInfo], counts: Mapping[str, int] | None
) -> list[_Response.TopicInfo]:
    """With the counts that were decided, where the topology is ready."""
    return [
        _Response.TopicInfo(
            name=topic.name,
            partitions=topic.partitions if counts is None else counts.get(topic.name, 0),
            replication_factor=topic.replication_factor,
            topic_configs=[
                _Response.KeyValue(key=one.key, value=one.value) for one in topic.topic_configs
            ],
        )
        for topic in sorted(topics, key=lambda one: one.name)
    ]


def _member(group: StreamsGroup, member: StreamsMember) -> _Group.Member:
    endpoint = member.endpoint
    return _Group.Member(
        member_id=member.member_id,
        member_epoch=member.epoch,
        instance_id=member.instance_id,
        rack_id=member.rack_id,
        client_id=member.client_id,
        client_host=member.client_host,
        topology_epoch=member.topology_epoch,
        process_id=member.process_id,
        user_endpoint=None
        if endpoint is None
        else _Response.Endpoint(host=endpoint[0], port=endpoint[1]),
        client_tags=[
            _Response.KeyValue(key=key, value=value) for key, value in member.client_tags.items()
        ],
        task_offsets=[],
        task_end_offsets=[],
        assignment=_assignment(member.assigned.plain()),
        target_assignment=_assignment(group.targets.get(member.member_id, Tasks())),
        is_classic=False,
    )


def _assignment(tasks: Tasks) -> _Response.Assignment:
    active, standby, warmup = (
        [
            _Response.TaskIds(subtopology_id=one, partitions=partitions)
            for one, partitions in sorted_tasks(role)
        ]
        for role in (tasks.active, tasks.standby, tasks.warmup)
    )
    return _Response.Assignment(active_tasks=active, standby_tasks=standby, warmup_tasks=warmup)
