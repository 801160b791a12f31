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
    """Counts rows until none has come for 10 ms."""

    def take(self, state, row):
        state["key"], state["last_ms"] = row.key, row.at_ms
        state["order"] = [*state.get("order", []), row.offset]
        return ()

    def deadline_ms(self, state):
        return state["last_ms"] + 10

    def expire(self, state, now_ms):
        assert state["order"] == sorted(state["order"])
        found = Left(state["key"], len(state["order"]))
        state.clear()
        return [found]


def row(offset, at_ms):
    return Row(key="a", offset=offset, at_ms=at_ms)


def test_rows_come_in_order_and_a_deadline_moves_with_them():
    tester = TwsTester(
        KeyedProcessor(Quiet()), timeMode="EventTime", eventTimeExtractor=lambda row: row.at_ms
    )
    assert tester.test("a", [row(2, 3), row(1, 2)]) == []
    assert tester.test("a", [row(3, 9)]) == []
    assert tester.setWatermark(14) == []
    assert tester.setWatermark(25) == [Row(key="a", rows=3)]
    assert tester.setWatermark(90) == []
    assert tester.peekValueState("state", "a") is None
