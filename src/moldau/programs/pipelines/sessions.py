"""Sessions by inactivity: clicks of a visitor that are less than a gap apart belong together.

A state machine for `transformWithState`. For each visitor the state is a list of open sessions,
nearly always one, since clicks may come out of their order. A click is a session of its own first,
and then `joined` makes one of all that are close.

A session is over when the watermark has passed its end by the gap. No click that Spark still lets
through can be part of it then, so each session is written once and never changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pyspark.sql import Row
from pyspark.sql.streaming.stateful_processor import (
    ExpiredTimerInfo,
    StatefulProcessor,
    StatefulProcessorHandle,
    TimerValues,
)

__all__ = ["OUTPUT", "STATE", "Session", "SessionProcessor", "joined"]

STATE = "begin_us bigint, end_us bigint, clicks bigint, purchases bigint, entry string"
OUTPUT = f"visitor string, {STATE}"
US_PER_MS = 1_000
PURCHASE = "purchase"


class Session(NamedTuple):
    """Clicks that belong together; times in microseconds."""

    begin_us: int
    end_us: int
    clicks: int
    purchases: int
    entry: str
    """The page of the first click."""


def joined(sessions: Iterable[Session], gap_us: int) -> list[Session]:
    """The same clicks in as few sessions as the gap allows, by their time."""
    found: list[Session] = []
    for session in sorted(sessions):
        if found and session.begin_us - found[-1].end_us < gap_us:
            found[-1] = _both(found[-1], session)
        else:
            found.append(session)
    return found


def _both(earlier: Session, later: Session) -> Session:
    return Session(
        begin_us=earlier.begin_us,
        end_us=max(earlier.end_us, later.end_us),
        clicks=earlier.clicks + later.clicks,
        purchases=earlier.purchases + later.purchases,
        entry=earlier.entry,
    )


class SessionProcessor(StatefulProcessor):
    """Takes rows with `at_us`, `page` and `action` by visitor; gives rows of `OUTPUT`."""

    def __init__(self, gap_us: int) -> None:
        self._gap_us = gap_us

    def init(self, handle: StatefulProcessorHandle) -> None:
        self._handle = handle
        self._open = handle.getListState("open", STATE)

    def handleInputRows(
        self, key: tuple[str], rows: Iterator[Row], timerValues: TimerValues
    ) -> Iterator[Row]:
        before = [Session(*found) for found in self._open.get()]
        clicks = [
            Session(row.at_us, row.at_us, 1, int(row.action == PURCHASE), row.page) for row in rows
        ]
        for session in before:
            self._handle.deleteTimer(self._deadline_ms(session))
        self._keep(joined([*before, *clicks], self._gap_us))
        return iter(())

    def handleExpiredTimer(
        self, key: tuple[str], timerValues: TimerValues, expiredTimerInfo: ExpiredTimerInfo
    ) -> Iterator[Row]:
        passed_ms = expiredTimerInfo.getExpiryTimeInMs()
        known = [Session(*found) for found in self._open.get()]
        over = [session for session in known if self._deadline_ms(session) <= passed_ms]
        rest = [tuple(session) for session in known if session not in over]
        if rest:
            self._open.put(rest)
        else:
            self._open.clear()  # Spark takes no empty list
        return iter([Row(visitor=key[0], **session._asdict()) for session in over])

    def _keep(self, sessions: list[Session]) -> None:
        self._open.put([tuple(session) for session in sessions])
        for deadline_ms in {self._deadline_ms(session) for session in sessions}:
            self._handle.registerTimer(deadline_ms)

    def _deadline_ms(self, session: Session) -> int:
        return (session.end_us + self._gap_us) // US_PER_MS + 1
