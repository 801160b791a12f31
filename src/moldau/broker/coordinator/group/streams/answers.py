"""The answers to a StreamsGroupHeartbeat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from moldau.broker.coordinator.group.streams.configured import Status
from moldau.broker.coordinator.group.streams.endpoints import endpoints_of
from moldau.broker.coordinator.group.streams.member import StreamsMember
from moldau.broker.coordinator.group.streams.tasks import sorted_tasks
from moldau.broker.metadata.image import Image
from moldau.errors import KafkaError
from moldau.protocol.messages.stored.streams_group import StreamsGroupTopologyValue
from moldau.protocol.messages.streams.streams_group_heartbeat import (
    StreamsGroupHeartbeatRequest,
    StreamsGroupHeartbeatResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

_Response = StreamsGroupHeartbeatResponse


def accepted(
    member: StreamsMember, interval_ms: int, statuses: Iterable[tuple[Status, str]]
) -> _Response:
    shown = [_Response.Status(status_code=status, status_detail=text) for status, text in statuses]
    return _response(member.member_id, member.epoch, interval_ms, status=shown)


def left(request: StreamsGroupHeartbeatRequest) -> _Response:
    return _response(request.member_id, request.member_epoch, 0, status=[])


def refusal(error: KafkaError) -> _Response:
    return _response("", 0, 0, status=[], code=error.code, message=error.message)


def set_tasks(response: _Response, member: StreamsMember) -> None:
    """What the member has to run."""
    response.active_tasks = _task_ids(member.assigned.active)
    response.standby_tasks = _task_ids(member.assigned.standby)
    response.warmup_tasks = _task_ids(member.assigned.warmup)


def set_endpoints(
    response: _Response,
    members: Mapping[str, StreamsMember],
    topology: StreamsGroupTopologyValue,
    image: Image,
) -> None:
    """Where the state of each partition can be queried."""
    response.partitions_by_user_endpoint = endpoints_of(members.values(), topology, image)


def _task_ids(tasks: Mapping[str, Iterable[int]]) -> list[_Response.TaskIds]:
    return [
        _Response.TaskIds(subtopology_id=one, partitions=partitions)
        for one, partitions in sorted_tasks(tasks)
    ]


def _response(
    member_id: str,
    epoch: int,
    interval_ms: int,
    *,
    status: list[_Response.Status],
    code: int = ErrorCode.NONE,
    message: str | None = None,
) -> _Response:
    return _Response(
        throttle_time_ms=0,
        error_code=code,
        error_message=message,
        member_id=member_id,
        member_epoch=epoch,
        heartbeat_interval_ms=interval_ms,
        acceptable_recovery_lag=0,
        task_offset_interval_ms=0,
        status=status,
        endpoint_information_epoch=0,
    )
