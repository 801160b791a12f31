"""What one member of the quorum is: its epoch, its role, and how it changes them.

Every change of role goes through `_take`, which checks the table of roles, persists what must not
be forgotten before anything depends on it, and records what changed.
"""

from __future__ import annotations

from moldau.broker.quorum.effects import Answer, BeginEpoch, Committed, Effect, Persist, RoleChanged
from moldau.broker.quorum.events import Ticket
from moldau.broker.quorum.log_view import LogView
from moldau.broker.quorum.progress import Progress
from moldau.broker.quorum.roles import (
    MAY_FOLLOW,
    NEVER_MS,
    Candidate,
    Follower,
    Leader,
    Prospective,
    Resigned,
    Role,
    Tally,
    Unattached,
)
from moldau.broker.quorum.state_file import ElectionState
from moldau.broker.quorum.voters import ReplicaKey, Voter, VoterHistory, VoterSet
from moldau.platform.ports.randomness import Random
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.wire.error_codes import ErrorCode

_QUORUM_TIMEOUT_FACTOR = 1.5
"""A leader waits this many fetch timeouts for its majority before it resigns."""


@dataclass(frozen=True, slots=True)
class QuorumSettings:
    """Times, with the defaults of `controller.quorum.…`; milliseconds."""

    election_timeout_ms: int = 1000
    fetch_timeout_ms: int = 2000
    election_backoff_max_ms: int = 1000
    request_timeout_ms: int = 2000
    retry_backoff_ms: int = 20
    auto_join: bool = False
    """Whether a controller that does not vote asks to."""


class Member:
    """The state of a member; the package's other files decide what it does."""

    def __init__(
        self,
        key: ReplicaKey,
        log: LogView,
        voters: VoterHistory,
        random: Random,
        *,
        settings: QuorumSettings | None = None,
        state: ElectionState | None = None,
        kraft_version: int = 0,
        own: Voter | None = None,
    ) -> None:
        self.key = key
        self.own = own
        """How this node would stand in the voter set; None where it never votes."""
        self.log = log
        self.voter_history = voters
        self.random = random
        self.settings = settings or QuorumSettings()
        self.kraft_version = kraft_version
        self.persisted = state or ElectionState()
        self.high_watermark = -1
        self.leader_high_watermark = -1
        """As the leader last sent it."""
        self.leader_answered: tuple[int, int] | None = None
        """Which leader was the last to answer a fetch of this node, and when."""
        self.effects: list[Effect] = []
        self.ask_again_ms: dict[int, float] = {}
        """When a node that has not answered is asked once more."""
        self.fetch_at_ms = NEVER_MS
        self.fetch_number = 0
        """That of the newest."""
        self.stopping = False
        self.postponed_to_ms: float = NEVER_MS
        """The deadline that was put off already."""
        self.flushed_offset = log.end.offset
        """Everything below is on the disk; what was read at the start is."""
        self.role: Role = Unattached(
            self.persisted.epoch, NEVER_MS, self.persisted.voted, self.persisted.leader_id
        )

    def __repr__(self) -> str:
        role = type(self.role).__name__.lower()
        return f"Member({self.key}, {role} in epoch {self.epoch}, log {self.log.end})"

    @property
    def epoch(self) -> int:
        return self.role.epoch

    @property
    def leader_id(self) -> int | None:
        match self.role:
            case Unattached() | Prospective() | Follower():
                return self.role.leader_id
            case Leader():
                return self.key.node_id
            case _:
                return None

    @property
    def voters(self) -> VoterSet:
        return self.voter_history.last

    @property
    def is_voter(self) -> bool:
        return self.key in self.voters

    @property
    def may_stand(self) -> bool:
        """Whether it may be elected: it votes, or did before a change that may yet be undone.

        A leader that has removed itself and crashed may be the only one whose log has all: it must
        be able to come back and see the change through.
        """
        history = self.voter_history
        undecided = history.last_offset >= self.high_watermark
        return self.is_voter or (undecided and self.key in history.at(history.last_offset))

    @property
    def voted(self) -> ReplicaKey | None:
        match self.role:
            case Unattached() | Prospective() | Follower():
                return self.role.voted
            case Candidate():
                return self.key
            case _:
                return None

    # Changing roles.

    def become_unattached(self, epoch: int, now_ms: int, leader_id: int | None = None) -> None:
        """No leader is known, or it cannot be reached; with a higher epoch the vote is void."""
        assert epoch >= self.epoch
        voted = self.voted if epoch == self.epoch else None
        deadline = self.election_deadline(now_ms) if self.may_stand else NEVER_MS
        self.fetch_at_ms = now_ms
        self._take(Unattached(epoch, deadline, voted, leader_id))

    def become_prospective(self, now_ms: int) -> None:
        """Ask the others what they would say."""
        assert self.may_stand
        tally = self._tally()
        self.ask_again_ms.clear()
        self.fetch_at_ms = NEVER_MS
        deadline = self.election_deadline(now_ms)
        leader_id = self.key.node_id if isinstance(self.role, Resigned) else self.leader_id
        self._take(Prospective(self.epoch, deadline, tally, self.voted, leader_id))

    def become_candidate(self, now_ms: int) -> None:
        """Raise the epoch, vote for itself, and ask for votes."""
        assert self.may_stand
        tally = self._tally()
        self.ask_again_ms.clear()
        self._take(Candidate(self.epoch + 1, self.election_deadline(now_ms), tally))

    def become_leader(self, now_ms: int) -> None:
        """A majority has voted for this node."""
        assert isinstance(self.role, Candidate)
        granting = tuple(sorted(self.role.tally.granted))
        progress = Progress(self.key)
        progress.follow_voters(self.voters)
        self.ask_again_ms.clear()
        start_offset = self.log.end.offset
        deadline = self.quorum_deadline(now_ms)
        self._take(Leader(self.epoch, start_offset, granting, progress, deadline))
        self.effects.append(BeginEpoch(self.epoch, self.voters, granting, self._voter_news()))

    def become_follower(self, epoch: int, leader_id: int, now_ms: int) -> None:
        """Another node leads."""
        assert leader_id != self.key.node_id
        voted = self.voted if epoch == self.epoch else None
        self.ask_again_ms.clear()
        self.fetch_at_ms = now_ms
        change_at_ms = now_ms + self.settings.fetch_timeout_ms
        self._take(
            Follower(
                epoch,
                self.fetch_deadline(now_ms),
                leader_id,
                voted,
                voter_change_at_ms=change_at_ms,
            )
        )

    def become_resigned(self, now_ms: int) -> None:
        """Lead no more in this epoch."""
        successors = self.role.progress.successors() if isinstance(self.role, Leader) else ()
        self.ask_again_ms.clear()
        self._take(Resigned(self.epoch, self.election_deadline(now_ms), successors))

    def _take(self, role: Role) -> None:
        before = self.role
        assert type(role) in MAY_FOLLOW[type(before)], f"{before} cannot become {role}"
        assert role.epoch >= before.epoch, f"{before} cannot become {role}"
        self.role = role
        self.persist()
        self.effects.append(RoleChanged(type(role).__name__.lower(), role.epoch, self.leader_id))

    def persist(self) -> None:
        """Have the disk remember what must not be forgotten, if it does not know it."""
        leader = self.leader_id
        if isinstance(self.role, Resigned):
            leader = self.key.node_id
        state = ElectionState(self.epoch, leader, self.voted)
        if state != self.persisted:
            self.persisted = state
            self.effects.append(Persist(state))

    # What the roles share.

    @property
    def is_synced(self) -> bool:
        """Whether all of the log is on the disk, as every fetch implies."""
        return self.flushed_offset >= self.log.end.offset

    def commit(self, offset: int) -> None:
        """The high watermark never goes back."""
        if offset > self.high_watermark:
            self.high_watermark = offset
            self.effects.append(Committed(offset))

    def answer(self, ticket: Ticket, error: ErrorCode, *, granted: bool = False) -> None:
        self.effects.append(Answer(ticket, error, self.epoch, self.leader_id, granted))

    def follow_news(
        self, epoch: int, leader_id: int | None, now_ms: int, *, from_leader: bool = False
    ) -> bool:
        """Another node has a later epoch, or this one's leader; true if that was new."""
        if epoch < self.epoch or leader_id == self.key.node_id:
            return False
        if leader_id is not None and (epoch > self.epoch or self._can_follow(from_leader)):
            self.become_follower(epoch, leader_id, now_ms)
            return True
        if epoch > self.epoch:
            self.become_unattached(epoch, now_ms)
            return True
        return False

    def _can_follow(self, from_leader: bool) -> bool:
        """Within this epoch; a node that has lost its leader follows only the leader's own word."""
        if isinstance(self.role, Prospective | Candidate):
            return from_leader or self.leader_id is None
        return isinstance(self.role, Unattached)

    def quorum_deadline(self, now_ms: int) -> float:
        if self.voters.ids <= {self.key.node_id}:
            return NEVER_MS
        return now_ms + _QUORUM_TIMEOUT_FACTOR * self.settings.fetch_timeout_ms

    def fetch_deadline(self, now_ms: int) -> float:
        """When silence of the leader is no accident any more."""
        return now_ms + self.settings.fetch_timeout_ms

    def postpone_deadline(self, role: Leader | Follower, to_ms: float) -> None:
        """Put it off, because this node was late itself."""
        self.postponed_to_ms = to_ms
        if isinstance(role, Leader):
            role.quorum_deadline_ms = to_ms
        else:
            role.deadline_ms = to_ms

    def election_deadline(self, now_ms: int) -> float:
        """Drawn anew each time, so that not all voters try at once."""
        timeout = self.settings.election_timeout_ms
        return now_ms + timeout + self.random.randrange(0, timeout)

    def _tally(self) -> Tally:
        """Its own vote counts where it has one."""
        return Tally(self.voters, {self.key.node_id} & self.voters.ids)

    def _voter_news(self) -> VoterSet | None:
        """The voter set, if the log itself does not hold it, or has an old address of this node."""
        voters, own = self.voters, self.own
        if self.kraft_version == 0:
            return None
        if own is not None and self.is_voter and voters.get(own.key.node_id) != own:
            return voters.with_voter(own)
        return voters if self.voter_history.last_offset < 0 else None
