"""State by key and deadlines, run as Spark runs them."""

from __future__ import annotations

from typing import NamedTuple

from pyspark.sql import Row
from pyspark.sql.streaming.tws_tester import TwsTester

from moldau.programs.pipelines.stateful import KeyedProcessor


class Left(NamedTuple):
    key: str
    rows: int


class Quiet:
    """Counts rows until none has come for ten seconds, or for five once there were three."""

    def take(self, state, row):
        state["key"], state["last_ms"] = row.key, max(row.at_ms, state.get("last_ms", 0))
        state["order"] = [*state.get("order", []), row.offset]
        return ()

    def deadline_ms(self, state):
        return state["last_ms"] + (10_000 if len(state["order"]) < 3 else 5_000)

    def expire(self, state, now_ms):
        assert now_ms >= self.deadline_ms(state)
        assert state["order"] == sorted(state["order"])
        found = Left(state["key"], len(state["order"]))
        state.clear()
        return [found]


class Ticking:
    """Is due every ten seconds, three times; its deadlines may have passed."""

    def take(self, state, row):
        state.update(key=row.key, at_ms=row.at_ms, ticks=0)
        return ()

    def deadline_ms(self, state):
        return state["at_ms"] + 10_000 if state["ticks"] < 3 else None

    def expire(self, state, now_ms):
        state["ticks"] += 1
        state["at_ms"] += 10_000
        return [Left(state["key"], state["ticks"])]


def row(offset, at_s, key="a"):
    return Row(key=key, offset=offset, at_ms=int(at_s * 1_000))


def a_tester(logic):
    return TwsTester(
        KeyedProcessor(logic, "key"), timeMode="EventTime", eventTimeExtractor=lambda row: row.at_ms
    )


def left(tester, at_s):
    """What comes when the watermark is there."""
    return [(each.key, each.rows) for each in tester.setWatermark(at_s * 1_000)]


def test_rows_come_in_order_and_a_deadline_moves_with_them():
    tester = a_tester(Quiet())
    assert tester.test(0, [row(2, 3), row(1, 2)]) == []
    assert left(tester, 8) == []
    assert tester.test(0, [row(3, 9)]) == []
    assert left(tester, 13) == []  # the timer as it was at first
    assert left(tester, 14) == [("a", 3)]
    assert left(tester, 90) == []
    assert tester.peekMapState("kept", 0) == {}
    assert tester.peekMapState("due", 0) == {}


def test_a_deadline_that_comes_nearer_is_kept():
    tester = a_tester(Quiet())
    assert tester.test(0, [row(1, 2)]) == []
    assert tester.test(0, [row(2, 3), row(3, 3)]) == []
    assert left(tester, 7) == []
    assert left(tester, 8) == [("a", 3)]
    assert left(tester, 90) == []
    assert tester.test(0, [row(4, 91)]) == []
    assert left(tester, 101) == [("a", 1)]


def test_each_key_of_a_bucket_has_a_state_and_deadlines_of_its_own():
    tester = a_tester(Quiet())
    rows = [row(1, 2), row(2, 2, "b"), row(3, 5, "c"), row(4, 6, "b")]
    assert tester.test(0, rows) == []
    assert left(tester, 12) == [("a", 1)]
    assert left(tester, 15) == [("c", 1)]
    assert tester.test(0, [row(5, 15.5, "a")]) == []
    assert left(tester, 17) == [("b", 2)]
    assert left(tester, 26) == [("a", 1)]


def test_a_deadline_that_has_passed_is_due_with_the_next_watermark():
    tester = a_tester(Ticking())
    assert tester.test(0, [row(1, 1)]) == []
    assert left(tester, 60) == [("a", 1)]
    assert left(tester, 61) == [("a", 2)]
    assert left(tester, 65) == [("a", 3)]
    assert left(tester, 90) == []
    assert tester.peekMapState("due", 0) == {}
