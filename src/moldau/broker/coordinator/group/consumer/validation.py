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
    """Refuse it with Kafka's own sentence: clients show it, and scripts look for it."""
    _check_names(request, version)
    if request.member_epoch == 0:
        _check_join(request)
    elif request.member_epoch == LEFT_FOR_LATER and request.instance_id is None:
        raise _invalid("InstanceId can't be null.")
    elif request.member_epoch < LEFT_FOR_LATER:
        epoch = request.member_epoch
        raise _invalid(f"MemberEpoch is {epoch}, but must be greater than or equal to -2.")
    assignor = request.server_assignor
    if assignor is not None and assignor not in assignors:
        raise KafkaError(
            ErrorCode.UNSUPPORTED_ASSIGNOR,
            f"ServerAssignor {assignor} is not supported. "
            f"Supported assignors: {', '.join(assignors)}.",
        )


def _check_names(request: ConsumerGroupHeartbeatRequest, version: int) -> None:
    has_id = request.member_epoch > 0 or request.member_epoch == LEFT
    if (version >= MEMBERS_NAME_THEMSELVES or has_id) and not request.member_id.strip():
        raise _invalid("MemberId can't be empty.")
    names = {
        "GroupId": request.group_id,
        "InstanceId": request.instance_id,
        "RackId": request.rack_id,
    }
    for what, text in names.items():
        if text is not None and not text.strip():
            raise _invalid(f"{what} can't be empty.")


def _check_join(request: ConsumerGroupHeartbeatRequest) -> None:
    if request.rebalance_timeout_ms == -1:
        raise _invalid("RebalanceTimeoutMs must be provided in first request.")
    if request.topic_partitions is None or request.topic_partitions:
        raise _invalid("TopicPartitions must be empty when (re-)joining.")
    if request.subscribed_topic_names is None and request.subscribed_topic_regex is None:
        raise _invalid(
            "Either SubscribedTopicNames or SubscribedTopicRegex must be non-null when "
            "(re-)joining."
        )


def _invalid(message: str) -> KafkaError:
    return KafkaError(ErrorCode.INVALID_REQUEST, message)
