"""What happens to a member of the quorum.

Requests carry a ticket, which comes back in the effect that answers them. `asked` is whom the
sender meant; a part of it that the sender did not know is not compared.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from moldau.broker.quorum.log_view import LogEnd, SnapshotId
from moldau.broker.quorum.voters import ReplicaKey, Voter
from moldau.platform.buffers import Buffer
from moldau.protocol.wire.error_codes import ErrorCode

Ticket = int


class Started(NamedTuple):
    """The machine begins; comes once, first."""


class TimePassed(NamedTuple):
    """`wake_at_ms` has come."""


class VoteRequested(NamedTuple):
    """A voter asks for this node's vote, or its pre-vote."""

    ticket: Ticket
    candidate: ReplicaKey
    epoch: int
    log_end: LogEnd
    pre_vote: bool = False
    asked: ReplicaKey | None = None


class VoteAnswered(NamedTuple):
    """A voter has answered."""

    voter_id: int
    pre_vote: bool
    asked_epoch: int
    """The epoch in which it was asked."""
    epoch: int
    leader_id: int | None
    granted: bool
    knows_pre_votes: bool = True


class LeaderAnnounced(NamedTuple):
    """A leader announces that it leads (BeginQuorumEpoch)."""

    ticket: Ticket
    leader_id: int
    epoch: int
    asked: ReplicaKey | None = None


class LeaderResigned(NamedTuple):
    """A leader announces that it resigns (EndQuorumEpoch)."""

    ticket: Ticket
    leader_id: int
    epoch: int
    successors: tuple[int, ...] = ()
    """The best first."""


class VoterAnswered(NamedTuple):
    """A voter has answered BeginQuorumEpoch or EndQuorumEpoch."""

    voter_id: int
    epoch: int
    leader_id: int | None
    accepted: bool


class FetchRequested(NamedTuple):
    """A replica fetches what lies at `offset`, and has everything below on its disk."""

    ticket: Ticket
    replica: ReplicaKey
    epoch: int
    """The current leader epoch of the replica; -1 is not compared."""
    offset: int
    last_epoch: int
    """Of the record before `offset`."""


class FetchAnswered(NamedTuple):
    """The node that was asked has answered."""

    from_id: int
    asked: LogEnd
    """The end of the log here when it was asked."""
    number: int
    """That of the fetch."""
    epoch: int
    leader_id: int | None
    succeeded: bool
    high_watermark: int = -1
    diverging: LogEnd | None = None
    snapshot: SnapshotId | None = None
    records: Buffer | None = None


class SnapshotRequested(NamedTuple):
    """A replica has asked for a piece of a snapshot: it cannot fetch until it has all of it."""

    replica: ReplicaKey
    epoch: int


class SnapshotPieceFetched(NamedTuple):
    """The leader has answered with a piece of its snapshot."""

    from_id: int
    epoch: int


class SnapshotFetched(NamedTuple):
    """The snapshot that the leader named is complete, and the log begins behind it."""

    snapshot: SnapshotId


class Unreachable(NamedTuple):
    """A question got no answer."""

    node_id: int
    is_refused: bool = False
    """The host answers, and no process listens where that node did."""


class Flushed(NamedTuple):
    """Everything below `end_offset` is on the disk."""

    end_offset: int


class AddVoterAsked(NamedTuple):
    """AddRaftVoter."""

    ticket: Ticket
    voter: Voter
    ack_when_committed: bool = True
    """Else it is answered when the change is appended."""


class RemoveVoterAsked(NamedTuple):
    """RemoveRaftVoter."""

    ticket: Ticket
    key: ReplicaKey


class UpdateVoterAsked(NamedTuple):
    """A voter reports where it can be reached now."""

    ticket: Ticket
    voter: Voter
    epoch: int


class VoterChangeAnswered(NamedTuple):
    """The leader has answered what this node asked for about itself."""

    asked_epoch: int
    is_update: bool
    error: ErrorCode


class StopWanted(NamedTuple):
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
    | SnapshotRequested
    | SnapshotPieceFetched
    | SnapshotFetched
    | Unreachable
    | Flushed
    | AddVoterAsked
    | RemoveVoterAsked
    | UpdateVoterAsked
    | VoterChangeAnswered
    | StopWanted
)
