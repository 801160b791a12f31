"""A ConsumerGroupHeartbeat that contradicts itself, or lacks a field it needs, is refused."""

from __future__ import annotations

from collections.abc import Collection

from moldau.broker.coordinator.group.consumer.member import LEFT, LEFT_FOR_LATER
from moldau.errors import KafkaError
from moldau.protocol.messages.group.consumer_group_heartbeat import ConsumerGroupHeartbeatRequest
from moldau.protocol.wire.error_codes import ErrorCode

MEMBERS_NAME_THEMSELVES = 1
"""From this version on clients make up their own member ids."""


def check_heartbeat(
    request: ConsumerGroupHeartbeatRequest, version: int, assignors: Collection[str]
) -> None:
    _check_names(request, version)
    if request.member_epoch == 0:
        _check_join(request)
    elif request.member_epoch == LEFT_FOR_LATER and request.instance_id is None:
        raise _invalid("only static members leave for later: the instance id is missing")
    elif request.member_epoch < LEFT_FOR_LATER:
        raise _invalid(f"member epoch {request.member_epoch} means nothing: -2 is the least")
    assignor = request.server_assignor
    if assignor is not None and assignor not in assignors:
        raise KafkaError(
            ErrorCode.UNSUPPORTED_ASSIGNOR,
            f"Assignor {assignor} is not supported; {', '.join(assignors)} are.",
        )


def _check_names(request: ConsumerGroupHeartbeatRequest, version: int) -> None:
    has_id = request.member_epoch > 0 or request.member_epoch == LEFT
    if (version >= MEMBERS_NAME_THEMSELVES or has_id) and not request.member_id.strip():
        raise _invalid("the member id is missing")
    names = {
        "group id": request.group_id,
        "instance id": request.instance_id,
        "rack id": request.rack_id,
    }
    for what, text in names.items():
        if text is not None and not text.strip():
            raise _invalid(f"the {what} is empty")


def _check_join(request: ConsumerGroupHeartbeatRequest) -> None:
    if request.rebalance_timeout_ms == -1:
        raise _invalid("who joins has to say its rebalance timeout")
    if request.topic_partitions is None or request.topic_partitions:
        raise _invalid("who joins has no partitions yet, and has to say so")
    if request.subscribed_topic_names is None and request.subscribed_topic_regex is None:
        raise _invalid("who joins has to say which topics it reads, by names or by a pattern")


def _invalid(message: str) -> KafkaError:
    return KafkaError(ErrorCode.INVALID_REQUEST, f"The heartbeat is refused: {message}.")
