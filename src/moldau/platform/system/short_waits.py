"""Whether a wait will probably be shorter than falling asleep and being woken takes.

A thread that waits in the kernel is woken by an interrupt, on a core that has meanwhile fallen
idle: in a virtual machine that takes as long as answering a small request does. A client that asks
again as soon as it is answered pays for it twice. So after some short waits in a row a loop asks
its selector over and over, for as long as a short wait may take, before it sleeps.

This is bounded from both sides: only waits that end within `SHORT_NS` count as short, which a node
has that serves thousands of requests a second and no other; and a poll in vain makes it sleep a few
times before the next.
"""

from __future__ import annotations

from typing import Final

__all__ = ["POLL_NS", "SHORT_NS", "ShortWaits"]

POLL_NS: Final = 40_000
"""How long is polled: what being asleep costs in time, or a little more."""
SHORT_NS: Final = 60_000
"""A wait asleep that could have been a poll with success: `POLL_NS`, and being woken."""
_ENOUGH: Final = 8
"""Short waits in a row, after which the next one is expected to be short."""
_AFTER_A_POLL_IN_VAIN: Final = 4


class ShortWaits:
    """How the last waits of one loop were."""

    def __init__(self) -> None:
        self._in_a_row = 0

    @property
    def expect_another(self) -> bool:
        return self._in_a_row >= _ENOUGH

    def note(self, took_ns: int) -> None:
        """A wait asleep is over."""
        self._in_a_row = self._in_a_row + 1 if took_ns < SHORT_NS else 0

    def note_poll_in_vain(self) -> None:
        self._in_a_row = _AFTER_A_POLL_IN_VAIN
