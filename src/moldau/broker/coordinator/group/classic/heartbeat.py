"""Heartbeat: a member lives, and gets whether it has to join again."""

from __future__ import annotations

from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.coordinator.group.classic.sessions import Sessions
from moldau.broker.coordinator.group.classic.states import ClassicState
from moldau.broker.coordinator.group.groups import Groups
from moldau.broker.coordinator.shard import Decision, Reply, RequestContext
from moldau.errors import KafkaError
from moldau.protocol.messages.group.heartbeat import HeartbeatRequest, HeartbeatResponse
from moldau.protocol.wire.error_codes import ErrorCode


class Heartbeats:
    """Answers Heartbeat for classic groups."""

    def __init__(self, groups: Groups, sessions: Sessions) -> None:
        self._groups = groups
        self._sessions = sessions

    def heartbeat(self, request: HeartbeatRequest, asking: RequestContext, now_ms: int) -> Decision:
        """Set the session anew; while a rebalance is prepared the member is called back."""
        try:
            code = self._beat(request, now_ms)
        except KafkaError as error:
            code = error.code
        response = HeartbeatResponse(throttle_time_ms=0, error_code=code)
        return Decision(replies=[Reply(asking.ticket, response)])

    def _beat(self, request: HeartbeatRequest, now_ms: int) -> int:
        group = self._groups.by_id.get(request.group_id)
        if not isinstance(group, ClassicGroup):
            return ErrorCode.UNKNOWN_MEMBER_ID
        group.check_member(request.member_id, request.group_instance_id)
        if request.generation_id != group.generation:
            return ErrorCode.ILLEGAL_GENERATION
        self._sessions.touch_session(group, group.members[request.member_id], now_ms)
        if group.state is ClassicState.PREPARING:
            return ErrorCode.REBALANCE_IN_PROGRESS
        return ErrorCode.NONE
