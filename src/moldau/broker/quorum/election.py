"""Votes: who may have this node's, and how it gets those of others (KIP-595, KIP-996).

A vote is given once per epoch, to a candidate whose log has all that this one has. Before raising
the epoch a node asks for opinions: a node that was cut off for a while cannot unseat a leader that
the others still fetch from, for a follower that has fetched from its leader refuses.

Where a leader's process has ended all others stand within a few milliseconds, and may split their
votes. So a voter that grants an opinion lets its candidate try first, and one that has lost without
doubt tries again soon instead of waiting for its time to be over.
"""

from __future__ import annotations

from moldau.broker.quorum.effects import AskVote
from moldau.broker.quorum.events import VoteAnswered, VoteRequested
from moldau.broker.quorum.member import Member
from moldau.broker.quorum.roles import Candidate, Follower, Prospective, Resigned, Unattached
from moldau.broker.quorum.voters import ReplicaKey
from moldau.protocol.wire.error_codes import ErrorCode

LOST_JITTER_MS = 100
"""Within that time a candidate that has lost tries again; an exchange of votes takes less."""
AFTER_GRANT_MS = 100
"""So long a voter leaves the election to whom it would vote for."""
START_WAIT_MS = 50
"""By then a member that starts has found the leader, where there is one."""
START_JITTER_MS = 100


def on_vote_requested(member: Member, event: VoteRequested, now_ms: int) -> None:
    """Decide, remember, answer."""
    error = _refusal(member, event)
    if error is not None:
        member.answer(event.ticket, error)
        return
    if event.epoch > member.epoch:
        member.become_unattached(event.epoch, now_ms)
    granted = would_grant(member, event)
    if granted and not event.pre_vote:
        _give_vote(member, event.candidate)
    elif granted and isinstance(member.role, Follower):
        earliest_ms = now_ms + AFTER_GRANT_MS
        member.role.deadline_ms = max(member.role.deadline_ms, earliest_ms)
    member.answer(event.ticket, ErrorCode.NONE, granted=granted)


def _refusal(member: Member, event: VoteRequested) -> ErrorCode | None:
    if event.epoch < member.epoch:
        return ErrorCode.FENCED_LEADER_EPOCH
    latest = event.epoch if event.pre_vote else event.epoch - 1
    if not 0 <= event.log_end.epoch <= latest or event.log_end.offset < 0:
        return ErrorCode.INVALID_REQUEST
    if event.asked is not None and not is_me(member, event.asked):
        return ErrorCode.INVALID_VOTER_KEY
    return None


def is_me(member: Member, asked: ReplicaKey) -> bool:
    """Whether a request meant for `asked` has come to the right node and disk."""
    same_disk = not any(asked.directory_id) or asked.directory_id == member.key.directory_id
    return asked.node_id == member.key.node_id and same_disk


def would_grant(member: Member, event: VoteRequested) -> bool:
    """Whether this node grants its vote, now that it is in the candidate's epoch."""
    has_all = event.log_end >= member.log.end
    match member.role:
        case Unattached() | Prospective():
            if event.pre_vote:
                return has_all
            if member.voted is not None:
                return member.voted == event.candidate
            return member.leader_id is None and has_all
        case Follower(has_fetched=has_fetched):
            return event.pre_vote and not has_fetched and has_all
        case Candidate() | Resigned():
            return event.pre_vote and has_all
        case _:
            return False


def _give_vote(member: Member, candidate: ReplicaKey) -> None:
    """The vote is on the disk before the answer leaves."""
    assert isinstance(member.role, Unattached | Prospective)
    member.role.voted = candidate
    member.persist()


def on_vote_answered(member: Member, event: VoteAnswered, now_ms: int) -> None:
    """Count, and take the next step when the count decides."""
    if member.follow_news(event.epoch, event.leader_id, now_ms):
        return
    role = member.role
    if event.asked_epoch != member.epoch or not isinstance(role, Prospective | Candidate):
        return
    if event.pre_vote != isinstance(role, Prospective):
        return
    granted = event.granted or not event.knows_pre_votes
    role.tally.count(event.voter_id, granted=granted)
    settle_election(member, now_ms)


def on_voter_ended(
    member: Member, role: Prospective | Candidate, voter_id: int, now_ms: int
) -> None:
    """Nothing listens where this voter did."""
    role.tally.count_ended(voter_id)
    settle_election(member, now_ms)


def settle_election(member: Member, now_ms: int) -> None:
    """Won, lost, or still open."""
    role = member.role
    if isinstance(role, Prospective):
        if role.tally.is_won:
            member.become_candidate(now_ms)
            settle_election(member, now_ms)
        elif role.tally.is_lost:
            give_up_prospects(member, now_ms)
    elif isinstance(role, Candidate) and role.tally.is_won:
        member.become_leader(now_ms)
    elif isinstance(role, Candidate) and role.tally.is_lost:
        again_ms = now_ms + 1 + member.random.randrange(0, LOST_JITTER_MS)
        role.deadline_ms = min(role.deadline_ms, again_ms)


def give_up_prospects(member: Member, now_ms: int) -> None:
    """Back to the leader that was known, or to waiting."""
    if member.leader_id is not None and member.leader_id != member.key.node_id:
        member.become_follower(member.epoch, member.leader_id, now_ms)
    else:
        member.become_unattached(member.epoch, now_ms, member.leader_id)


def first_deadline(member: Member, now_ms: int) -> float:
    """When a member that starts asks for opinions: soon, for they unseat no leader.

    Where all members start together nothing is gained by the wait that keeps voters from trying at
    once while a leader may still come back.
    """
    return now_ms + START_WAIT_MS + member.random.randrange(0, START_JITTER_MS)


def begin_election(member: Member, now_ms: int) -> None:
    """See whether this node would win; where it votes alone it does at once."""
    member.become_prospective(now_ms)
    settle_election(member, now_ms)


def ask_for_votes(member: Member, now_ms: int) -> None:
    """Ask the voters that have not answered, each from time to time."""
    assert isinstance(member.role, Prospective | Candidate)
    for voter in member.role.tally.silent():
        if member.ask_again_ms.get(voter.node_id, 0) <= now_ms:
            member.ask_again_ms[voter.node_id] = now_ms + member.settings.request_timeout_ms
            pre_vote = isinstance(member.role, Prospective)
            member.effects.append(AskVote(voter, member.epoch, member.log.end, pre_vote))
