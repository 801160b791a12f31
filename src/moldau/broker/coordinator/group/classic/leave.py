"""LeaveGroup: members that go, or that an administrator sends away by their instance id."""

from __future__ import annotations

from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.coordinator.group.classic.rebalance import Rebalance
from moldau.broker.coordinator.group.draft import Draft
from moldau.broker.coordinator.group.groups import Groups
from moldau.broker.coordinator.shard import Decision, RequestContext
from moldau.errors import KafkaError
from moldau.protocol.messages.group.leave_group import LeaveGroupRequest, LeaveGroupResponse
from moldau.protocol.wire.error_codes import ErrorCode

SEVERAL_MEMBERS = 3
"""From this version on a request names a list of members."""

Identity = LeaveGroupRequest.MemberIdentity


class Leaves:
    """Answers LeaveGroup for classic groups."""

    def __init__(self, groups: Groups, rebalance: Rebalance) -> None:
        self._groups = groups
        self._rebalance = rebalance

    def leave(self, request: LeaveGroupRequest, asking: RequestContext, now_ms: int) -> Decision:
        """Remove each of them; one rebalance is enough for all."""
        draft = Draft()
        members = members_of(request, asking)
        group = self._groups.by_id.get(request.group_id)
        if not isinstance(group, ClassicGroup):
            codes = [int(ErrorCode.UNKNOWN_MEMBER_ID)] * len(members)
            draft.reply(asking.ticket, leave_answer(members, codes, asking))
        else:
            codes = [self._remove(group, member, draft) for member in members]
            if ErrorCode.NONE in codes and not group.is_empty:
                self._rebalance.proceed(group, draft, now_ms)
            draft.reply(asking.ticket, leave_answer(members, codes, asking))
        return draft.decision()

    def _remove(self, group: ClassicGroup, identity: Identity, draft: Draft) -> int:
        member_id, instance_id = identity.member_id, identity.group_instance_id
        if not member_id:
            member_id = group.member_id_of_instance.get(instance_id or "", "")
            if not member_id:
                return ErrorCode.UNKNOWN_MEMBER_ID
        elif member_id not in group.pending_members:
            try:
                group.check_member(member_id, instance_id)
            except KafkaError as error:
                return error.code
        self._rebalance.drop(group, member_id, draft)
        return ErrorCode.NONE


def members_of(request: LeaveGroupRequest, asking: RequestContext) -> list[Identity]:
    """The members that leave, in whichever form the version has them."""
    if asking.version < SEVERAL_MEMBERS:
        return [Identity(member_id=request.member_id)]
    return request.members


def leave_answer(
    members: list[Identity], codes: list[int], asking: RequestContext
) -> LeaveGroupResponse:
    """A code for each member; where there can be one member only, its code is the answer's."""
    if asking.version < SEVERAL_MEMBERS:
        return left([], codes[0])
    return left(
        [
            LeaveGroupResponse.MemberResponse(
                member_id=member.member_id,
                group_instance_id=member.group_instance_id,
                error_code=code,
            )
            for member, code in zip(members, codes, strict=True)
        ],
        ErrorCode.NONE,
    )


def left(members: list[LeaveGroupResponse.MemberResponse], code: int) -> LeaveGroupResponse:
    return LeaveGroupResponse(throttle_time_ms=0, error_code=code, members=members)
