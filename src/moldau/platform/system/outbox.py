"""Small answers that wait a moment for those of the same turn.

Where several connections are readable at once their requests are worked through first, and then
all is sent, one answer after the other. That is less work than sending each answer at once. A peer
with many connections is woken by the first answer and finds the others while it is awake, instead
of being woken by each: waking a peer is a third of what it costs to send. And neither the
interpreter nor the kernel throws the other one out of the processor's caches for every request.

An answer waits for a few others at most, and for nothing that takes long: a handler that will take
in or to send more than a little empties the outbox before. What waits counts as sent (a link's
`unsent` leaves it out), because it is before anything else has a turn.
"""

from __future__ import annotations

from typing import Final, Protocol

__all__ = ["HELD_BYTES_MAX", "HELD_LINKS_MAX", "Holder", "Outbox"]

HELD_LINKS_MAX: Final = 16
"""Answers that wait for each other: half a millisecond's work. With 8 or 64 of them the processor's
time is the same within what can be measured."""
HELD_BYTES_MAX: Final = 4096
"""Of one answer; a larger one costs more to send than waking its reader."""


class Holder(Protocol):
    """The links that have something to send."""

    def send_held(self) -> None: ...


class Outbox:
    """What one loop sends; open while the loop calls readable links."""

    __slots__ = ("_holders", "is_open")

    def __init__(self) -> None:
        self.is_open = False
        self._holders: list[Holder] = []

    def __repr__(self) -> str:
        return f"Outbox({'open' if self.is_open else 'closed'}, {len(self._holders)} wait)"

    def add(self, holder: Holder) -> None:
        """Its `send_held` is called soon."""
        self._holders.append(holder)
        if len(self._holders) >= HELD_LINKS_MAX:
            self.empty()

    def empty(self) -> None:
        """Have all sent that waits."""
        if self._holders:
            holders, self._holders = self._holders, []
            for holder in holders:
                holder.send_held()

    def close(self) -> None:
        self.is_open = False
        self.empty()
