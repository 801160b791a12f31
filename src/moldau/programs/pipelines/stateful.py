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

Spark sends what comes out of each of its groups as an Arrow batch of its own, and each call about
state or timers is a message to Java and an answer, which together cost more than most logics. So
Spark's groups are buckets of keys: a bucket has a map of states, and a key costs one call to read
its state and one to write it. Deadlines are rounded up to whole seconds, and those of a bucket that
fall together share a timer. A deadline that moves away moves no timer: when that fires, the key is
noted for its new deadline.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from pyspark.sql import Row
from pyspark.sql import functions as sql
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
BUCKET = "_bucket"
BUCKETS = 64
"""They are what the tasks of Spark share; a checkpoint is of one number of them."""
KEY, KEPT = "key string", "json string, timer_ms bigint"
DUE, KEYS = "at_ms bigint", "json string"
STEP_MS = 1_000
"""What deadlines are rounded up to."""


class Logic(Protocol):
    """What happens with one key."""

    def take(self, state: State, row: Row) -> Iterable[NamedTuple]: ...

    def deadline_ms(self, state: State) -> int | None: ...

    def expire(self, state: State, now_ms: int) -> Iterable[NamedTuple]:
        """The watermark has come to this time, which is the deadline's or later."""
        ...


class KeyedProcessor(StatefulProcessor):
    """Keeps the states of a bucket's keys, and which of them are due at which timer."""

    def __init__(self, logic: Logic, by: str) -> None:
        self._logic = logic
        self._by = by

    def init(self, handle: StatefulProcessorHandle) -> None:
        self._handle = handle
        self._kept = handle.getMapState("kept", KEY, KEPT)
        self._due = handle.getMapState("due", DUE, KEYS)

    def handleInputRows(
        self, key: tuple[Any], rows: Iterator[Row], timerValues: TimerValues
    ) -> Iterator[Row]:
        found: list[NamedTuple] = []
        loaded: dict[str, tuple[State, int | None]] = {}
        for row in sorted(rows, key=lambda each: each.offset):
            name = row[self._by]
            if name not in loaded:
                loaded[name] = self._load(name)
            found += self._logic.take(loaded[name][0], row)
        self._keep(loaded)
        return _rows(found)

    def handleExpiredTimer(
        self, key: tuple[Any], timerValues: TimerValues, expiredTimerInfo: ExpiredTimerInfo
    ) -> Iterator[Row]:
        timer_ms = expiredTimerInfo.getExpiryTimeInMs()
        # A timer that is set here for a time that has passed waits for the next batch, which may
        # never come: so all that is over by now is over at once.
        now_ms = max(timerValues.getCurrentWatermarkInMs(), timer_ms)
        found: list[NamedTuple] = []
        loaded: dict[str, tuple[State, int | None]] = {}
        for name in self._due_at(timer_ms):
            state, set_ms = self._load(name)
            if set_ms != timer_ms:
                continue  # it was due earlier, and is noted for another time by now
            deadline_ms = self._deadline_ms(state)
            if deadline_ms is not None and deadline_ms <= now_ms:
                found += self._logic.expire(state, now_ms)
            loaded[name] = state, None  # the timer that has fired is gone
        self._due.removeKey((timer_ms,))
        self._keep(loaded, now_ms + 1)
        return _rows(found)

    def _load(self, name: str) -> tuple[State, int | None]:
        """The state of a key, and the timer that it is noted for."""
        kept = self._kept.getValue((name,))
        return (json.loads(kept[0]), kept[1]) if kept is not None else ({}, None)

    def _keep(self, loaded: dict[str, tuple[State, int | None]], from_ms: int = 0) -> None:
        """All states as they are by now; one that is due before its timer is noted anew."""
        due = defaultdict[int, list[str]](list)
        for name, (state, timer_ms) in loaded.items():
            if not state:
                self._kept.removeKey((name,))
                continue
            deadline_ms = self._deadline_ms(state, from_ms)
            if deadline_ms is not None and (timer_ms is None or deadline_ms < timer_ms):
                timer_ms = deadline_ms
                due[timer_ms].append(name)
            self._kept.updateValue((name,), (json.dumps(state), timer_ms))
        for timer_ms, names in due.items():
            known = self._due_at(timer_ms)
            if not known:
                self._handle.registerTimer(timer_ms)
            self._due.updateValue((timer_ms,), (json.dumps([*known, *names]),))

    def _due_at(self, timer_ms: int) -> Sequence[str]:
        """Keys, each once: one may have come to be due at that time twice."""
        kept = self._due.getValue((timer_ms,))
        return list(dict.fromkeys(json.loads(kept[0]))) if kept is not None else ()

    def _deadline_ms(self, state: State, from_ms: int = 0) -> int | None:
        deadline_ms = self._logic.deadline_ms(state) if state else None
        return None if deadline_ms is None else -(-max(deadline_ms, from_ms) // STEP_MS) * STEP_MS


def _rows(found: Sequence[NamedTuple]) -> Iterator[Row]:
    return (Row(**each._asdict()) for each in found)


def keyed(
    rows: DataFrame, by: str, logic: Logic, output: str, *, time: str = "", late_after_s: int = 0
) -> DataFrame:
    """What the logic gives for the rows of each key; deadlines are in the time of that column.

    Without a column there are no deadlines, and no row is ever too late.
    """
    if time:
        rows = rows.withWatermark(time, f"{late_after_s} seconds")
    bucket = sql.pmod(sql.xxhash64(by), sql.lit(BUCKETS)).cast("int").alias(BUCKET)
    return (
        rows.select("*", bucket)
        .groupBy(BUCKET)
        .transformWithState(
            statefulProcessor=KeyedProcessor(logic, by),
            outputStructType=output,
            outputMode="Append",
            timeMode="EventTime" if time else "None",
        )
    )
