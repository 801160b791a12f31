"""What a value is, without the language that its schema is in.

A struct is an object of its own, and may hold itself; all other shapes are values.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

from moldau.platform.quick_dataclass import dataclass

__all__ = [
    "ANY",
    "NO_DEFAULT",
    "NULL",
    "Choice",
    "DecimalNumber",
    "Enumeration",
    "Field",
    "ListOf",
    "MapOf",
    "Nullable",
    "Scalar",
    "Shape",
    "Struct",
    "choice_of",
]

NO_DEFAULT: Final = object()
"""In place of a default: null is one."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """One of `classes.SCALARS`."""

    kind: str


@dataclass(frozen=True, slots=True)
class DecimalNumber:
    precision: int
    scale: int


@dataclass(frozen=True, slots=True)
class Enumeration:
    """Texts; one without a name is no type of its own."""

    name: str
    symbols: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListOf:
    item: Shape


@dataclass(frozen=True, slots=True)
class MapOf:
    key: Shape
    value: Shape


@dataclass(frozen=True, slots=True)
class Nullable:
    inner: Shape


@dataclass(frozen=True, slots=True)
class Choice:
    """A value of any of them, none of which is null."""

    branches: tuple[Shape, ...]


class Struct:
    """A record, a message, an object with properties."""

    __slots__ = ("doc", "fields", "name")

    def __init__(self, name: str, doc: str = "") -> None:
        self.name = name
        self.doc = doc
        self.fields: list[Field] = []

    def __repr__(self) -> str:
        return f"Struct({self.name}: {', '.join(field.name for field in self.fields)})"


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    shape: Shape
    default: Any = NO_DEFAULT
    """A value of Python."""


Shape: TypeAlias = (
    Scalar | DecimalNumber | Enumeration | ListOf | MapOf | Nullable | Choice | Struct
)
NULL: Final = Scalar("null")
ANY: Final = Scalar("any")
"""Whatever JSON has."""


def choice_of(branches: Iterable[Shape]) -> Shape:
    """One shape for all of them; each is in it once."""
    found: dict[Shape, None] = {}
    has_null = False
    for one in branches:
        has_null = has_null or one == NULL or isinstance(one, Nullable)
        inner = one.inner if isinstance(one, Nullable) else one
        found.update(dict.fromkeys(inner.branches if isinstance(inner, Choice) else (inner,)))
    found.pop(NULL, None)
    if not found:
        return NULL
    if ANY in found:
        return ANY
    whole = next(iter(found)) if len(found) == 1 else Choice(tuple(found))
    return Nullable(whole) if has_null else whole
