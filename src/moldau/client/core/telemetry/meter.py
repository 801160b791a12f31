"""What a client counts and measures of itself, under the names that Java's clients give it.

    meter.count("connection.creation")             → .total and .rate
    meter.time("node.request.latency", 3.0, "1")   → .avg and .max, of node 1

Nothing is counted for a record; a request or a batch is the least. Averages, rates and differences
are of the time since the last push that arrived.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

__all__ = ["Meter", "Point"]

MS_PER_SECOND = 1000


class Point(NamedTuple):
    """One number of a metric."""

    name: str
    value: float
    is_sum: bool = False
    """A count: the difference since the last push, or the total."""
    node_id: str = ""


class _Count:
    __slots__ = ("pushed", "total")

    def __init__(self) -> None:
        self.total = 0
        self.pushed = 0


class _Times:
    __slots__ = ("count", "longest", "total")

    def __init__(self) -> None:
        self.count = 0
        self.total = self.longest = 0.0


class Meter:
    """The metrics of one client."""

    def __init__(self) -> None:
        self.gauges: dict[str, Callable[[], float]] = {}
        """Looked at when they are pushed."""
        self._counts: dict[str, _Count] = {}
        self._times: dict[tuple[str, str], _Times] = {}
        self._since_ms = 0

    def __repr__(self) -> str:
        return f"<Meter: {len(self._counts)} counts, {len(self._times)} times>"

    def count(self, name: str) -> None:
        found = self._counts.get(name)
        if found is None:
            found = self._counts[name] = _Count()
        found.total += 1

    def time(self, name: str, duration_ms: float, node_id: str = "") -> None:
        found = self._times.get((name, node_id))
        if found is None:
            found = self._times[name, node_id] = _Times()
        found.count += 1
        found.total += duration_ms
        if duration_ms > found.longest:
            found.longest = duration_ms

    def points(self, now_ms: int, *, is_delta: bool) -> list[Point]:
        """All there is to push; it stays until `pushed`."""
        seconds = max(now_ms - self._since_ms, 1) / MS_PER_SECOND
        points = [Point(name, read()) for name, read in self.gauges.items()]
        for name, count in self._counts.items():
            more = count.total - count.pushed
            points.append(Point(f"{name}.total", more if is_delta else count.total, is_sum=True))
            points.append(Point(f"{name}.rate", more / seconds))
        for (name, node_id), times in self._times.items():
            if times.count:
                average = times.total / times.count
                points.append(Point(f"{name}.avg", average, node_id=node_id))
                points.append(Point(f"{name}.max", times.longest, node_id=node_id))
        return points

    def pushed(self, now_ms: int) -> None:
        """A push has arrived: what is measured begins anew."""
        self._since_ms = now_ms
        for count in self._counts.values():
            count.pushed = count.total
        self._times.clear()
