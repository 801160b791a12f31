"""Tests that share something slow are next to one another, where each of two halves begins."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tests.order import in_order


def item(name: str, *fixtures: str, **parameters: str) -> Any:
    return SimpleNamespace(
        name=name, fixturenames=fixtures, callspec=SimpleNamespace(params=parameters)
    )


def test_each_half_begins_with_what_it_shares_and_the_rest_keeps_its_order():
    drawn = [
        item("a"),
        item("b", "tools"),
        item("c", "spark", "topics"),
        item("d"),
        item("e", "broker", broker="kafka"),
        item("f", "spark", "kafka_node"),
        item("g", "broker", broker="moldau"),
        item("h"),
    ]
    assert [one.name for one in in_order(drawn)] == ["c", "f", "a", "d", "b", "e", "g", "h"]


def test_what_shares_nothing_stays_as_it_was():
    drawn = [item(name) for name in "abcde"]
    assert in_order(drawn) == drawn
