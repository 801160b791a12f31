"""Numbers of the last minute, for readers of one value that compute no difference of two.

`Recent` is Kafka's pair of `…-avg` and `…-max`: two windows of half a minute, of which the older
one is dropped whole. `Share` is how much of the time something was so; it remembers what it was
known from earlier readings, and costs nothing between them.
"""

from __future__ import annotations

from collections import deque
from math import nan

__all__ = ["Recent", "Share"]

WINDOW_MS = 30_000
WINDOWS = 2
"""Kafka's `metrics.sample.window.ms` and `metrics.num.samples`."""
MINUTE_NS = 60_000_000_000
READINGS_MAX = 64
"""One for each second of a minute; readers that ask more often get less than a minute."""
SECOND_NS = 1_000_000_000


class Recent:
    """Average and maximum of what was recorded lately; no numbers where nothing was."""

    def __init__(self) -> None:
        self._windows: deque[list[float]] = deque(maxlen=WINDOWS)
        """Of each: its beginning, sum, count and maximum."""

    def __repr__(self) -> str:
        return f"Recent({len(self._windows)} windows)"

    def record(self, value: float, now_ms: int) -> None:
        if not self._windows or now_ms - self._windows[-1][0] >= WINDOW_MS:
            self._windows.append([now_ms, 0.0, 0, value])
        window = self._windows[-1]
        window[1] += value
        window[2] += 1
        window[3] = max(window[3], value)

    def average(self, now_ms: int) -> float:
        known = self._known(now_ms)
        count = sum(window[2] for window in known)
        return sum(window[1] for window in known) / count if count else nan

    def maximum(self, now_ms: int) -> float:
        return max((window[3] for window in self._known(now_ms)), default=nan)

    def _known(self, now_ms: int) -> list[list[float]]:
        horizon = now_ms - WINDOWS * WINDOW_MS
        return [window for window in self._windows if window[0] > horizon]


class Share:
    """What part of the last minute, or of the time since the last reading if that is longer ago."""

    def __init__(self, total_ns: int, now_ns: int) -> None:
        self._readings: deque[tuple[int, int]] = deque([(now_ns, total_ns)], READINGS_MAX)

    def __repr__(self) -> str:
        return f"Share({len(self._readings)} readings)"

    def at(self, total_ns: int, now_ns: int) -> float:
        """Between 0 and 1; `total_ns` is how long it was so since some beginning."""
        readings = self._readings
        while len(readings) > 1 and readings[1][0] <= now_ns - MINUTE_NS:
            readings.popleft()
        began_ns, had_ns = readings[0]
        if now_ns - readings[-1][0] >= SECOND_NS:
            readings.append((now_ns, total_ns))
        if now_ns <= began_ns:
            return 1.0
        return min(max((total_ns - had_ns) / (now_ns - began_ns), 0.0), 1.0)
