"""What can be refused in a request without looking at a group: whether it makes sense by itself.

It is checked before the coordinator is looked for, as in Kafka: a request that makes no sense gets
the same answer from every broker, and from one that is no coordinator at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from moldau.broker.coordinator.group.consumer import validation as consumer
from moldau.broker.coordinator.group.groups import GroupCoordinatorSettings
from moldau.broker.coordinator.group.share import validation as share
from moldau.broker.coordinator.group.streams import validation as streams
from moldau.errors import KafkaError
from moldau.protocol.messages.group.consumer_group_heartbeat import ConsumerGroupHeartbeatRequest
from moldau.protocol.messages.group.heartbeat import HeartbeatRequest
from moldau.protocol.messages.group.join_group import JoinGroupRequest
from moldau.protocol.messages.group.leave_group import LeaveGroupRequest
from moldau.protocol.messages.group.sync_group import SyncGroupRequest
from moldau.protocol.messages.share.share_group_heartbeat import ShareGroupHeartbeatRequest
from moldau.protocol.messages.streams.streams_group_heartbeat import StreamsGroupHeartbeatRequest
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

NAMES_PROTOCOL = 5
"""From this version on a SyncGroup has the protocol that its member takes for chosen (KIP-559)."""

Check = Callable[[Any, int, GroupCoordinatorSettings], None]
"""Takes the request, its version and the settings."""


def check_request(request: Message, version: int, settings: GroupCoordinatorSettings) -> None:
    """Refuse what makes no sense, whatever the group."""
    check = CHECKS.get(type(request))
    if check is not None:
        check(request, version, settings)


def check_group_id(group_id: str) -> None:
    """Refuse a group without a name."""
    if not group_id:
        raise KafkaError(ErrorCode.INVALID_GROUP_ID, "a group needs a name")


def check_protocol_is_named(request: SyncGroupRequest, version: int) -> None:
    """Looked at even before access, as in Kafka."""
    if version >= NAMES_PROTOCOL and None in (request.protocol_type, request.protocol_name):
        raise KafkaError(
            ErrorCode.INCONSISTENT_GROUP_PROTOCOL, "the protocol's type and name are missing"
        )


def _check_join(
    request: JoinGroupRequest, version: int, settings: GroupCoordinatorSettings
) -> None:
    check_group_id(request.group_id)
    low_ms, high_ms = settings.group_min_session_timeout_ms, settings.group_max_session_timeout_ms
    if not low_ms <= request.session_timeout_ms <= high_ms:
        raise KafkaError(
            ErrorCode.INVALID_SESSION_TIMEOUT,
            f"a session timeout has {low_ms} to {high_ms} ms, as the broker's settings say",
        )


def _check_sync(
    request: SyncGroupRequest, version: int, settings: GroupCoordinatorSettings
) -> None:
    check_protocol_is_named(request, version)
    check_group_id(request.group_id)


def _check_group(
    request: HeartbeatRequest | LeaveGroupRequest, version: int, settings: GroupCoordinatorSettings
) -> None:
    check_group_id(request.group_id)


def _check_consumer(
    request: ConsumerGroupHeartbeatRequest, version: int, settings: GroupCoordinatorSettings
) -> None:
    consumer.check_heartbeat(request, version, settings.group_consumer_assignors)


def _check_share(
    request: ShareGroupHeartbeatRequest, version: int, settings: GroupCoordinatorSettings
) -> None:
    share.check_heartbeat(request)


def _check_streams(
    request: StreamsGroupHeartbeatRequest, version: int, settings: GroupCoordinatorSettings
) -> None:
    streams.check_heartbeat(request)


CHECKS: Mapping[type[Message], Check] = {
    JoinGroupRequest: _check_join,
    SyncGroupRequest: _check_sync,
    HeartbeatRequest: _check_group,
    LeaveGroupRequest: _check_group,
    ConsumerGroupHeartbeatRequest: _check_consumer,
    ShareGroupHeartbeatRequest: _check_share,
    StreamsGroupHeartbeatRequest: _check_streams,
}
