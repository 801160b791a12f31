"""A StreamsGroupHeartbeat that contradicts itself, or needs what is not there yet, is refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from moldau.broker.coordinator.group.streams.tasks import TaskIds
from moldau.errors import KafkaError
from moldau.protocol.messages.streams.streams_group_heartbeat import StreamsGroupHeartbeatRequest
from moldau.protocol.wire.error_codes import ErrorCode

LEAVES_FOR_LATER = -2


def check_heartbeat(request: StreamsGroupHeartbeatRequest) -> None:
    _check_supported(request)
    names = {
        "member id": request.member_id,
        "group id": request.group_id,
        "rack id": request.rack_id,
    }
    for what, text in names.items():
        if text is not None and not text.strip():
            raise _invalid(f"the {what} is empty")
    if request.member_epoch == 0:
        _check_join(request)
    elif request.member_epoch == LEAVES_FOR_LATER:
        raise _invalid("only static members leave for later: the instance id is missing")
    elif request.member_epoch < LEAVES_FOR_LATER:
        raise _invalid(f"member epoch {request.member_epoch} means nothing")
    elif request.topology is not None:
        raise _invalid("the topology is given on joining only")
    given = [one is not None for one in _all_tasks(request)]
    if any(given) and not all(given):
        raise _invalid("tasks are given in all three roles or in none")


def _check_supported(request: StreamsGroupHeartbeatRequest) -> None:
    if request.instance_id is not None:
        raise _invalid("members of streams groups cannot be static yet")
    if request.task_offsets is not None or request.task_end_offsets is not None:
        raise _invalid("offsets of tasks are not supported yet")
    if request.warmup_tasks:
        raise _invalid("warm-up tasks are not supported yet")
    topology = request.topology
    if topology is not None and any(one.source_topic_regex for one in topology.subtopologies):
        raise _invalid("patterns of source topics are not supported yet")


def _check_join(request: StreamsGroupHeartbeatRequest) -> None:
    if request.rebalance_timeout_ms == -1:
        raise _invalid("who joins has to say its rebalance timeout")
    if any(tasks is None or tasks for tasks in _all_tasks(request)):
        raise _invalid("who joins has no tasks yet, and has to say so")
    if request.topology is None:
        raise _invalid("who joins has to say the topology")
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
            raise _invalid(f"there is no subtopology {entry.subtopology_id}")
        if not all(0 <= one < count for one in entry.partitions):
            raise _invalid(f"subtopology {entry.subtopology_id} has {count} tasks")


def _invalid(why: str) -> KafkaError:
    return KafkaError(ErrorCode.INVALID_REQUEST, f"The heartbeat is refused: {why}.")
