"""How fast a client is, and how long to wait until that is no faster than allowed.

A rate is what was recorded in the last windows, mostly eleven of a second, over the time that they
span; what is recorded for the first time counts as if it had lasted for all of them but one. A
client that is too fast waits

    (rate − bound) / bound × time spanned

after which the rate is the bound again. A bucket is filled with tokens at the bound's rate, up to
what the time of all windows brings; what is taken beyond that has to be waited for.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

__all__ = ["RateWindow", "TokenBucket", "Windows"]

MS_PER_SECOND = 1000


class Windows(NamedTuple):
    """How far back a quota looks (`quota.window.…`, `controller.quota.window.…`)."""

    number: int = 11
    size_seconds: int = 1

    @property
    def size_ms(self) -> int:
        return self.size_seconds * MS_PER_SECOND


SECONDS = Windows()
"""Kafka's defaults."""


class RateWindow:
    """What one client does in a second, as far as its limit counts it."""

    def __init__(self, windows: Windows = SECONDS) -> None:
        self._windows = windows.number
        self._window_ms = windows.size_ms
        self._samples: deque[list[float]] = deque()
        """Beginning of each window, and what was recorded in it."""
        self._sum = 0.0

    def record(self, amount: float, now_ms: int) -> None:
        self._expire(now_ms)
        if not self._samples or now_ms - self._samples[-1][0] >= self._window_ms:
            self._samples.append([now_ms, 0.0])
        self._samples[-1][1] += amount
        self._sum += amount

    def forget(self, amount: float) -> None:
        """Take back what was just recorded."""
        self._samples[-1][1] -= amount
        self._sum -= amount

    def rate(self, now_ms: int) -> float:
        """The rate per second."""
        self._expire(now_ms)
        return self._sum / self._span_ms(now_ms) * MS_PER_SECOND

    def delay_ms(self, bound: float, now_ms: int) -> int:
        """How long to wait until the rate is no higher than this."""
        rate = self.rate(now_ms)
        if rate <= bound:
            return 0
        if bound <= 0:
            return self._windows * self._window_ms
        return round((rate - bound) / bound * self._span_ms(now_ms))

    def _span_ms(self, now_ms: int) -> float:
        least = (self._windows - 1) * self._window_ms
        if not self._samples:
            return least
        elapsed = now_ms - self._samples[0][0]
        full = elapsed // self._window_ms
        return max(elapsed + max(self._windows - 1 - full, 0) * self._window_ms, least)

    def _expire(self, now_ms: int) -> None:
        horizon = now_ms - self._windows * self._window_ms
        while self._samples and self._samples[0][0] <= horizon:
            self._sum -= self._samples.popleft()[1]


class TokenBucket:
    """Changes that a client may still ask the controller for."""

    def __init__(self, rate: float, now_ms: int, windows: Windows = SECONDS) -> None:
        self.rate = rate
        self._seconds = windows.number * windows.size_seconds
        self._tokens = rate * self._seconds
        self._filled_ms = now_ms

    def set_rate(self, rate: float, now_ms: int) -> None:
        """From now on; what is owed stays owed."""
        if rate != self.rate:
            self._fill(now_ms)
            self.rate = rate

    def take(self, amount: float, now_ms: int) -> None:
        """More than there is may be taken; it is owed then."""
        self._fill(now_ms)
        self._tokens -= amount

    def delay_ms(self, now_ms: int) -> int:
        """How long until nothing is owed."""
        self._fill(now_ms)
        if self._tokens >= 0:
            return 0
        if self.rate <= 0:
            return self._seconds * MS_PER_SECOND
        return round(-self._tokens / self.rate * MS_PER_SECOND)

    def _fill(self, now_ms: int) -> None:
        elapsed_ms = max(now_ms - self._filled_ms, 0)
        self._filled_ms = now_ms
        burst = self.rate * self._seconds
        self._tokens = min(burst, self._tokens + self.rate * elapsed_ms / MS_PER_SECOND)
