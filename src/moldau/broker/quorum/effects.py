"""The effects of a quorum member, in the order in which they are carried out.

The order matters: what is persisted must be on the disk before the next effect is begun, for what
is sent and answered afterwards promises it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from moldau.broker.quorum.events import Ticket
from moldau.broker.quorum.log_view import LogEnd, SnapshotId
from moldau.broker.quorum.state_file import ElectionState
from moldau.broker.quorum.voters import ReplicaKey, Voter, VoterSet
from moldau.platform.buffers import Buffer
from moldau.protocol.wire.error_codes import ErrorCode


class Persist(NamedTuple):
    """Write `quorum-state`, and go on when it is on the disk."""

    state: ElectionState


class AskVote(NamedTuple):
    """Ask a voter for its vote, or its opinion."""

    to: ReplicaKey
    epoch: int
    log_end: LogEnd
    pre_vote: bool


class Announce(NamedTuple):
    """Announce to a voter that this node leads (BeginQuorumEpoch)."""

    to: ReplicaKey
    epoch: int


class EndQuorumEpoch(NamedTuple):
    """Announce to a voter that this node leads no more (EndQuorumEpoch)."""

    to: ReplicaKey
    epoch: int
    successors: tuple[ReplicaKey, ...]


class Fetch(NamedTuple):
    """Ask the leader for more; where no leader is known, `to` is None: any voter."""

    to: int | None
    epoch: int
    log_end: LogEnd
    high_watermark: int
    number: int
    """Each has a higher one than those before it."""


class FetchSnapshot(NamedTuple):
    """The leader's log does not reach back far enough: load this snapshot of it."""

    to: int
    epoch: int
    snapshot: SnapshotId


class Answer(NamedTuple):
    """Answer a request about votes, epochs or voters."""

    ticket: Ticket
    error: ErrorCode
    epoch: int
    leader_id: int | None
    granted: bool = False


class AnswerFetch(NamedTuple):
    """Answer a fetch: with what lies at the offset that was asked for, or with why there is none.

    Without error, divergence and snapshot the records from that offset on are to be sent; where
    there are none yet the answer waits.
    """

    ticket: Ticket
    error: ErrorCode
    epoch: int
    leader_id: int | None
    high_watermark: int = -1
    diverging: LogEnd | None = None
    snapshot: SnapshotId | None = None


class AskUpdateVoter(NamedTuple):
    """Ask the leader to note where this voter is reached, and with which disk (UpdateRaftVoter)."""

    to: int
    epoch: int
    voter: Voter


class AskAddVoter(NamedTuple):
    """Ask the leader to let this node vote (AddRaftVoter)."""

    to: int
    epoch: int
    voter: Voter


class AskRemoveVoter(NamedTuple):
    """Ask the leader to forget a voter: this node with a disk that it has no more."""

    to: int
    epoch: int
    key: ReplicaKey


class BeginEpoch(NamedTuple):
    """Write that this node leads: the first record of its epoch, with voters if they are news."""

    epoch: int
    voters: VoterSet
    granting: tuple[int, ...]
    voters_to_write: VoterSet | None


class AppendVoters(NamedTuple):
    """Write a changed voter set."""

    epoch: int
    voters: VoterSet


class RaiseVersion(NamedTuple):
    """Write that voters stand in the log from now on, and which they are."""

    epoch: int
    kraft_version: int
    voters: VoterSet


class AppendFetched(NamedTuple):
    """Append these batches as they are, sync them, and say `Flushed`."""

    records: Buffer
    epoch: int


class Truncate(NamedTuple):
    """Drop what lies at and after `offset`."""

    offset: int


class Committed(NamedTuple):
    """Everything below is agreed upon for ever."""

    high_watermark: int


class RoleChanged(NamedTuple):
    """This node took another role, or another leader is known."""

    role: str
    epoch: int
    leader_id: int | None


Effect: TypeAlias = (
    Persist
    | AskVote
    | Announce
    | EndQuorumEpoch
    | Fetch
    | FetchSnapshot
    | Answer
    | AnswerFetch
    | AskUpdateVoter
    | AskAddVoter
    | AskRemoveVoter
    | BeginEpoch
    | AppendVoters
    | AppendFetched
    | Truncate
    | Committed
    | RoleChanged
)
Effects = Sequence[Effect]
