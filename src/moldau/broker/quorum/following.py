"""Following: who leads, and fetching what it has (KIP-595, KIP-630).

A follower fetches at the end of its log, with the epoch of the record before it. The answer is
records, or the place where the two logs part, or the name of a snapshot because the leader's log
begins later. The next fetch means that what came is on the disk here.
"""

from __future__ import annotations

from moldau.broker.quorum.effects import AppendFetched, Fetch, FetchSnapshot, Truncate
from moldau.broker.quorum.election import is_me
from moldau.broker.quorum.events import (
    FetchAnswered,
    LeaderAnnounced,
    LeaderResigned,
    SnapshotFetched,
    SnapshotPieceFetched,
)
from moldau.broker.quorum.log_view import LogEnd, SnapshotId
from moldau.broker.quorum.member import Member
from moldau.broker.quorum.roles import NEVER_MS, Follower, Leader, Resigned, Unattached
from moldau.protocol.wire.error_codes import ErrorCode

REFUSED_STEP_MS = 20
REFUSED_JITTER_MS = 10
"""All voters find the leader gone at one moment, and should not all stand at once: each waits by
its place among those that are left."""


def on_leader_announced(member: Member, event: LeaderAnnounced, now_ms: int) -> None:
    """BeginQuorumEpoch: follow its leader unless the epoch is over."""
    if event.epoch < member.epoch:
        member.answer(event.ticket, ErrorCode.FENCED_LEADER_EPOCH)
        return
    if event.asked is not None and not is_me(member, event.asked):
        member.answer(event.ticket, ErrorCode.INVALID_VOTER_KEY)
        return
    if not _may_lead(member, event.epoch, event.leader_id):
        member.answer(event.ticket, ErrorCode.INVALID_REQUEST)
        return
    member.follow_news(event.epoch, event.leader_id, now_ms, from_leader=True)
    member.answer(event.ticket, ErrorCode.NONE)


def on_leader_resigned(member: Member, event: LeaderResigned, now_ms: int) -> None:
    """EndQuorumEpoch: the better this node's log, the sooner it tries to be elected."""
    if event.epoch < member.epoch:
        member.answer(event.ticket, ErrorCode.FENCED_LEADER_EPOCH)
        return
    if not _may_lead(member, event.epoch, event.leader_id):
        member.answer(event.ticket, ErrorCode.INVALID_REQUEST)
        return
    member.follow_news(event.epoch, event.leader_id, now_ms)
    if isinstance(member.role, Follower) and member.is_voter:
        member.role.deadline_ms = now_ms + _election_backoff_ms(member, event.successors)
    member.answer(event.ticket, ErrorCode.NONE)


def _may_lead(member: Member, epoch: int, leader_id: int) -> bool:
    """No other leader of that epoch is known, and this node does not lead it."""
    if leader_id == member.key.node_id:
        return False
    if epoch > member.epoch:
        return True
    if isinstance(member.role, Leader | Resigned):
        return False
    return member.leader_id in (None, leader_id)


def _election_backoff_ms(member: Member, successors: tuple[int, ...]) -> int:
    """Nothing for the first of the successors, then a random time that doubles with each place."""
    if member.key.node_id not in successors:
        return member.settings.election_backoff_max_ms
    place = successors.index(member.key.node_id)
    if place == 0:
        return 0
    limit = min(member.settings.election_backoff_max_ms, 50 * 2**place)
    return member.random.randrange(1, limit + 1)


def on_fetch_answered(member: Member, event: FetchAnswered, now_ms: int) -> None:
    """Take what came, if it is from the leader of now; then ask on."""
    if member.follow_news(event.epoch, event.leader_id, now_ms):
        return
    role = member.role
    if not isinstance(role, Follower) or event.epoch != role.epoch:
        _ask_on(member, event, min(member.fetch_at_ms, now_ms + member.settings.retry_backoff_ms))
        return
    if event.from_id != role.leader_id or not event.succeeded:
        _ask_on(member, event, now_ms + member.settings.retry_backoff_ms)
        return
    _note_answer(member, role, now_ms)
    _ask_on(member, event, now_ms)
    if event.asked == member.log.end:
        _take_answer(member, role, event)


def _note_answer(member: Member, role: Follower, now_ms: int) -> None:
    """The leader is there, and leads."""
    role.deadline_ms = member.fetch_deadline(now_ms)
    member.leader_answered = role.leader_id, now_ms
    role.has_fetched, role.leader_has_ended = True, False


def _ask_on(member: Member, event: FetchAnswered, at_ms: float) -> None:
    """After the answer to the newest fetch alone.

    A follower that changes its leader asks anew, with an answer of the former on its way. If that
    one led to a fetch of its own, too, everything would be fetched twice from then on.
    """
    if event.number == member.fetch_number:
        member.fetch_at_ms = at_ms


def _take_answer(member: Member, role: Follower, event: FetchAnswered) -> None:
    if event.snapshot is not None:
        member.fetch_at_ms = NEVER_MS
        member.effects.append(FetchSnapshot(role.leader_id, role.epoch, event.snapshot))
    elif event.diverging is not None:
        end_offset = _shared_end(member, event.diverging)
        member.flushed_offset = min(member.flushed_offset, end_offset)
        member.effects.append(Truncate(end_offset))
    else:
        member.leader_high_watermark = max(member.leader_high_watermark, event.high_watermark)
        if event.records:
            member.fetch_at_ms = NEVER_MS
            member.effects.append(AppendFetched(event.records, role.epoch))
        else:
            commit_as_follower(member)


def _shared_end(member: Member, leaders: LogEnd) -> int:
    """Up to where both logs can be the same."""
    own = member.log.end_of_epoch(leaders.epoch)
    shared = min(own.offset, leaders.offset) if own.epoch == leaders.epoch else own.offset
    assert shared >= member.high_watermark, f"{member} would cut what is committed at {shared}"
    return shared


def on_refused(member: Member, role: Follower, node_id: int, now_ms: int) -> None:
    """Nothing listens where the leader did, so its process has ended: look for another at once.

    It is no more than a timeout that comes early. Voters are asked before the epoch is raised, and
    those that can still fetch from the leader refuse.
    """
    if node_id == role.leader_id and not role.leader_has_ended:
        role.has_fetched, role.leader_has_ended = False, True
        others = sorted(member.voters.ids - {node_id})
        place = others.index(member.key.node_id) if member.key.node_id in others else len(others)
        wait_ms = place * REFUSED_STEP_MS + member.random.randrange(0, REFUSED_JITTER_MS)
        role.deadline_ms = min(role.deadline_ms, now_ms + wait_ms)


def on_flushed_as_follower(member: Member, now_ms: int) -> None:
    """What was fetched is on the disk: say so by asking for more."""
    member.fetch_at_ms = now_ms
    role = member.role
    if isinstance(role, Unattached) and role.deadline_ms == NEVER_MS and member.may_stand:
        member.become_unattached(member.epoch, now_ms, member.leader_id)
    commit_as_follower(member)


def commit_as_follower(member: Member) -> None:
    """What the leader has committed is committed here as far as the log goes."""
    member.commit(min(member.leader_high_watermark, member.log.end.offset))


def on_snapshot_piece_fetched(member: Member, event: SnapshotPieceFetched, now_ms: int) -> None:
    """A snapshot may take longer than the leader may be silent; each piece is an answer of it."""
    role = member.role
    if isinstance(role, Follower) and (role.leader_id, role.epoch) == event:
        _note_answer(member, role, now_ms)


def comes_late(member: Member, snapshot: SnapshotId) -> bool:
    """Whether the log has got as far by another way while the snapshot was loaded.

    To begin behind it would drop records that a leader counts as replicated, or that this node
    leads with.
    """
    return snapshot.log_end <= member.log.end


def on_snapshot_fetched(member: Member, event: SnapshotFetched, now_ms: int) -> None:
    """The log begins behind the snapshot now, and what is in it was committed."""
    member.flushed_offset = member.log.end.offset
    member.commit(event.snapshot.end_offset)
    if isinstance(member.role, Follower):
        member.role.deadline_ms = member.fetch_deadline(now_ms)
    member.fetch_at_ms = now_ms


def ask_for_records(member: Member, now_ms: int) -> None:
    """Fetch from the leader; without one, ask any voter for it.

    A fetch means that all below its offset is on the disk, so it waits until that is true.
    """
    if member.fetch_at_ms > now_ms or not member.is_synced:
        return
    leader_id = member.role.leader_id if isinstance(member.role, Follower) else None
    member.fetch_at_ms = now_ms + member.settings.request_timeout_ms
    member.fetch_number += 1
    end, high_watermark = member.log.end, member.high_watermark
    member.effects.append(Fetch(leader_id, member.epoch, end, high_watermark, member.fetch_number))
