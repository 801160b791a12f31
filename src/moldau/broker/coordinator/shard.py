"""What every shard obeys: decide without assigning, then assign by applying records.

    request ──► decide ──► Decision ──► append ──► apply each record ──► committed ──► replies

A shard's durable state is what its partition's records say. `decide` reads that state and answers
with the records that would change it; `apply` is the only place where durable state is assigned,
so that loading a partition is `apply` in a loop. What dies with the coordinator anyway (who waits
in a join, which heartbeat is due) is volatile, and `decide` and `tick` may assign it.

A request may have to wait for others: its decision then has no reply for its ticket, and a later
decision brings it. A decision's replies leave when its records are committed; if appending fails,
nothing is applied, and `Decision.failed` makes the replies that leave instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from moldau.broker.coordinator.encoded_decision import EncodedDecision, Ticket
from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import Image
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message


class StoredRecord(NamedTuple):
    """A record of a coordinator's log; a value of None takes back the key's earlier value."""

    key: Message
    value: Message | None
    value_version: int = 0
    """The schema version that the value is written in; with a value of None it means nothing."""


class Reply(NamedTuple):
    """The answer to one ticket."""

    ticket: Ticket
    response: Message


@dataclass(frozen=True, slots=True)
class RequestContext:
    """Where a request comes from, as far as a coordinator needs it."""

    ticket: Ticket
    version: int
    """Of the request's API."""
    client_id: str = ""
    client_host: str = ""
    """As Kafka shows it: a slash and the address."""
    correlation: object = None
    """Nothing to the shard; a place for the runtime."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What is to happen, in this order: append records, apply them, wait for commit, reply."""

    records: Sequence[StoredRecord] = ()
    replies: Sequence[Reply] = ()
    effects: Sequence[object] = ()
    """What the runner has to do once the records are committed; each shard declares its own."""
    failed: Callable[[ErrorCode], Sequence[Reply]] | None = None
    """What to put right and to answer when the records cannot be appended.

    Tickets of `replies` that it leaves out are refused with the error.
    """
    producer: tuple[int, int] | None = None
    """Producer id and epoch, when the records belong to a client's transaction."""
    is_atomic: bool = True
    """All records or none, in one batch; what need not be may be spread over several."""


NOTHING = Decision()


class Shard(Protocol):
    """The state machine of one partition of a coordinator's topic."""

    def apply(self, record: StoredRecord, offset: int, now_ms: int) -> None:
        """Assign what this record holds. Also how a shard is loaded, from the first record on."""
        ...

    def loaded(self, now_ms: int) -> Decision:
        """All records of before are applied: set timers, finish what was left half done."""
        ...

    def decide(self, request: Message, asking: RequestContext, now_ms: int) -> Decision:
        """What this request leads to."""
        ...

    def tick(self, now_ms: int) -> Decision:
        """What has become due."""
        ...

    def wake_at_ms(self) -> int | None:
        """When `tick` is wanted next; None as long as nothing can become due."""
        ...

    def unloaded(self) -> Sequence[Reply]:
        """The partition has gone to another broker: replies to all requests that wait."""
        ...


@runtime_checkable
class TransactionalShard(Protocol):
    """A shard whose records may belong to the transactions of clients, as committed offsets do."""

    def apply_pending(
        self, record: StoredRecord, producer_id: int, offset: int, now_ms: int
    ) -> None:
        """This record counts once its producer commits; offsets decide which of two is newer."""
        ...

    def apply_marker(self, producer_id: int, is_commit: bool) -> None:
        """The producer's transaction has ended: what was pending counts, or is forgotten."""
        ...


@runtime_checkable
class JoiningShard(Protocol):
    """A shard with requests that come in crowds and do not depend on each other."""

    def decide_joined(
        self,
        request: object,
        now_ms: int,
    ) -> EncodedDecision:
        """What such a request leads to.

        It reads nothing that another one of them would write: several may be decided before the
        first is applied, and written in one batch.
        """
        ...


@runtime_checkable
class MetadataShard(Protocol):
    """A shard that follows every change of the cluster's metadata."""

    def metadata_changed(self, delta: Delta, image: Image, now_ms: int) -> Decision:
        """The new image is in force; the delta has what is different in it."""
        ...
