"""SyncGroup: ask for the assignment of the generation; the leader brings it for all.

A member that asks early waits for the leader. What the leader brings is written to the log before
any member gets it; if that fails, all are called back to join.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from moldau.broker.coordinator.group.classic.answers import end_sync, sync_answer, sync_refusal
from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.coordinator.group.classic.rebalance import Rebalance
from moldau.broker.coordinator.group.classic.states import ClassicState
from moldau.broker.coordinator.group.classic.stored import group_record
from moldau.broker.coordinator.group.draft import Draft
from moldau.broker.coordinator.group.groups import Groups
from moldau.broker.coordinator.shard import Decision, Reply, RequestContext
from moldau.errors import KafkaError
from moldau.protocol.messages.group.sync_group import SyncGroupRequest
from moldau.protocol.wire.error_codes import ErrorCode


class RebalanceCompleted(NamedTuple):
    """An effect, for metrics: a classic group has its assignments."""

    group_id: str


class Syncs:
    """Answers SyncGroup for classic groups."""

    def __init__(self, groups: Groups, rebalance: Rebalance) -> None:
        self._groups = groups
        self._rebalance = rebalance

    def sync(self, request: SyncGroupRequest, asking: RequestContext, now_ms: int) -> Decision:
        draft = Draft()
        try:
            self._sync(self._checked(request), request, asking, draft, now_ms)
        except KafkaError as error:
            draft.reply(asking.ticket, sync_refusal(error.code))
        return draft.decision()

    def _checked(self, request: SyncGroupRequest) -> ClassicGroup:
        """The group, if this member may ask for an assignment of this generation."""
        group = self._groups.by_id.get(request.group_id)
        if not isinstance(group, ClassicGroup):
            raise KafkaError(ErrorCode.UNKNOWN_MEMBER_ID)
        group.check_member(request.member_id, request.group_instance_id)
        if request.generation_id != group.generation:
            raise KafkaError(ErrorCode.ILLEGAL_GENERATION)
        names = (request.protocol_type, request.protocol_name)
        chosen = (group.group_protocol_type, group.protocol_name)
        for named, known in zip(names, chosen, strict=True):
            if named is not None and known is not None and named != known:
                raise KafkaError(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
        return group

    def _sync(
        self,
        group: ClassicGroup,
        request: SyncGroupRequest,
        asking: RequestContext,
        draft: Draft,
        now_ms: int,
    ) -> None:
        member = group.members[request.member_id]
        if group.state is ClassicState.PREPARING:
            raise KafkaError(ErrorCode.REBALANCE_IN_PROGRESS)
        self._rebalance.synced(group, member.member_id)
        if group.state is ClassicState.STABLE:
            draft.reply(asking.ticket, sync_answer(group, member.assignment))
            self._rebalance.sessions.touch_session(group, member, now_ms)
            return
        end_sync(member, sync_refusal(ErrorCode.REBALANCE_IN_PROGRESS), draft)
        member.syncing = asking.ticket
        if group.is_leader(member.member_id):
            self._distribute(group, request, draft, now_ms)

    def _distribute(
        self, group: ClassicGroup, request: SyncGroupRequest, draft: Draft, now_ms: int
    ) -> None:
        """Write down what each member gets, and answer the members that wait for it."""
        assignments = {one.member_id: bytes(one.assignment) for one in request.assignments}
        members = group.members.values()
        draft.records.append(group_record(group, members, assignments))
        for member in members:
            assignment = assignments.get(member.member_id, b"")
            if end_sync(member, sync_answer(group, assignment), draft):
                self._rebalance.sessions.touch_session(group, member, now_ms)

        def undo(code: ErrorCode) -> Iterable[Reply]:
            again = Draft()
            self._rebalance.prepare(group, again, now_ms)
            return again.replies

        draft.undo.append(undo)
        draft.effects.append(RebalanceCompleted(group.group_id))
