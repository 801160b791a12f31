"""One member of the quorum as a state machine: `step(event, now) -> effects`.

It has no clock, no socket and no disk: time comes with each event, the log is there to be asked,
and what is to be done about the world goes out as effects, in order. The runtime calls `step`
with `Started` first, then with whatever happens, and with `TimePassed` when `wake_at_ms` comes.

Only `TimePassed` ends what has lasted too long. A node that had no processor for seconds, or whose
disk was slow, finds answers and requests that came in time beside a deadline that is over; the
runtime gives it those first. And a leader or follower whose deadline is handled late waits a moment
for the others, once: where all nodes stood still, all of them are there.

This file only routes each event; the decisions are in election, following, leading,
voter_changes and standing, and the state is in member.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from moldau.broker.quorum import election, following, leading, standing, voter_changes
from moldau.broker.quorum.effects import Effects
from moldau.broker.quorum.events import (
    AddVoterAsked,
    Event,
    FetchAnswered,
    FetchRequested,
    Flushed,
    LeaderAnnounced,
    LeaderResigned,
    RemoveVoterAsked,
    SnapshotFetched,
    SnapshotPieceFetched,
    SnapshotRequested,
    Started,
    StopWanted,
    TimePassed,
    Unreachable,
    UpdateVoterAsked,
    VoteAnswered,
    VoterAnswered,
    VoterChangeAnswered,
    VoteRequested,
)
from moldau.broker.quorum.member import Member
from moldau.broker.quorum.roles import (
    NEVER_MS,
    Candidate,
    Follower,
    Leader,
    Prospective,
    Resigned,
    Unattached,
)

LATE_MS = 100
"""A loop that runs handles its timers within a few milliseconds; this one did not run."""
MOMENT_MS = 500
"""How long the others are waited for: some exchanges between nodes that are late themselves."""


class QuorumNode(Member):
    """A member that reacts."""

    def step(self, event: Event, now_ms: int) -> Effects:
        """What this event leads to."""
        led = self.role if isinstance(self.role, Leader) else None
        _HANDLERS[type(event)](self, event, now_ms)
        _ask_in_role(self, now_ms)
        if led is not None and self.role is not led:
            voter_changes.give_up_change(self, led)
        effects, self.effects = self.effects, []
        return effects

    @property
    def wake_at_ms(self) -> float:
        """When the next `TimePassed` is wanted; infinity where nothing can become due."""
        return min((self.role_deadline_ms, *self._asking_times()))

    def _asking_times(self) -> list[float]:
        """When the role sends its next requests."""
        match self.role:
            case Follower() as role:
                return [standing.next_change_ms(self, role), *self._fetch_times()]
            case Unattached():
                return self._fetch_times()
            case Prospective(tally=tally) | Candidate(tally=tally):
                return [self.ask_again_ms.get(key.node_id, 0) for key in tally.silent()]
            case Leader():
                return leading.announcement_times(self, self.role)
            case Resigned(acknowledged=acknowledged):
                others = self.voters.others(self.key.node_id)
                waiting = (voter.key.node_id for voter in others)
                return [
                    self.ask_again_ms.get(peer, 0) for peer in waiting if peer not in acknowledged
                ]

    def _fetch_times(self) -> list[float]:
        return [self.fetch_at_ms] if self.is_synced else []

    @property
    def role_deadline_ms(self) -> float:
        """When the role has lasted too long."""
        match self.role:
            case Leader(quorum_deadline_ms=deadline_ms):
                return deadline_ms
            case _:
                return self.role.deadline_ms


def _on_started(node: QuorumNode, event: Started, now_ms: int) -> None:
    """Take the role that the persisted state leads to."""
    leader_id = node.persisted.leader_id
    if leader_id == node.key.node_id:
        node.role = Resigned(node.epoch, election.first_deadline(node, now_ms), ())
    elif leader_id is not None and leader_id in node.voters.ids:
        node.become_follower(node.epoch, leader_id, now_ms)
    else:
        node.become_unattached(node.epoch, now_ms, leader_id)
        if node.may_stand and isinstance(node.role, Unattached):
            node.role.deadline_ms = election.first_deadline(node, now_ms)
    if node.voters.ids == {node.key.node_id}:
        election.begin_election(node, now_ms)


def _ask_in_role(node: QuorumNode, now_ms: int) -> None:
    """What the role asks of others at this time; it runs after every event."""
    match node.role:
        case Prospective() | Candidate():
            election.ask_for_votes(node, now_ms)
        case Follower() as role:
            following.ask_for_records(node, now_ms)
            standing.ask_for_standing(node, role, now_ms)
        case Unattached():
            following.ask_for_records(node, now_ms)
        case Leader():
            leading.announce(node, node.role, now_ms)
        case Resigned():
            leading.send_end_quorum_epoch(node, node.role, now_ms)


def _on_deadline(node: QuorumNode, now_ms: int) -> None:
    match node.role:
        case Follower() | Unattached() if not node.may_stand:
            node.become_unattached(node.epoch, now_ms, node.leader_id)
        case Unattached() | Follower() | Candidate():
            election.begin_election(node, now_ms)
        case Prospective():
            election.give_up_prospects(node, now_ms)
        case Leader():
            node.become_resigned(now_ms)
        case Resigned() if node.stopping:
            node.role.deadline_ms = NEVER_MS
        case Resigned() if node.may_stand:
            election.begin_election(node, now_ms)
        case Resigned():
            node.become_unattached(node.epoch, now_ms, node.key.node_id)


def _on_flushed(node: QuorumNode, event: Flushed, now_ms: int) -> None:
    node.flushed_offset = event.end_offset
    match node.role:
        case Leader():
            leading.on_flushed_as_leader(node, node.role, event.end_offset, now_ms)
        case Follower() | Unattached():
            following.on_flushed_as_follower(node, now_ms)
        case _:
            pass


def _on_unreachable(node: QuorumNode, event: Unreachable, now_ms: int) -> None:
    again_ms = now_ms + node.settings.retry_backoff_ms
    if event.node_id in node.ask_again_ms and not isinstance(node.role, Leader):
        node.ask_again_ms[event.node_id] = min(node.ask_again_ms[event.node_id], again_ms)
    if isinstance(node.role, Follower | Unattached):
        node.fetch_at_ms = min(node.fetch_at_ms, again_ms)
    if not event.is_refused:
        return
    match node.role:
        case Follower() as role:
            following.on_refused(node, role, event.node_id, now_ms)
        case Prospective() | Candidate() as role:
            election.on_voter_ended(node, role, event.node_id, now_ms)
        case _:
            pass


def _on_stop(node: QuorumNode, event: StopWanted, now_ms: int) -> None:
    node.stopping = True
    if isinstance(node.role, Leader):
        node.become_resigned(now_ms)


def _on_time_passed(node: QuorumNode, event: TimePassed, now_ms: int) -> None:
    deadline_ms = node.role_deadline_ms
    if deadline_ms > now_ms:
        return
    is_first_look = deadline_ms != node.postponed_to_ms
    match node.role:
        case Leader() | Follower() if is_first_look and now_ms - deadline_ms >= LATE_MS:
            node.postpone_deadline(node.role, now_ms + MOMENT_MS)
        case _:
            _on_deadline(node, now_ms)


_HANDLERS: dict[type[Event], Callable[[QuorumNode, Any, int], None]] = {
    Started: _on_started,
    TimePassed: _on_time_passed,
    VoteRequested: election.on_vote_requested,
    VoteAnswered: election.on_vote_answered,
    LeaderAnnounced: following.on_leader_announced,
    LeaderResigned: following.on_leader_resigned,
    FetchAnswered: following.on_fetch_answered,
    SnapshotPieceFetched: following.on_snapshot_piece_fetched,
    SnapshotFetched: following.on_snapshot_fetched,
    FetchRequested: leading.on_fetch_requested,
    SnapshotRequested: leading.on_snapshot_requested,
    VoterAnswered: leading.on_voter_answered,
    Flushed: _on_flushed,
    Unreachable: _on_unreachable,
    AddVoterAsked: voter_changes.on_add_voter,
    RemoveVoterAsked: voter_changes.on_remove_voter,
    UpdateVoterAsked: voter_changes.on_update_voter,
    VoterChangeAnswered: standing.on_voter_change_answered,
    StopWanted: _on_stop,
}
