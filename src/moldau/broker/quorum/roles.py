"""The roles of a member of the quorum, and which may follow which.

    unattached   has an epoch without a leader; waits, then asks whether it could win
    prospective  asks for opinions without raising the epoch (pre-vote, KIP-996)
    candidate    has raised the epoch, voted for itself and asks for votes
    leader       appends, counts who has what, and commits
    follower     fetches from the leader
    resigned     has led this epoch and will not again; announces it to the others

Observers are never more than unattached or follower. An epoch only grows, and within one epoch
a leader of it becomes nothing but resigned.
"""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from moldau.broker.quorum.progress import Progress
from moldau.broker.quorum.voters import ReplicaKey, Voter, VoterSet
from moldau.platform.quick_dataclass import dataclass

NEVER_MS = float("inf")


@dataclass(slots=True)
class Tally:
    """The voters that granted the vote, those that rejected it, and those that do not run."""

    voters: VoterSet
    granted: set[int] = field(default_factory=set)
    rejected: set[int] = field(default_factory=set)
    ended: set[int] = field(default_factory=set)
    """Nothing listens where they did."""

    def count(self, voter_id: int, *, granted: bool) -> None:
        """Only the first word of each voter counts."""
        if voter_id in self.voters.ids and voter_id not in self.granted | self.rejected:
            (self.granted if granted else self.rejected).add(voter_id)
            self.ended.discard(voter_id)

    def count_ended(self, voter_id: int) -> None:
        """It cannot vote, unless it answers when it is asked again."""
        if voter_id in self.voters.ids and voter_id not in self.granted | self.rejected:
            self.ended.add(voter_id)

    @property
    def is_won(self) -> bool:
        return len(self.granted) >= self.voters.majority

    @property
    def is_lost(self) -> bool:
        """Whether those that may still grant it are too few.

        Where no voter has rejected it, those that do not run are waited for: all may be starting.
        """
        against = self.rejected | self.ended if self.rejected else self.rejected
        return len(self.voters) - len(against) < self.voters.majority

    def silent(self) -> list[ReplicaKey]:
        """The voters that have not answered."""
        answered = self.granted | self.rejected
        return [voter.key for voter in self.voters if voter.key.node_id not in answered]


@dataclass(slots=True)
class Unattached:
    """No leader is known here."""

    epoch: int
    deadline_ms: float
    voted: ReplicaKey | None = None
    leader_id: int | None = None
    """Led this epoch at the last contact, and cannot be reached."""


@dataclass(slots=True)
class Prospective:
    """Would the others vote for this node?"""

    epoch: int
    deadline_ms: float
    tally: Tally
    voted: ReplicaKey | None = None
    leader_id: int | None = None


@dataclass(slots=True)
class Candidate:
    """Do they?"""

    epoch: int
    deadline_ms: float
    tally: Tally


@dataclass(slots=True)
class Follower:
    """Another node leads."""

    epoch: int
    deadline_ms: float
    leader_id: int
    voted: ReplicaKey | None = None
    has_fetched: bool = False
    voter_change_at_ms: float = 0
    """When the leader may next be asked to change this node's entry in the voter set."""
    has_updated_leader: bool = False
    """The leader has this node's disk and place, where the log does not hold them."""
    leader_has_ended: bool = False
    """Nothing listens where it did; the deadline is an early one."""


@dataclass(slots=True)
class Leader:
    """This node leads."""

    epoch: int
    start_offset: int
    """Of its LeaderChange record; nothing is committed before that record is."""
    granting: tuple[int, ...]
    progress: Progress
    quorum_deadline_ms: float
    """When it resigns unless a majority has fetched by then."""
    change: int | None = None
    """The ticket of the change of voters that is not committed yet."""
    contacted: dict[int, Voter] = field(default_factory=dict)
    """What configured voters have sent of themselves, by node id; the log does not hold it."""


@dataclass(slots=True)
class Resigned:
    """This node led."""

    epoch: int
    deadline_ms: float
    successors: tuple[ReplicaKey, ...]
    acknowledged: set[int] = field(default_factory=set)


Role: TypeAlias = Unattached | Prospective | Candidate | Follower | Leader | Resigned

MAY_FOLLOW: dict[type[Role], tuple[type[Role], ...]] = {
    Unattached: (Unattached, Prospective, Follower),
    Prospective: (Unattached, Candidate, Follower),
    Candidate: (Unattached, Prospective, Leader, Follower),
    Follower: (Unattached, Prospective, Follower),
    Leader: (Unattached, Resigned, Follower),
    Resigned: (Unattached, Prospective, Follower),
}
"""Which roles may come after each."""
