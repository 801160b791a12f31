"""A static member is back without its member id: it takes its own place again (KIP-345).

Its predecessor is fenced: whatever waits under the old id ends, and requests under it are refused
from now on. In a stable group that would choose the same protocol again nothing else happens: the
new id is written down, and the others do not notice. The leader is then asked to keep the
assignment as it is (KIP-814); clients without that field see the old leader's name, so that they
do not take themselves for the leader. In any other state it joins the rebalance, or begins one.
"""

from __future__ import annotations

from collections.abc import Iterable

from moldau.broker.coordinator.group.classic.answers import dismiss, join_answer, join_refusal
from moldau.broker.coordinator.group.classic.join_attempt import JoinAttempt
from moldau.broker.coordinator.group.classic.member import (
    ClassicMember,
    chosen_protocol,
    protocols_of_all,
)
from moldau.broker.coordinator.group.classic.rebalance import Rebalance
from moldau.broker.coordinator.group.classic.states import ClassicState
from moldau.broker.coordinator.group.classic.stored import group_record
from moldau.broker.coordinator.shard import Reply
from moldau.protocol.messages.group.join_group import JoinGroupResponse
from moldau.protocol.wire.error_codes import ErrorCode

SKIPS_ASSIGNMENT = 9
"""From this version on a leader can be asked to keep the assignment."""


def succeed(attempt: JoinAttempt, old: ClassicMember, member_id: str, rebalance: Rebalance) -> None:
    """Take the place of `old` under the new id."""
    group, draft, now_ms = attempt.group, attempt.draft, attempt.now_ms
    successor = attempt.as_member(member_id)
    successor.assignment = old.assignment
    dismiss(old, ErrorCode.FENCED_INSTANCE_ID, draft, old.member_id)
    members = [successor if one is old else one for one in group.members.values()]
    if group.state is ClassicState.STABLE and _chosen(members) == group.protocol_name:
        _succeed_quietly(attempt, old, successor, members)
        rebalance.sessions.touch_session(group, successor, now_ms)
        return
    group.replace(old, successor)
    rebalance.sessions.end(group, old.member_id)
    rebalance.sessions.touch_session(group, successor, now_ms)
    successor.joining = attempt.asking.ticket
    rebalance.proceed(group, draft, now_ms)


def _chosen(members: list[ClassicMember]) -> str | None:
    return chosen_protocol(members) if protocols_of_all(members) else None


def _succeed_quietly(
    attempt: JoinAttempt, old: ClassicMember, successor: ClassicMember, members: list[ClassicMember]
) -> None:
    """Write the new id down; the record puts the successor into its place."""
    group, member_id = attempt.group, successor.member_id
    group.replacements[member_id] = successor
    leader_id = member_id if group.is_leader(old.member_id) else group.leader_id
    assignment_of = {one.member_id: one.assignment for one in members}
    attempt.draft.records.append(group_record(group, members, assignment_of, leader_id))

    def undo(code: ErrorCode) -> Iterable[Reply]:
        group.replacements.pop(member_id, None)
        return [Reply(attempt.asking.ticket, join_refusal("", code))]

    attempt.draft.undo.append(undo)
    attempt.answer(_quiet_answer(attempt, member_id, leader_id, members))


def _quiet_answer(
    attempt: JoinAttempt, member_id: str, leader_id: str | None, members: list[ClassicMember]
) -> JoinGroupResponse:
    if attempt.asking.version < SKIPS_ASSIGNMENT:
        return join_answer(attempt.group, member_id, listed=())
    leads = member_id == leader_id
    return join_answer(
        attempt.group,
        member_id,
        leader_id=leader_id,
        listed=members if leads else (),
        skips_assignment=leads,
    )
