"""Whether a wait will probably be shorter than falling asleep and being woken takes.

A thread that waits in the kernel is woken by an interrupt, on a core that has meanwhile fallen
idle: in a virtual machine that takes as long as answering a small request does. A client that asks
again as soon as it is answered pays for it twice. So after some short waits in a row a loop asks
its selector over and over, for as long as a short wait may take, before it sleeps.

Only where that is seen, and harms no other program: not after a wait that took longer; not where
the loop works for long between two waits, for then nothing would be seen of it; not right after a
poll in vain; and not for a while after the kernel has given the core to another program. A thread
that polls is in the kernel's eyes one that computes, and waits for its turn behind others; one that
sleeps comes first when it is woken. It shows in time that the thread neither slept nor ran.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

__all__ = ["POLL_NS", "ShortWaits"]

POLL_NS: Final = 40_000
"""How long is polled: what being asleep costs in time, or a little more."""
SHORT_NS: Final = 60_000
"""A wait asleep that could have been a poll with success: `POLL_NS`, and being woken."""
LITTLE_WORK_NS: Final = 60_000
"""Between two waits."""
LOST_NS: Final = 300_000
"""What the kernel's own threads may take of the core between two looks, at most."""
HOLD_FACTOR: Final = 20
"""How much longer than it was without its core a loop does not poll: 5 % is lost at most."""
HOLD_MAX_NS: Final = 200_000_000
"""What was lost may be from long ago: the last look was when the loop polled last."""
_ENOUGH: Final = 8
"""Short waits in a row, after which the next one is expected to be short."""
_AFTER_A_POLL_IN_VAIN: Final = 4
_POLLS_TO_LOOK: Final = 8
"""Polls after which it is looked whether the core was taken away meanwhile: 0.3 us each time."""


class ShortWaits:
    """How the last waits of one loop were."""

    def __init__(self, ran_ns: Callable[[], int]) -> None:
        """`ran_ns` is how long this thread has had a core so far."""
        self._ran_ns = ran_ns
        self._in_a_row = 0
        self._polls = _POLLS_TO_LOOK
        """Since the last look."""
        self._lost_so_far_ns: int | None = None
        """The clock at the last look, less what this thread ran and slept until then."""
        self._slept_ns = 0
        self._not_before_ns = 0

    def should_poll(self, worked_ns: int, now_ns: int) -> bool:
        """Whether to poll, after so much work since the last wait."""
        if self._in_a_row < _ENOUGH or worked_ns >= LITTLE_WORK_NS or now_ns < self._not_before_ns:
            return False
        if self._polls == _POLLS_TO_LOOK:
            return self._is_alone(now_ns)
        self._polls += 1
        return True

    def _is_alone(self, now_ns: int) -> bool:
        lost_so_far_ns = now_ns - self._ran_ns() - self._slept_ns
        before_ns, self._lost_so_far_ns = self._lost_so_far_ns, lost_so_far_ns
        self._polls = 0
        lost_ns = 0 if before_ns is None else lost_so_far_ns - before_ns
        if lost_ns <= LOST_NS:
            return True
        self._not_before_ns = now_ns + min(HOLD_FACTOR * lost_ns, HOLD_MAX_NS)
        return False

    def note(self, worked_ns: int, took_ns: int) -> None:
        """After that work a wait asleep is over."""
        self._slept_ns += took_ns
        is_short = took_ns < SHORT_NS and worked_ns < LITTLE_WORK_NS
        self._in_a_row = self._in_a_row + 1 if is_short else 0

    def note_poll_in_vain(self) -> None:
        self._in_a_row = _AFTER_A_POLL_IN_VAIN
