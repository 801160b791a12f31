"""Leading: answering fetches, counting who has what, and noticing that the majority is gone
(KIP-595).

The leader counts itself only up to what it has synced, like every other voter. A leader that a
majority has not fetched from for a while resigns: the others have probably elected another leader.
"""

from __future__ import annotations

from moldau.broker.quorum.effects import Announce, AnswerFetch, EndQuorumEpoch
from moldau.broker.quorum.events import FetchRequested, SnapshotRequested, VoterAnswered
from moldau.broker.quorum.log_view import BOOTSTRAP_SNAPSHOT, LogEnd, LogView, SnapshotId
from moldau.broker.quorum.member import Member
from moldau.broker.quorum.progress import ReplicaProgress
from moldau.broker.quorum.roles import NEVER_MS, Leader, Resigned
from moldau.broker.quorum.voter_changes import settle_change
from moldau.protocol.wire.error_codes import ErrorCode


def on_fetch_requested(member: Member, event: FetchRequested, now_ms: int) -> None:
    """Note how far the replica is, and say what it gets."""
    error = _refusal(member, event)
    if error is not None:
        member.effects.append(AnswerFetch(event.ticket, error, member.epoch, member.leader_id))
        return
    assert isinstance(member.role, Leader)
    diverging, snapshot = judge_position(member.log, LogEnd(event.last_epoch, event.offset))
    if diverging is None and snapshot is None:
        _note_fetch(member, member.role, event, now_ms)
    answer = AnswerFetch(
        event.ticket,
        ErrorCode.NONE,
        member.epoch,
        member.leader_id,
        member.high_watermark,
        diverging,
        snapshot,
    )
    member.effects.append(answer)


def _refusal(member: Member, event: FetchRequested) -> ErrorCode | None:
    if event.epoch >= 0 and event.epoch < member.epoch:
        return ErrorCode.FENCED_LEADER_EPOCH
    if event.epoch > member.epoch:
        return ErrorCode.UNKNOWN_LEADER_EPOCH
    if not isinstance(member.role, Leader):
        return ErrorCode.NOT_LEADER_OR_FOLLOWER
    if event.offset < 0 or not 0 <= event.last_epoch <= member.epoch:
        return ErrorCode.INVALID_REQUEST
    return None


def judge_position(log: LogView, asked: LogEnd) -> tuple[LogEnd | None, SnapshotId | None]:
    """Where a replica's log parts from this one, or which snapshot it needs; neither if it fits."""
    latest = log.latest_snapshot
    if asked.offset == 0 and latest is not None and latest != BOOTSTRAP_SNAPSHOT:
        return None, latest
    if asked == LogEnd(0, 0) and log.start_offset == 0:
        return None, None
    earliest = log.earliest_snapshot
    if earliest is not None and latest is not None and _precedes(log, asked, earliest):
        return None, latest
    end = log.end_of_epoch(asked.epoch)
    if end.epoch != asked.epoch or end.offset < asked.offset:
        return end, None
    return None, None


def _precedes(log: LogView, asked: LogEnd, earliest: SnapshotId) -> bool:
    """Whether the log no longer knows what lies before the place that is asked for."""
    at_start = asked.offset == log.start_offset and asked.epoch != earliest.epoch
    return asked.offset < log.start_offset or at_start or asked.epoch < earliest.epoch


def _note_fetch(member: Member, role: Leader, event: FetchRequested, now_ms: int) -> None:
    if event.replica.node_id < 0:
        return
    role.progress.fetched(event.replica, event.offset, member.log.end.offset, now_ms)
    _look_at_quorum(member, role, now_ms)
    advance_high_watermark(member, role, now_ms)


def _look_at_quorum(member: Member, role: Leader, now_ms: int) -> None:
    if role.progress.quorum_is_alive():
        role.quorum_deadline_ms = member.quorum_deadline(now_ms)


def on_snapshot_requested(member: Member, event: SnapshotRequested, now_ms: int) -> None:
    """A voter that loads a snapshot follows, though it does not fetch.

    A leader that did not count it would resign where no other is left, and the voter would begin
    to load anew with the next one: longer than the quorum's deadline, it would never be done.
    """
    if isinstance(member.role, Leader) and event.epoch == member.epoch:
        member.role.progress.asked_for_snapshot(event.replica)
        _look_at_quorum(member, member.role, now_ms)


def on_flushed_as_leader(member: Member, role: Leader, end_offset: int, now_ms: int) -> None:
    """Count what is on the own disk, and the voters since it was written."""
    known = set(role.progress.voters)
    role.progress.follow_voters(member.voters)
    if known != set(role.progress.voters):
        role.quorum_deadline_ms = member.quorum_deadline(now_ms)
    own = role.progress.voters.get(member.key.node_id)
    if own is not None:
        own.end_offset = end_offset
        own.has_answered = True
    advance_high_watermark(member, role, now_ms)


def advance_high_watermark(member: Member, role: Leader, now_ms: int) -> None:
    """Commit what a majority has, and end what waited for it."""
    offset = role.progress.high_watermark(role.start_offset)
    if offset is None or offset <= member.high_watermark:
        return
    member.commit(offset)
    settle_change(member, role, now_ms)


def on_voter_answered(member: Member, event: VoterAnswered, now_ms: int) -> None:
    """BeginQuorumEpoch or EndQuorumEpoch has reached a voter."""
    if member.follow_news(event.epoch, event.leader_id, now_ms) or not event.accepted:
        return
    if isinstance(member.role, Leader) and event.epoch == member.epoch:
        voter = member.role.progress.voters.get(event.voter_id)
        if voter is not None:
            voter.has_answered = True
    elif isinstance(member.role, Resigned) and event.epoch == member.epoch:
        member.role.acknowledged.add(event.voter_id)


def announce(member: Member, role: Leader, now_ms: int) -> None:
    """Send BeginQuorumEpoch to voters until they fetch, and again when they stop fetching."""
    role.progress.forget_silent_observers(now_ms)
    for voter in role.progress.voters.values():
        if _announcement_time(member, voter) <= now_ms:
            again_ms = now_ms + member.settings.fetch_timeout_ms // 2
            member.ask_again_ms[voter.key.node_id] = again_ms
            member.effects.append(Announce(voter.key, member.epoch))


def announcement_times(member: Member, role: Leader) -> list[float]:
    """When each voter gets the next BeginQuorumEpoch."""
    return [_announcement_time(member, voter) for voter in role.progress.voters.values()]


def _announcement_time(member: Member, voter: ReplicaProgress) -> float:
    if voter.key.node_id == member.key.node_id:
        return NEVER_MS
    again_ms = member.ask_again_ms.get(voter.key.node_id, 0)
    silent_ms = voter.last_fetch_ms + member.settings.fetch_timeout_ms // 2
    return max(again_ms, silent_ms) if voter.has_answered else again_ms


def send_end_quorum_epoch(member: Member, role: Resigned, now_ms: int) -> None:
    """Send EndQuorumEpoch, so that the other voters need not wait for their timeouts."""
    for voter in member.voters.others(member.key.node_id):
        node_id = voter.key.node_id
        if node_id not in role.acknowledged and member.ask_again_ms.get(node_id, 0) <= now_ms:
            member.ask_again_ms[node_id] = now_ms + member.settings.request_timeout_ms
            member.effects.append(EndQuorumEpoch(voter.key, member.epoch, role.successors))
