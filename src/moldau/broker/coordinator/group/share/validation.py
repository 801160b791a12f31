"""A ShareGroupHeartbeat that contradicts itself, or lacks a field it needs, is refused."""

from __future__ import annotations

from moldau.broker.coordinator.group.share.member import JOINS, LEFT
from moldau.errors import KafkaError
from moldau.protocol.messages.share.share_group_heartbeat import ShareGroupHeartbeatRequest
from moldau.protocol.wire.error_codes import ErrorCode


def check_heartbeat(request: ShareGroupHeartbeatRequest) -> None:
    """Refuse what makes no sense, whatever the group."""
    if not request.group_id.strip():
        raise KafkaError(ErrorCode.INVALID_REQUEST, "GroupId can't be empty.")
    if not request.member_id.strip():
        raise KafkaError(ErrorCode.INVALID_REQUEST, "MemberId can't be empty.")
    if request.rack_id is not None and not request.rack_id.strip():
        raise KafkaError(ErrorCode.INVALID_REQUEST, "RackId can't be empty.")
    if request.member_epoch < LEFT:
        raise KafkaError(ErrorCode.INVALID_REQUEST, "MemberEpoch is invalid.")
    if request.member_epoch == JOINS and not request.subscribed_topic_names:
        raise KafkaError(
            ErrorCode.INVALID_REQUEST, "SubscribedTopicNames must be set in first request."
        )
