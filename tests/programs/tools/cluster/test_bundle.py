"""What goes into a bundle, and what is hidden."""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple

import pytest

from moldau.client.admin import ConfigEntry, ConfigSource, ConfigType, Outcomes
from moldau.client.errors import UnknownTopicError
from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.tools.cluster import bundle
from moldau.programs.tools.cluster.bundle import as_json, collect


class Colour(Enum):
    RED = 1


class Pair(NamedTuple):
    topic: str
    partition: int


@dataclass(frozen=True, slots=True)
class View:
    pair: Pair
    ids: frozenset[int]
    key: bytes


def test_answers_become_json():
    view = View(Pair("t", 1), frozenset({3, 2}), b"\x01")
    outcomes = Outcomes({Pair("t", 1): view}, {Pair("u", 2): UnknownTopicError("u", "is gone")})
    found = as_json(outcomes)
    assert found["t-1"] == {"pair": {"topic": "t", "partition": 1}, "ids": [2, 3], "key": "01"}
    assert "u" in found["u-2"]["error"]
    assert as_json([Colour.RED, None, 1.5, {Colour.RED: 1}]) == [
        "RED",
        None,
        1.5,
        {"RED": 1},
    ]


def entry(name, value, *, is_sensitive=False, kind=ConfigType.STRING):
    return ConfigEntry(name, value, ConfigSource.DEFAULT, False, is_sensitive, kind)


@pytest.mark.parametrize(
    ("given", "value"),
    [
        (entry("num.partitions", "3"), "3"),
        (entry("anything", None, is_sensitive=True), "[hidden]"),
        (entry("sasl.jaas.config", "x required"), "[hidden]"),
        (entry("my.own.secret.word", "x"), "[hidden]"),
        (entry("listeners", None), ""),
        (entry("a.url", "http://h?password=x&b=c"), "http://h?password=[hidden]"),
        (entry("a.url", "https://u:p@h/v1"), "https://[hidden]@h/v1"),
        (entry("a.token.max.ms", "5", kind=ConfigType.LONG), "5"),
    ],
)
def test_settings_that_could_hold_a_secret_are_hidden(given, value):
    assert as_json(given)["value"] == value


def test_a_part_that_cannot_be_had_holds_the_reason(monkeypatch):
    def refuse(admin, asked):
        raise MoldauError("not authorized")

    monkeypatch.setattr(bundle, "PARTS", {"a": refuse, "b": lambda admin, asked: asked.now_ms})
    seen: list[str] = []
    admin: Any = None
    assert collect(admin, "x:1", 7, seen.append) == {"a": {"error": "not authorized"}, "b": 7}
    assert seen == ["a", "b"]
