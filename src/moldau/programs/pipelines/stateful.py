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
Spark's groups are buckets of keys: a bucket has a map of states, and those that a batch needs are
read together and written together (state_map.py). Deadlines are rounded up to whole seconds, and
those of a bucket that fall together share a timer. A deadline that moves away moves no timer: when
that fires, the key is noted for its new deadline.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from pyspark.sql import Row
from pyspark.sql import functions as sql
from pyspark.sql.streaming.stateful_processor import (
    ExpiredTimerInfo,
    StatefulProcessor,
    StatefulProcessorHandle,
    TimerValues,
)

from moldau.programs.pipelines.state_map import StateMap
from moldau.spark.worker_garbage import set_aside_what_is_loaded

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["KeyedProcessor", "Logic", "State", "keyed"]

State = dict[str, Any]
Loaded: TypeAlias = tuple[State, int | None]
"""The state of a key, and the timer that it is noted for."""
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
        set_aside_what_is_loaded()
        self._handle = handle
        self._kept = StateMap(handle.getMapState("kept", KEY, KEPT))
        self._due = StateMap(handle.getMapState("due", DUE, KEYS))

    def handleInputRows(
        self, key: tuple[Any], rows: Iterator[Row], timerValues: TimerValues
    ) -> Iterator[Row]:
        in_order = sorted(rows, key=lambda each: each.offset)
        loaded = self._load(dict.fromkeys(row[self._by] for row in in_order))
        found: list[NamedTuple] = []
        for row in in_order:
            found += self._logic.take(loaded[row[self._by]][0], row)
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
        fired: dict[str, Loaded] = {}
        for name, (state, set_ms) in self._load(self._due_at([timer_ms])[0]).items():
            if set_ms != timer_ms:
                continue  # it was due earlier, and is noted for another time by now
            deadline_ms = self._deadline_ms(state)
            if deadline_ms is not None and deadline_ms <= now_ms:
                found += self._logic.expire(state, now_ms)
            fired[name] = state, None  # the timer that has fired is gone
        self._due.remove([(timer_ms,)])
        self._keep(fired, now_ms + 1)
        return _rows(found)

    def _load(self, names: Iterable[str]) -> dict[str, Loaded]:
        """The states of keys, and the timers that they are noted for."""
        keys = [(name,) for name in names]
        return {
            name: ({}, None) if kept is None else (json.loads(kept[0]), kept[1])
            for (name,), kept in zip(keys, self._kept.get(keys), strict=True)
        }

    def _keep(self, loaded: Mapping[str, Loaded], from_ms: int = 0) -> None:
        """All states as they are by now; one that is due before its timer is noted anew."""
        due = defaultdict[int, list[str]](list)
        kept: list[tuple[tuple[str], tuple[str, int | None]]] = []
        for name, (state, timer_ms) in loaded.items():
            if not state:
                continue
            deadline_ms = self._deadline_ms(state, from_ms)
            if deadline_ms is not None and (timer_ms is None or deadline_ms < timer_ms):
                timer_ms = deadline_ms
                due[timer_ms].append(name)
            kept.append(((name,), (json.dumps(state), timer_ms)))
        self._kept.put(kept)
        self._kept.remove([(name,) for name, (state, _) in loaded.items() if not state])
        self._note(due)

    def _note(self, due: Mapping[int, Sequence[str]]) -> None:
        """Keys for the timers at which they are due, beside those that are noted there."""
        known = self._due_at(list(due))
        for timer_ms, names in zip(due, known, strict=True):
            if not names:
                self._handle.registerTimer(timer_ms)
        noted = [
            ((timer_ms,), (json.dumps([*names, *due[timer_ms]]),))
            for timer_ms, names in zip(due, known, strict=True)
        ]
        self._due.put(noted)

    def _due_at(self, timers_ms: Sequence[int]) -> list[Sequence[str]]:
        """For each timer its keys, each once: one may have come to be due at that time twice."""
        found = self._due.get([(timer_ms,) for timer_ms in timers_ms])
        return [() if kept is None else list(dict.fromkeys(json.loads(kept[0]))) for kept in found]

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
