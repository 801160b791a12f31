"""What the controller answers with: records to write, and the reply for when they are committed."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple, TypeAlias

from moldau.network.principal import Principal
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.wire.schema import Message


class Sender(NamedTuple):
    """The client whose request a broker passes on."""

    principal: Principal
    host: str
    """Where it comes from, as a literal address."""
    correlation_id: int = 0


@dataclass(frozen=True, slots=True)
class Call:
    """Where a request comes from, as far as a controller needs it."""

    version: int
    """Of the request's API."""
    principal: str = "User:ANONYMOUS"
    client_id: str = ""
    charge: Callable[[int], None] = lambda count: None
    """Counts partitions that come or go against the caller's quota, or refuses them (KIP-599)."""
    sender: Sender | None = None
    """None where the broker asks for itself."""


class RaisedVersion(NamedTuple):
    """The quorum is to raise its `kraft.version`, which no metadata record holds (KIP-853)."""

    level: int
    only_checks: bool
    """Nothing is to happen but a refusal."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Append these, and answer when they are committed."""

    records: Sequence[Message] = ()
    """Metadata records in the order in which they are to be applied."""
    reply: Message | None = None
    """None only where no request led to it."""
    reply_at_offset: Callable[[int], Message] | None = None
    """For replies that hold the offset of the last record, as a broker's epoch does."""
    kraft_version: RaisedVersion | None = None
    """What becomes of the quorum's own level, first of all."""
    is_atomic: bool = True
    """All or none, in one batch, whose size has a bound. What happens to a broker touches as many
    partitions as it has, and each of them for itself: such records may be spread over several."""


Deciding: TypeAlias = Generator[None, None, Decision]
"""A decision about as many things as a request named. Where it yields, the node may serve others,
but no other decision begins and nothing is applied before this one is: it sees one state."""
