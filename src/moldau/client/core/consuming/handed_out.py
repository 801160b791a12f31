"""How far a program is in what was returned to it last.

ahead     polled for an iteration, and not handed to the program yet
untaken   from this offset on it has taken nothing; any call but the next step of the iteration
          puts that back, so that commits and positions are those of the program
undone    from this offset on nothing counts as done, should the program fail now
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from moldau.client.core.consuming.record import ConsumerRecord

__all__ = ["HandedOut"]


class HandedOut:
    """Of one consumer."""

    def __init__(self) -> None:
        self.ahead: deque[ConsumerRecord] = deque()
        self.untaken: int | None = None
        self.undone: int | None = None

    def __repr__(self) -> str:
        return f"<HandedOut: {len(self.ahead)} ahead>"

    def asked(self) -> None:
        """More is asked for: what was returned before is done with."""
        self.undone = None

    def returned(self, records: Sequence[ConsumerRecord]) -> None:
        """All of these, at once."""
        if records:
            self.undone = records[0].offset

    def is_iterated(self, records: Sequence[ConsumerRecord]) -> None:
        """These are handed out one by one."""
        self.ahead.extend(records)
        self._look_ahead()

    def next(self) -> None:
        """The first of those ahead was handed out."""
        self.undone = self.ahead.popleft().offset
        self._look_ahead()

    def is_part(self, first: int, following: int, end: int) -> None:
        """Records from `first` up to `following` were handed out, of a chunk that has more."""
        self.undone = first
        self.untaken = following if following < end else None

    def _look_ahead(self) -> None:
        self.untaken = self.ahead[0].offset if self.ahead else None

    def take_untaken(self) -> int | None:
        """What is to be put back, if there is any; and it counts as put back."""
        untaken, self.untaken = self.untaken, None
        self.ahead.clear()
        return untaken

    def take_undone(self) -> int | None:
        """The same after a failure."""
        self.take_untaken()
        undone, self.undone = self.undone, None
        return undone
