"""Lines of the log that repeat are counted, and logged once in a while.

A peer that sends nonsense, or a condition that lasts, must not fill the disk with its log. A line's
kind is its logger, its level and its text before the arguments are put in. In a window of 30 s each
text passes once, and of each kind the first ten; the rest is counted. When the window is over, one
line for each kind has how many more there were, and what the last of them was.

The memory is bounded: a program has as many kinds as its source has lines that log, and the texts
are kept as hashes. Where texts come in readily made, all beyond a thousand kinds count as one.

A filter belongs to a handler: its loggers stay as they are, and other handlers see every line.
"""

from __future__ import annotations

import logging
from dataclasses import field
from typing import Any, NamedTuple

from moldau.platform.ports.clock import Clock
from moldau.platform.ports.tasks import Tasks, Timer
from moldau.platform.quick_dataclass import dataclass

__all__ = ["BurstFilter"]

WINDOW_MS = 30_000
BURST_LINES_MAX = 10
"""Lines of one kind in a window: enough to see what is going on."""
KINDS_MAX = 1_000
LAST_CHARACTERS_MAX = 500
"""Of the last line that was held back, as it is shown."""
NS_PER_MS = 1_000_000
MS_PER_SECOND = 1_000
IS_SUMMARY = "moldau_burst_summary"
"""The attribute of the lines that this filter writes itself."""


class _Kind(NamedTuple):
    logger: str
    level: int
    template: object


OTHERS = _Kind("", 0, None)
"""Whatever comes when there are too many kinds."""


class _Last(NamedTuple):
    """A line that was held back, without its arguments: an error holds all that it met."""

    logger: str
    level: int
    text: str


@dataclass(slots=True)
class _Burst:
    """Lines of one kind in the window."""

    passed: set[int] = field(default_factory=set)
    """Hashes of their texts."""
    held_back: int = 0
    last: _Last | None = None


class BurstFilter(logging.Filter):
    """Lets a handler write the first lines of each kind, and counts the others."""

    def __init__(self, handler: logging.Handler, clock: Clock, tasks: Tasks) -> None:
        super().__init__()
        self._handler = handler
        self._clock = clock
        self._tasks = tasks
        self._bursts: dict[_Kind, _Burst] = {}
        self._began_ns = clock.monotonic_ns()
        self._timer: Timer | None = None

    def begin(self) -> None:
        """From now on; the timer reports a burst that has stopped."""
        self._handler.addFilter(self)
        self._end_window()

    def close(self) -> None:
        """Log what is still counted, and let everything pass from now on."""
        if self._timer is not None:
            self._timer.cancel()
        self._report()
        self._handler.removeFilter(self)

    def filter(self, record: logging.LogRecord) -> bool:
        if hasattr(record, IS_SUMMARY):
            return True
        burst = self._burst_of(record)
        if len(burst.passed) < BURST_LINES_MAX:
            text = hash(_text(record))
            if text not in burst.passed:
                burst.passed.add(text)
                return True
        burst.held_back += 1
        burst.last = _Last(record.name, record.levelno, _text(record))
        return False

    def _burst_of(self, record: logging.LogRecord) -> _Burst:
        template = record.msg if isinstance(record.msg, str) else type(record.msg)
        kind = _Kind(record.name, record.levelno, template)
        if kind not in self._bursts and len(self._bursts) >= KINDS_MAX:
            kind = OTHERS
        return self._bursts.setdefault(kind, _Burst())

    def _end_window(self) -> None:
        self._report()
        self._timer = self._tasks.after(WINDOW_MS, self._end_window)

    def _report(self) -> None:
        """One line for each kind that was held back; the next window begins with nothing."""
        now_ns = self._clock.monotonic_ns()
        elapsed_ms = (now_ns - self._began_ns) // NS_PER_MS
        bursts, self._bursts, self._began_ns = self._bursts, {}, now_ns
        for burst in bursts.values():
            if burst.last is not None:
                self._handler.handle(_summary(burst.last, burst.held_back, elapsed_ms))


def _summary(last: _Last, held_back: int, elapsed_ms: int) -> logging.LogRecord:
    text, seconds = last.text, -(-elapsed_ms // MS_PER_SECOND)
    if len(text) > LAST_CHARACTERS_MAX:
        text = text[:LAST_CHARACTERS_MAX] + "…"
    fields: dict[str, Any] = {
        "name": last.logger,
        "levelno": last.level,
        "levelname": logging.getLevelName(last.level),
        "msg": "… %d more of these in the last %d s, the last of them: %s",
        "args": (held_back, seconds, text),
        IS_SUMMARY: True,
    }
    return logging.makeLogRecord(fields)


def _text(record: logging.LogRecord) -> str:
    """The line's text; two errors with their tracebacks are two lines."""
    try:
        text = record.getMessage()
    except (TypeError, ValueError):
        return str(record.msg)  # the handler will say what is wrong with its arguments
    return f"{text}: {record.exc_info[1]!r}" if record.exc_info else text
