"""Numbers over time, in memory: a bounded ring for each series, filled while a page looks at it."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Final

__all__ = ["Samples"]

KEPT: Final = 360
"""Samples of a series: half an hour at one in five seconds."""
SERIES_MAX: Final = 20_000
"""Beyond that, series that were not there before are left out: memory is bounded."""
MS_PER_SECOND: Final = 1000


class Samples:
    """All series share their times, so that each keeps nothing but values."""

    def __init__(self, kept: int = KEPT, series_max: int = SERIES_MAX) -> None:
        self._kept = kept
        self._series_max = series_max
        self.times: deque[int] = deque(maxlen=kept)
        self._values: dict[str, deque[float | None]] = {}

    def add(self, time_ms: int, values: Mapping[str, float]) -> None:
        """One sample of each; a series that has none now has a gap."""
        before = len(self.times)
        self.times.append(time_ms)
        for name in values.keys() - self._values.keys():
            if len(self._values) < self._series_max:
                self._values[name] = deque([None] * before, maxlen=self._kept)
        for name, series in list(self._values.items()):
            series.append(values.get(name))
            if all(value is None for value in series):
                del self._values[name]

    def series(self, name: str) -> list[float | None]:
        return list(self._values.get(name, ()))

    def rates(self, name: str) -> list[float | None]:
        """What a growing number grows by in a second; a gap where it is not known, or shrank."""
        values, times = self.series(name), list(self.times)
        pairs = zip(values, values[1:], times, times[1:], strict=False)
        return [None, *(_rate(*pair) for pair in pairs)] if values else []


def _rate(before: float | None, after: float | None, start_ms: int, end_ms: int) -> float | None:
    if before is None or after is None or after < before or end_ms <= start_ms:
        return None
    return (after - before) * MS_PER_SECOND / (end_ms - start_ms)
