"""What the readings of one device come to: each once, in windows, with gaps and outliers.

Readings come out of order and twice. A reading is known by its number, so the second one counts
nothing. It goes into one window of every resolution; a window ends when the watermark has passed
it, and is written then, once. Where no reading came for too long there is a gap, which a timer
notices; it is over with the next reading. An outlier is far from what was usual lately, measured
in deviations that move with the readings.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from typing import NamedTuple

from pyspark.sql import Row

from moldau.platform.quick_dataclass import dataclass
from moldau.programs.pipelines.stateful import State

__all__ = ["OUTPUT", "DeviceLogic", "Found", "window_of"]

OUTPUT = (
    "kind string, device string, began_us bigint, seconds bigint, readings bigint, total double,"
    " low double, high double, value double, deviations double"
)
US_PER_S = 1_000_000
US_PER_MS = 1_000
WARM = 10
"""Readings before anything is unusual."""
SMOOTHING = 0.1
NUMBERS_MAX = 500
"""Numbers that are kept of a device; what comes again later than that is dropped as late."""


class Found(NamedTuple):
    """A window that is over, a gap, an outlier or a reading that came again."""

    kind: str
    device: str
    began_us: int
    seconds: int = 0
    """How long a window is, or a gap was."""
    readings: int = 0
    total: float = 0.0
    low: float | None = None
    high: float | None = None
    value: float | None = None
    deviations: float | None = None


def window_of(at_us: int, seconds: int) -> int:
    """Where the window begins that a time is in."""
    return at_us - at_us % (seconds * US_PER_S)


@dataclass(frozen=True, kw_only=True)
class DeviceLogic:
    """A `Logic` of stateful.py; rows have device, seq, value and at_us."""

    resolutions_s: tuple[int, ...] = (60, 900, 3_600)
    gap_s: int = 120
    deviations_max: int = 6

    def take(self, state: State, row: Row) -> Iterator[Found]:
        state["device"] = row.device
        numbers = state.setdefault("numbers", [])
        if row.seq in numbers:
            yield Found("again", row.device, row.at_us, value=row.value)
            return
        state["numbers"] = sorted([*numbers, row.seq])[-NUMBERS_MAX:]
        yield from self._ended_gap(state, row.at_us)
        yield from self._outlier(state, row)
        if row.at_us > state.get("last_us", row.at_us):
            state["is_quiet"] = False
        state["last_us"] = max(row.at_us, state.get("last_us", row.at_us))
        for seconds in self.resolutions_s:
            _add_to_window(state, row, seconds)

    def deadline_ms(self, state: State) -> int | None:
        """When the next window ends, or it has been quiet for too long."""
        deadlines_us = [
            began_us + int(seconds) * US_PER_S
            for seconds, windows in state.get("windows", {}).items()
            for began_us in map(int, windows)
        ]
        if not state.get("is_quiet"):
            deadlines_us.append(state["last_us"] + self.gap_s * US_PER_S)
        return min(deadlines_us) // US_PER_MS + 1 if deadlines_us else None

    def expire(self, state: State, now_ms: int) -> Iterator[Found]:
        now_us = now_ms * US_PER_MS
        yield from _ended_windows(state, now_us)
        if not state.get("is_quiet") and now_us > state["last_us"] + self.gap_s * US_PER_S:
            state["is_quiet"] = True
            yield Found("quiet", state["device"], state["last_us"])

    def _ended_gap(self, state: State, at_us: int) -> Iterator[Found]:
        """A gap is over: with the reading behind it, whether a timer came before or not."""
        if "last_us" in state and at_us - state["last_us"] > self.gap_s * US_PER_S:
            seconds = (at_us - state["last_us"]) // US_PER_S
            yield Found("gap", state["device"], state["last_us"], seconds)

    def _outlier(self, state: State, row: Row) -> Iterator[Found]:
        count, mean, variance = state.get("usual", (0, row.value, 0.0))
        off = row.value - mean
        deviations = abs(off) / sqrt(variance) if variance else 0.0
        if count >= WARM and deviations > self.deviations_max:
            value = {"value": row.value, "deviations": deviations}
            yield Found("outlier", row.device, row.at_us, **value)
            return
        share = max(SMOOTHING, 1 / (count + 1))
        variance = (1 - share) * (variance + share * off * off)
        state["usual"] = (count + 1, mean + share * off, variance)


def _add_to_window(state: State, row: Row, seconds: int) -> None:
    windows = state.setdefault("windows", {}).setdefault(str(seconds), {})
    began = str(window_of(row.at_us, seconds))
    count, total, low, high = windows.get(began, (0, 0.0, row.value, row.value))
    windows[began] = (count + 1, total + row.value, min(low, row.value), max(high, row.value))


def _ended_windows(state: State, now_us: int) -> Iterator[Found]:
    for seconds, windows in state.get("windows", {}).items():
        length_us = int(seconds) * US_PER_S
        ended = [began for began in windows if int(began) + length_us < now_us]
        for began in sorted(ended, key=int):
            count, total, low, high = windows.pop(began)
            sums = {"readings": count, "total": total, "low": low, "high": high}
            yield Found("window", state["device"], int(began), int(seconds), **sums)
