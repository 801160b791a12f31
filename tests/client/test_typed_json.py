"""Dataclasses as JSON, and back."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from decimal import Decimal
from enum import Enum
from typing import Any, Literal, NewType
from uuid import UUID

import pydantic
import pytest

from moldau.client.typed_json import plain, typed

Sku = NewType("Sku", str)


class Colour(Enum):
    """As what it stands for."""

    RED = "red"
    BLUE = 3


@dataclass
class Line:
    """A part of an order."""

    sku: Sku
    count: int = 1


class Model(pydantic.BaseModel):
    """Reads itself."""

    number: int


@dataclass
class Order:
    """With every kind of field."""

    number: int
    lines: list[Line]
    first: Line | None = None
    price: Decimal = Decimal("0")
    weight: float = 0.0
    at: datetime | None = None
    day: date = date(2026, 1, 1)
    hour: time = time(12, 30)
    uuid: UUID | None = None
    data: bytes = b""
    colour: Colour = Colour.RED
    by_number: dict[int, Line] = field(default_factory=dict)
    pair: tuple[int, str] = (0, "")
    many: tuple[int, ...] = ()
    tags: set[str] = field(default_factory=set)
    kind: Literal["a", "b"] = "a"
    either: int | str = 0
    anything: Any = None
    model: Model | None = None
    derived: int = field(init=False, default=5)


def through(value: Any, kind: Any = None) -> Any:
    return typed(kind or type(value), json.loads(json.dumps(value, default=plain)))


@pytest.mark.parametrize(
    "order",
    [
        Order(1, []),
        Order(
            2,
            [Line(Sku("a")), Line(Sku("b"), 3)],
            Line(Sku("c")),
            Decimal("1.10"),
            2,
            datetime(2026, 11, 28, 10, 0, 0, 5, tzinfo=UTC),
            date(2026, 11, 28),
            time(1, 2, 3),
            UUID(int=9),
            b"\x00\xff",
            Colour.BLUE,
            {4: Line(Sku("d"))},
            (1, "x"),
            (1, 2, 3),
            {"x", "y"},
            "b",
            "text",
            {"free": [1, None]},
            Model(number=3),
        ),
    ],
)
def test_what_was_written_is_read_again(order):
    assert through(order) == order


@pytest.mark.parametrize(
    ("found", "message"),
    [
        ({"number": "1", "lines": []}, "number: '1' is no int"),
        ({"number": True, "lines": []}, "number: True is no int"),
        ({"number": 1, "lines": {}}, "lines: {} is no list"),
        ({"number": 1, "lines": [{"sku": "a"}, {"sku": 5}]}, r"lines: \[1\]: sku: 5 is no str"),
        ({"number": 1, "lines": [], "first": 5}, "first: 5 is no"),
        ({"number": 1, "lines": [], "price": "x"}, "price: 'x' is no Decimal"),
        ({"number": 1, "lines": [], "at": 5}, "at: 5 is no"),
        ({"number": 1, "lines": [], "day": "x"}, "day: Invalid isoformat"),
        ({"number": 1, "lines": [], "colour": "green"}, "colour: 'green' is not a valid Colour"),
        ({"number": 1, "lines": [], "pair": [1]}, r"pair: \[1\] is no tuple"),
        ({"number": 1, "lines": [], "kind": "c"}, "kind: 'c' is no"),
        ({"number": 1, "lines": [], "data": "%"}, "data: "),
        ({"number": 1, "lines": [], "by_number": []}, r"by_number: \[\] is no dict"),
        ({"number": 1}, "missing 1 required positional argument: 'lines'"),
        ([], r"\[\] is no Order"),
    ],
)
def test_a_value_of_another_type_names_its_field(found, message):
    with pytest.raises((TypeError, ValueError), match=message):
        typed(Order, found)


def test_fields_that_it_does_not_have_are_left_out():
    assert typed(Line, {"sku": "a", "added": 1, "count": 2}) == Line(Sku("a"), 2)


def test_text_of_a_union_is_text_where_it_may_be():
    assert through("2026-01-01", date | str) == "2026-01-01"
    assert typed(date | None, "2026-01-01") == date(2026, 1, 1)


def test_an_annotation_that_cannot_be_evaluated_leaves_what_json_has():
    @dataclass
    class Inner:
        number: int

    @dataclass
    class Outer:
        inner: Inner

    assert typed(Outer, {"inner": {"number": 1}}).inner == {"number": 1}


def test_what_json_has_not_is_named():
    with pytest.raises(TypeError, match="JSON has no object"):
        json.dumps(object(), default=plain)
    with pytest.raises(TypeError, match="JSON has no type"):
        json.dumps(Line, default=plain)
