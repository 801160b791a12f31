"""How far a program is in what was returned to it last.

ahead     polled for an iteration, and not handed to the program yet
untaken   from this offset on it has taken nothing; any call but the next step of the iteration
          puts that back, so that commits and positions are those of the program
undone    from this offset on nothing counts as done, should the program fail now

An iteration costs nothing here: the iterator of its list knows how far it is. It is only asked when
something else is called, and it ends with that, so that the iteration asks for records anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from moldau.client.core.consuming.record import ConsumerRecord

__all__ = ["HandedOut"]


class HandedOut:
    """Offsets of the records that were returned last: where the program is among them."""

    def __init__(self) -> None:
        self.untaken: int | None = None
        self.undone: int | None = None
        self._iterated: Sequence[ConsumerRecord] = ()
        self._ahead: Iterator[ConsumerRecord] = iter(())

    def __repr__(self) -> str:
        return f"<HandedOut: {len(self._iterated)} iterated>"

    def asked(self) -> None:
        """More is asked for: what was returned before is done with."""
        self._stop_iterating()
        self.undone = None

    def returned(self, records: Sequence[ConsumerRecord]) -> None:
        """All of these, at once."""
        if records:
            self.undone = records[0].offset

    def iterate(
        self, records: Sequence[ConsumerRecord], unreadable: int | None = None
    ) -> Iterator[ConsumerRecord]:
        """These are handed out one by one; behind them may be one that cannot be read."""
        self._iterated, self._ahead = records, iter(records)
        self.untaken = unreadable
        return self._ahead

    def is_part(self, first: int, following: int, end: int) -> None:
        """Records from `first` up to `following` were handed out, of a chunk that has more."""
        self.undone = first
        self.untaken = following if following < end else None

    def take_untaken(self) -> int | None:
        """What is to be put back, if there is any; and it counts as put back."""
        self._stop_iterating()
        untaken, self.untaken = self.untaken, None
        return untaken

    def take_undone(self) -> int | None:
        """The same after a failure."""
        untaken = self.take_untaken()
        undone, self.undone = self.undone, None
        return untaken if undone is None else undone

    def _stop_iterating(self) -> None:
        records, rest = self._iterated, list(self._ahead)
        self._iterated = ()
        if len(rest) < len(records):
            self.undone = records[len(records) - len(rest) - 1].offset
        if rest:
            self.untaken = rest[0].offset
