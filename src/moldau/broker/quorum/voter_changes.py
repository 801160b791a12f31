"""Changing who votes, one voter at a time (KIP-853), and beginning to keep it in the log.

A new set is in force when it is appended and must be committed by its own majority before the
next one; old and new majorities overlap because they differ by one voter. Who asks is answered
when the change is committed. A leader that removed itself leads until then, and resigns.
"""

from __future__ import annotations

from moldau.broker.quorum.effects import AppendVoters, RaiseVersion
from moldau.broker.quorum.events import AddVoterAsked, RemoveVoterAsked, UpdateVoterAsked
from moldau.broker.quorum.member import Member
from moldau.broker.quorum.progress import UNKNOWN
from moldau.broker.quorum.roles import Leader
from moldau.broker.quorum.voters import ReplicaKey, Voter, VoterSet
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.types import NULL_UUID

CAUGHT_UP_WITHIN_MS = 3_600_000
"""A node may become a voter if it had all that the leader had at some time in the last hour."""


def on_add_voter(member: Member, event: AddVoterAsked, now_ms: int) -> None:
    """Add a controller that has caught up."""
    error = cannot_begin_to_add(member, event.voter.key) or _cannot_add(member, event, now_ms)
    if error is not None:
        member.answer(event.ticket, error)
        return
    ticket = event.ticket if event.ack_when_committed else None
    _change(member, member.voters.with_voter(event.voter), ticket)
    if ticket is None:
        member.answer(event.ticket, ErrorCode.NONE)


def cannot_begin_to_add(member: Member, key: ReplicaKey) -> ErrorCode | None:
    """Why it is not even worth asking the node what it supports."""
    error = _not_now(member)
    if error is None and key.node_id in member.voters.ids:
        return ErrorCode.DUPLICATE_VOTER
    return error


def _cannot_add(member: Member, event: AddVoterAsked, now_ms: int) -> ErrorCode | None:
    key = event.voter.key
    if not event.voter.kraft_version_min <= member.kraft_version <= event.voter.kraft_version_max:
        return ErrorCode.INVALID_REQUEST
    assert isinstance(member.role, Leader)
    observer = member.role.progress.observers.get(key)
    caught_up_ms = UNKNOWN if observer is None else observer.last_caught_up_ms
    if caught_up_ms == UNKNOWN or caught_up_ms < now_ms - CAUGHT_UP_WITHIN_MS:
        return ErrorCode.REQUEST_TIMED_OUT
    return None


def on_remove_voter(member: Member, event: RemoveVoterAsked, now_ms: int) -> None:
    """Remove a voter, this node itself too; the last one stays."""
    error = _not_now(member)
    if error is None and (not _is_voter(member, event.key) or len(member.voters) == 1):
        error = ErrorCode.VOTER_NOT_FOUND
    if error is not None:
        member.answer(event.ticket, error)
        return
    _change(member, member.voters.without(event.key.node_id), event.ticket)


def on_update_voter(member: Member, event: UpdateVoterAsked, now_ms: int) -> None:
    """Note where a voter is reached, if that is news.

    Configured voters report too, and with it the ids of their disks: the leader keeps those, for
    the day when the voters get into the log.
    """
    error = leader_error(member, event.epoch) or _cannot_update(member, event.voter)
    if error is not None:
        member.answer(event.ticket, error)
        return
    assert isinstance(member.role, Leader)
    if member.kraft_version < 1:
        member.role.contacted[event.voter.key.node_id] = event.voter
        member.answer(event.ticket, ErrorCode.NONE)
    elif member.voters.get(event.voter.key.node_id) == event.voter:
        member.answer(event.ticket, ErrorCode.NONE)
    else:
        _change(member, member.voters.with_voter(event.voter), event.ticket)


def _cannot_update(member: Member, voter: Voter) -> ErrorCode | None:
    if not _has_committed(member) or is_changing(member):
        return ErrorCode.REQUEST_TIMED_OUT
    if not voter.kraft_version_min <= member.kraft_version <= voter.kraft_version_max:
        return ErrorCode.INVALID_REQUEST
    is_configured = member.kraft_version < 1 and voter.key.node_id in member.voters.ids
    return None if is_configured or _is_voter(member, voter.key) else ErrorCode.VOTER_NOT_FOUND


def raise_version(member: Member, level: int) -> RaiseVersion:
    """How the voters of the configuration get into the log (KIP-853), or why they cannot.

    The log names voters with their disks. This node has its own; the others have to report theirs
    first, by UpdateRaftVoter.
    """
    assert isinstance(member.role, Leader)
    voters = member.voters
    for known in (*member.role.contacted.values(), *([member.own] if member.own else [])):
        voters = voters.with_voter(known)
    for voter in voters:
        if not voter.kraft_version_min <= level <= voter.kraft_version_max:
            reason = f"voter {voter.key} does not support it"
        elif voter.key.directory_id == NULL_UUID:
            reason = f"the directory of voter {voter.key} is not known"
        else:
            continue
        text = f"kraft.version cannot become {level}: {reason}; nothing was changed"
        raise KafkaError(ErrorCode.INVALID_UPDATE_VERSION, text)
    return RaiseVersion(member.epoch, level, voters)


def _is_voter(member: Member, key: ReplicaKey) -> bool:
    """Node and disk must both be right here: half of its key changes no voter."""
    voter = member.voters.get(key.node_id)
    return voter is not None and voter.key == key


def leader_error(member: Member, epoch: int) -> ErrorCode | None:
    """Why a request of that epoch is refused here."""
    if epoch != member.epoch:
        is_old = epoch < member.epoch
        return ErrorCode.FENCED_LEADER_EPOCH if is_old else ErrorCode.UNKNOWN_LEADER_EPOCH
    return None if isinstance(member.role, Leader) else ErrorCode.NOT_LEADER_OR_FOLLOWER


def _not_now(member: Member) -> ErrorCode | None:
    """Why no change can begin at this moment."""
    error = leader_error(member, member.epoch)
    if error is not None:
        return error
    if not _has_committed(member):
        return ErrorCode.REQUEST_TIMED_OUT
    if member.kraft_version < 1:
        return ErrorCode.UNSUPPORTED_VERSION
    return ErrorCode.REQUEST_TIMED_OUT if is_changing(member) else None


def _has_committed(member: Member) -> bool:
    """Whether something of its own epoch is committed: with it all that came before."""
    assert isinstance(member.role, Leader)
    return member.high_watermark > member.role.start_offset


def is_changing(member: Member) -> bool:
    """Whether the voter set in force is not committed."""
    return member.voter_history.last_offset >= member.high_watermark


def _change(member: Member, voters: VoterSet, ticket: int | None) -> None:
    assert isinstance(member.role, Leader)
    assert voters.differs_by_one(member.voters) or voters.ids == member.voters.ids
    member.role.change = ticket
    member.effects.append(AppendVoters(member.epoch, voters))


def settle_change(member: Member, role: Leader, now_ms: int) -> None:
    """Something was committed: perhaps the voter set in force."""
    if is_changing(member):
        return
    if role.change is not None:
        member.answer(role.change, ErrorCode.NONE)
        role.change = None
    if not member.is_voter:
        member.become_resigned(now_ms)


def give_up_change(member: Member, role: Leader) -> None:
    """The node leads no more: the client that asked for a change has to look at the voters."""
    if role.change is not None:
        member.answer(role.change, ErrorCode.REQUEST_TIMED_OUT)
        role.change = None
