"""Values that stand for a node's own ids in a request that goes to both nodes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from moldau.protocol.wire.construct import blank
from moldau.protocol.wire.fields import fields_of
from tests.interop.differential.side import Side


@dataclass(frozen=True)
class Alias:
    """The id that this name has on the side that is asked."""

    name: str
    otherwise: Any
    """What to say where the side has no such id."""


@dataclass(frozen=True)
class Made:
    """What is made anew for each side, out of what it learnt: a batch that names its producer."""

    make: Callable[[Side], Any]


def resolved(value: Any, side: Side) -> Any:
    """A copy of a request's value with every alias replaced by what it means on that side."""
    match value:
        case Alias(name, otherwise):
            return side.ids.get(name, otherwise)
        case Made(make):
            return make(side)
        case list():
            return [resolved(item, side) for item in value]
        case bytes() | str() | int() | float() | None | memoryview() | bytearray():
            return value
        case _:
            return _resolved_struct(value, side)


def _resolved_struct(value: Any, side: Side) -> Any:
    cls: type = type(value)
    made = blank(cls)
    for field in fields_of(cls):
        setattr(made, field.name, resolved(getattr(value, field.name), side))
    return made
