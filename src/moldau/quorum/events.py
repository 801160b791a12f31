"""What happens to a member of the quorum.

Requests carry a ticket, which comes back in the effect that answers them. `asked` is whom the
sender meant; a part of it that the sender did not know is not compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from moldau.buffers import Buffer
from moldau.quorum.log_view import LogEnd, SnapshotId
from moldau.quorum.voters import ReplicaKey, Voter

Ticket = int


@dataclass(frozen=True, slots=True)
class Started:
    """The machine begins; comes once, first."""


@dataclass(frozen=True, slots=True)
class TimePassed:
    """`wake_at_ms` has come."""


@dataclass(frozen=True, slots=True)
class VoteRequested:
    """A voter wants this node's vote, or its opinion."""

    ticket: Ticket
    candidate: ReplicaKey
    epoch: int
    log_end: LogEnd
    pre_vote: bool = False
    asked: ReplicaKey | None = None


@dataclass(frozen=True, slots=True)
class VoteAnswered:
    """A voter has answered."""

    voter_id: int
    pre_vote: bool
    asked_epoch: int
    """The epoch in which it was asked."""
    epoch: int
    leader_id: int | None
    granted: bool
    knows_pre_votes: bool = True


@dataclass(frozen=True, slots=True)
class LeaderAnnounced:
    """A leader says that it leads (BeginQuorumEpoch)."""

    ticket: Ticket
    leader_id: int
    epoch: int
    asked: ReplicaKey | None = None


@dataclass(frozen=True, slots=True)
class LeaderResigned:
    """A leader says that it stops (EndQuorumEpoch)."""

    ticket: Ticket
    leader_id: int
    epoch: int
    successors: tuple[int, ...] = ()
    """The best first."""


@dataclass(frozen=True, slots=True)
class VoterAnswered:
    """A voter has answered an announcement or a farewell."""

    voter_id: int
    epoch: int
    leader_id: int | None
    accepted: bool


@dataclass(frozen=True, slots=True)
class FetchRequested:
    """A replica wants what lies at `offset`, and has everything below on its disk."""

    ticket: Ticket
    replica: ReplicaKey
    epoch: int
    """The one it believes in; -1 is not compared."""
    offset: int
    last_epoch: int
    """Of the record before `offset`."""


@dataclass(frozen=True, slots=True)
class FetchAnswered:
    """The node that was asked has answered."""

    from_id: int
    asked: LogEnd
    """The end of the log here when it was asked."""
    epoch: int
    leader_id: int | None
    succeeded: bool
    high_watermark: int = -1
    diverging: LogEnd | None = None
    snapshot: SnapshotId | None = None
    records: Buffer | None = None


@dataclass(frozen=True, slots=True)
class SnapshotFetched:
    """The snapshot that the leader named is complete, and the log begins behind it."""

    snapshot: SnapshotId


@dataclass(frozen=True, slots=True)
class Unreachable:
    """A question got no answer."""

    node_id: int


@dataclass(frozen=True, slots=True)
class Flushed:
    """Everything below `end_offset` is on the disk."""

    end_offset: int


@dataclass(frozen=True, slots=True)
class AddVoterAsked:
    """Somebody wants a controller to vote."""

    ticket: Ticket
    voter: Voter
    ack_when_committed: bool = True
    """Else it is answered when the change is appended."""


@dataclass(frozen=True, slots=True)
class RemoveVoterAsked:
    """Somebody wants a controller to vote no more."""

    ticket: Ticket
    key: ReplicaKey


@dataclass(frozen=True, slots=True)
class UpdateVoterAsked:
    """A voter says where it can be reached now."""

    ticket: Ticket
    voter: Voter
    epoch: int


@dataclass(frozen=True, slots=True)
class StopWanted:
    """The node is about to stop."""


Event: TypeAlias = (
    Started
    | TimePassed
    | VoteRequested
    | VoteAnswered
    | LeaderAnnounced
    | LeaderResigned
    | VoterAnswered
    | FetchRequested
    | FetchAnswered
    | SnapshotFetched
    | Unreachable
    | Flushed
    | AddVoterAsked
    | RemoveVoterAsked
    | UpdateVoterAsked
    | StopWanted
)
