"""Rates of meters, for readers of one value that compute no difference of two.

Kafka's meters keep moving averages, at a cost for each event. Ours only count. What is known here
comes of earlier readings: a rate over one minute is that since the last reading that is at least a
minute old, or the oldest, which at first is the start of the node, when all counts were 0.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from moldau.broker.metrics.name import MetricName

__all__ = ["Rates"]

SECOND_NS: Final = 1_000_000_000
WINDOWS_S: Final = {"OneMinuteRate": 60, "FiveMinuteRate": 300, "FifteenMinuteRate": 900}
BETWEEN_READINGS_NS: Final = 15 * SECOND_NS
READINGS_MAX: Final = 62
"""Enough for fifteen minutes, and the reading before."""
METERS_MAX: Final = 20_000
"""Whose readings are remembered; where more are read, all of them begin anew."""

Reading = tuple[int, int]
"""When, and the count."""


class Rates:
    """The readings of each meter that was read."""

    def __init__(self, began_ns: int) -> None:
        self._began: Reading = (began_ns, 0)
        self._readings: dict[MetricName, deque[Reading]] = {}

    def __repr__(self) -> str:
        return f"Rates({len(self._readings)} meters)"

    def of(self, name: MetricName, count: int, now_ns: int) -> dict[str, float]:
        """Each of Kafka's rates of a meter, a second; this is a reading too."""
        readings = self._readings.get(name)
        if readings is None:
            if len(self._readings) >= METERS_MAX:
                self._readings.clear()
            readings = self._readings[name] = deque((self._began,), READINGS_MAX)
        now = (now_ns, count)
        rates = {"MeanRate": _rate(self._began, now)}
        for rate, seconds in WINDOWS_S.items():
            rates[rate] = _rate(_before(readings, now_ns - seconds * SECOND_NS), now)
        if now_ns - readings[-1][0] >= BETWEEN_READINGS_NS:
            readings.append(now)
        return rates


def _before(readings: deque[Reading], moment_ns: int) -> Reading:
    """The latest reading that is not after a moment; the oldest where all are."""
    found = readings[0]
    for reading in readings:
        if reading[0] > moment_ns:
            break
        found = reading
    return found


def _rate(since: Reading, now: Reading) -> float:
    elapsed_ns = now[0] - since[0]
    return (now[1] - since[1]) * SECOND_NS / elapsed_ns if elapsed_ns > 0 else 0.0
