"""Calls of code that may not come back, ended by a signal in the thread that makes them.

The signal reaches whatever runs Python or waits in the kernel; code in C that does neither is not
ended by it. It is for the main thread of a process that has no other use for SIGALRM.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

__all__ = ["CallTimes", "TimeLimitError", "TimeSpentError"]

Value = TypeVar("Value")
MS_PER_S = 1000
AGAIN_S = 0.05
"""Code that swallows the first one gets another."""


class TimeLimitError(BaseException):
    """A call took too long; no `except Exception` of foreign code takes this."""


class TimeSpentError(Exception):
    """Calls before it have used all the time that there was."""


class CallTimes:
    """So long for a call, and so long for all of them until it begins anew."""

    def __init__(self, call_ms: float, all_ms: float) -> None:
        self.call_ms = call_ms
        self.all_ms = all_ms
        self._left_ms = all_ms
        self._is_armed = False
        self._ended = 0
        """How often the signal has come."""

    def begin(self) -> None:
        """All the time is there again."""
        self._left_ms = self.all_ms

    def run(self, call: Callable[[], Value]) -> Value:
        """What it returns; or `TimeLimitError`, or `TimeSpentError`, or what it raises."""
        if self._left_ms <= 0:
            raise TimeSpentError
        previous = signal.signal(signal.SIGALRM, self._end)
        self._is_armed, self._ended = True, 0
        signal.setitimer(signal.ITIMER_REAL, self.call_ms / MS_PER_S, AGAIN_S)
        try:
            return call()
        finally:
            self._is_armed = False
            left_s, _ = signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, previous)
            self._left_ms -= self.call_ms + (self._ended * AGAIN_S - left_s) * MS_PER_S

    def _end(self, _number: int, _frame: FrameType | None) -> None:
        if self._is_armed:  # a signal may be delivered when the call is over
            self._ended += 1
            raise TimeLimitError
