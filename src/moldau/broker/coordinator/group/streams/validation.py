"""A StreamsGroupHeartbeat that contradicts itself, or needs what is not there yet, is refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from moldau.broker.coordinator.group.streams.tasks import TaskIds
from moldau.errors import KafkaError
from moldau.protocol.messages.streams.streams_group_heartbeat import StreamsGroupHeartbeatRequest
from moldau.protocol.wire.error_codes import ErrorCode

LEAVES_FOR_LATER = -2
ROLES = ("ActiveTasks", "StandbyTasks", "WarmupTasks")
"""As Kafka names them in its refusals."""


def check_heartbeat(request: StreamsGroupHeartbeatRequest) -> None:
    _check_supported(request)
    names = {
        "MemberId": request.member_id,
        "GroupId": request.group_id,
        "RackId": request.rack_id,
    }
    for what, text in names.items():
        if text is not None and not text.strip():
            raise _invalid(f"{what} can't be empty.")
    if request.member_epoch == 0:
        _check_join(request)
    elif request.member_epoch == LEAVES_FOR_LATER:
        raise _invalid("InstanceId can't be null.")
    elif request.member_epoch < LEAVES_FOR_LATER:
        epoch = request.member_epoch
        raise _invalid(f"MemberEpoch is {epoch}, but must be greater than or equal to -2.")
    elif request.topology is not None:
        raise _invalid("Topology can only be provided when (re-)joining.")
    given = [one is not None for one in _all_tasks(request)]
    if any(given) and not all(given):
        raise _invalid("If one task-type is non-null, all must be non-null.")


def _check_supported(request: StreamsGroupHeartbeatRequest) -> None:
    if request.instance_id is not None:
        raise _invalid("Static members are not supported yet.")
    if request.task_offsets is not None:
        raise _invalid("TaskOffsets are not supported yet.")
    if request.task_end_offsets is not None:
        raise _invalid("TaskEndOffsets are not supported yet.")
    if request.warmup_tasks:
        raise _invalid("WarmupTasks are not supported yet.")
    topology = request.topology
    if topology is not None and any(one.source_topic_regex for one in topology.subtopologies):
        raise _invalid("Regular expressions for source topics are not supported yet.")


def _check_join(request: StreamsGroupHeartbeatRequest) -> None:
    if request.rebalance_timeout_ms == -1:
        raise _invalid("RebalanceTimeoutMs must be provided in first request.")
    for role, tasks in zip(ROLES, _all_tasks(request), strict=True):
        if tasks is None or tasks:
            raise _invalid(f"{role} must be empty when (re-)joining.")
    if request.topology is None:
        raise _invalid("Topology must be non-null when (re-)joining.")
    for one in request.topology.subtopologies:
        for topic in one.state_changelog_topics:
            if topic.partitions:
                raise KafkaError(
                    ErrorCode.STREAMS_INVALID_TOPOLOGY,
                    f"Changelog {topic.name} cannot choose its number of partitions.",
                )


def _all_tasks(
    request: StreamsGroupHeartbeatRequest,
) -> tuple[list[StreamsGroupHeartbeatRequest.TaskIds] | None, ...]:
    return request.active_tasks, request.standby_tasks, request.warmup_tasks


def check_tasks(given: Iterable[TaskIds], task_counts: Mapping[str, int]) -> None:
    """Tasks that a member reports to run have to be tasks of the topology."""
    for entry in given:
        count = task_counts.get(entry.subtopology_id)
        if count is None:
            raise _invalid(f"Subtopology {entry.subtopology_id} does not exist in the topology.")
        for one in entry.partitions:
            if not 0 <= one < count:
                raise _invalid(
                    f"Task {one} for subtopology {entry.subtopology_id} is invalid. Number of "
                    f"tasks for this subtopology: {count}"
                )


def _invalid(message: str) -> KafkaError:
    return KafkaError(ErrorCode.INVALID_REQUEST, message)
