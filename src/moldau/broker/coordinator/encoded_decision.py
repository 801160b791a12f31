"""A decision whose records are encoded already: what requests that come in crowds lead to.

No message is made of its records, and the shard that made it applies them by a function of its own.
The hot path makes one for each request, so it lies apart from the other decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from moldau.protocol.wire.schema import Message

__all__ = ["EncodedDecision", "Pair", "Ticket"]

Ticket: TypeAlias = int
"""Names a request that is not answered yet; the runtime makes and keeps them."""
Pair: TypeAlias = tuple[bytes, bytes | None]
"""The key and the value of a record, encoded."""


class EncodedDecision:
    """Records to append, how to apply them, and the response."""

    __slots__ = ("apply", "kind", "pairs", "response", "ticket")

    def __init__(
        self,
        kind: type[Message],
        pairs: Sequence[Pair],
        response: Message,
        apply: Callable[[int, int], None],
    ) -> None:
        self.kind = kind
        """Of the keys of all records; none is a tombstone."""
        self.pairs = pairs
        self.response = response
        self.apply = apply
        """Called when the records are in the log, with the first one's offset and the time."""
        self.ticket: Ticket = 0
        """Given to it by the runner if the response has to wait."""
