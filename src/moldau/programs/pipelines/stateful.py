"""Plain Python with state by key and deadlines, run by Spark's `transformWithState`.

A `Logic` knows nothing of Spark. It changes a dictionary that belongs to one key, gives rows, and
returns when it is to be called again though nothing came:

    class Quiet:
        def take(self, state, row):       # rows of a key, in the order of their offsets
            state["last_ms"] = row.at_ms
            return ()

        def deadline_ms(self, state):
            return state["last_ms"] + 60_000 if state else None

        def expire(self, state, now_ms):  # the watermark has passed the deadline
            state.clear()
            return [Left(…)]

An empty dictionary is no state: nothing is kept of such a key. Rows are NamedTuples, and all of
them have the columns of one output.

The state is kept as JSON text, so a field that a later version adds is simply not there yet. All
records of a key have to lie in one partition: then the order of their offsets is that of their
writing, and what comes out does not depend on how Spark cuts the stream into batches.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from pyspark.sql import Row
from pyspark.sql.streaming.stateful_processor import (
    ExpiredTimerInfo,
    StatefulProcessor,
    StatefulProcessorHandle,
    TimerValues,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["KeyedProcessor", "Logic", "State", "keyed"]

State = dict[str, Any]
STATE = "json string"


class Logic(Protocol):
    """What happens with one key."""

    def take(self, state: State, row: Row) -> Iterable[NamedTuple]: ...

    def deadline_ms(self, state: State) -> int | None: ...

    def expire(self, state: State, now_ms: int) -> Iterable[NamedTuple]:
        """The watermark has come to this time, which is the deadline's or later."""
        ...


class KeyedProcessor(StatefulProcessor):
    """Keeps the state of every key, and one timer for each that has a deadline."""

    def __init__(self, logic: Logic) -> None:
        self._logic = logic

    def init(self, handle: StatefulProcessorHandle) -> None:
        self._handle = handle
        self._kept = handle.getValueState("state", STATE)

    def handleInputRows(
        self, key: tuple[Any], rows: Iterator[Row], timerValues: TimerValues
    ) -> Iterator[Row]:
        state, deadline_ms = self._load()
        found: list[NamedTuple] = []
        for row in sorted(rows, key=lambda each: each.offset):
            found += self._logic.take(state, row)
        self._keep(state, deadline_ms)
        return (Row(**each._asdict()) for each in found)

    def handleExpiredTimer(
        self, key: tuple[Any], timerValues: TimerValues, expiredTimerInfo: ExpiredTimerInfo
    ) -> Iterator[Row]:
        state, _ = self._load()
        # A timer that is set here for a time that has passed waits for the next batch, which may
        # never come: so all that is over by now is over at once.
        now_ms = max(timerValues.getCurrentWatermarkInMs(), expiredTimerInfo.getExpiryTimeInMs())
        found = list(self._logic.expire(state, now_ms))
        self._keep(state, None)  # the timer that has fired is gone
        return (Row(**each._asdict()) for each in found)

    def _load(self) -> tuple[State, int | None]:
        kept = self._kept.get()
        state: State = json.loads(kept[0]) if kept is not None else {}
        return state, self._logic.deadline_ms(state) if state else None

    def _keep(self, state: State, timer_ms: int | None) -> None:
        deadline_ms = self._logic.deadline_ms(state) if state else None
        if timer_ms is not None and timer_ms != deadline_ms:
            self._handle.deleteTimer(timer_ms)
        if deadline_ms is not None and timer_ms != deadline_ms:
            self._handle.registerTimer(deadline_ms)
        if state:
            self._kept.update((json.dumps(state),))
        else:
            self._kept.clear()


def keyed(
    rows: DataFrame, by: str, logic: Logic, output: str, *, time: str = "", late_after_s: int = 0
) -> DataFrame:
    """What the logic gives for the rows of each key; deadlines are in the time of that column.

    Without a column there are no deadlines, and no row is ever too late.
    """
    if time:
        rows = rows.withWatermark(time, f"{late_after_s} seconds")
    return rows.groupBy(by).transformWithState(
        statefulProcessor=KeyedProcessor(logic),
        outputStructType=output,
        outputMode="Append",
        timeMode="EventTime" if time else "None",
    )
