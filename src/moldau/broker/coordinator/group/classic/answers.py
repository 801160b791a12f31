"""The answers of the classic protocol, and how waiting members get theirs."""

from __future__ import annotations

from collections.abc import Iterable

from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.coordinator.group.classic.member import ClassicMember
from moldau.broker.coordinator.group.draft import Draft
from moldau.protocol.messages.group.join_group import JoinGroupResponse
from moldau.protocol.messages.group.sync_group import SyncGroupResponse
from moldau.protocol.wire.error_codes import ErrorCode


def join_refusal(member_id: str, code: int) -> JoinGroupResponse:
    return JoinGroupResponse(
        throttle_time_ms=0,
        error_code=code,
        protocol_name=None,
        leader="",
        member_id=member_id,
        members=[],
    )


def join_answer(
    group: ClassicGroup,
    member_id: str,
    *,
    leader_id: str | None = None,
    listed: Iterable[ClassicMember] | None = None,
    skips_assignment: bool = False,
) -> JoinGroupResponse:
    """The generation that is; its leader gets the list of members, or those in `listed` do."""
    if listed is None:
        listed = group.members.values() if group.is_leader(member_id) else ()
    return JoinGroupResponse(
        throttle_time_ms=0,
        error_code=ErrorCode.NONE,
        generation_id=group.generation,
        protocol_type=group.group_protocol_type,
        protocol_name=group.protocol_name,
        leader=leader_id or group.leader_id or "",
        skip_assignment=skips_assignment,
        member_id=member_id,
        members=[_listed(member, group.protocol_name) for member in listed],
    )


def _listed(
    member: ClassicMember, protocol_name: str | None
) -> JoinGroupResponse.JoinGroupResponseMember:
    return JoinGroupResponse.JoinGroupResponseMember(
        member_id=member.member_id,
        group_instance_id=member.instance_id,
        metadata=member.metadata(protocol_name),
    )


def sync_refusal(code: int) -> SyncGroupResponse:
    return SyncGroupResponse(throttle_time_ms=0, error_code=code, assignment=b"")


def sync_answer(group: ClassicGroup, assignment: bytes) -> SyncGroupResponse:
    return SyncGroupResponse(
        throttle_time_ms=0,
        error_code=ErrorCode.NONE,
        protocol_type=group.group_protocol_type,
        protocol_name=group.protocol_name,
        assignment=assignment,
    )


def end_join(member: ClassicMember, response: JoinGroupResponse, draft: Draft) -> None:
    """Answer the member's join, if it waits for one."""
    if member.joining is not None:
        draft.reply(member.joining, response)
        member.joining = None


def end_sync(member: ClassicMember, response: SyncGroupResponse, draft: Draft) -> bool:
    """Answer the member's sync, if it waits for one."""
    if member.syncing is None:
        return False
    draft.reply(member.syncing, response)
    member.syncing = None
    return True


def dismiss(member: ClassicMember, code: int, draft: Draft, member_id: str = "") -> None:
    """The member is one no longer: whatever it waits for ends with this code."""
    end_join(member, join_refusal(member_id, code), draft)
    end_sync(member, sync_refusal(code), draft)
