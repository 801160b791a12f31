"""Dataclasses as JSON, and back by the types of their fields.

    plain(value)         what JSON has not, as what it has: the `default` of `json.dumps`
    typed(kind, found)   a value of this type from what `json.loads` has found

Types are those of annotations: dataclasses, enumerations, lists, tuples, sets, mappings, unions,
literals, and those of LEAVES, which are text in JSON. A value of another type is a `TypeError` or
`ValueError` that names the field. What an annotation leaves open stays as JSON has it, and so does
one that cannot be evaluated, as of a class that is known inside a function only.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import (
    Any,
    Literal,
    NamedTuple,
    TypeAlias,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)
from uuid import UUID

__all__ = ["plain", "typed"]

Kind: TypeAlias = Any
"""What an annotation may be: types and generic aliases have no type in common."""


class _Leaf(NamedTuple):
    """How a value is text in JSON."""

    write: Callable[[Any], str]
    read: Callable[[str], object]


LEAVES: Mapping[type, _Leaf] = {
    datetime: _Leaf(datetime.isoformat, datetime.fromisoformat),
    date: _Leaf(date.isoformat, date.fromisoformat),
    time: _Leaf(time.isoformat, time.fromisoformat),
    Decimal: _Leaf(str, Decimal),
    UUID: _Leaf(str, UUID),
    bytes: _Leaf(
        lambda data: b64encode(data).decode(), lambda text: b64decode(text, validate=True)
    ),
}
"""A type before those that it inherits from."""
SCALARS = (str, int, float, bool)


def plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Set):
        return list(value)
    if hasattr(value, "model_dump"):  # a model of pydantic
        dumped: object = value.model_dump(mode="json")
        return dumped
    for kind, leaf in LEAVES.items():
        if isinstance(value, kind):
            return leaf.write(value)
    raise TypeError(f"JSON has no {type(value).__name__}")


def typed(kind: Kind, found: object) -> Any:  # noqa: ANN401 - a value of that kind
    if is_dataclass(kind):
        return _dataclass(kind, found)
    origin: Kind = get_origin(kind)
    if origin is not None:
        return _generic(kind, origin, found)
    if isinstance(kind, type):
        return _plain_type(kind, found)
    alias = getattr(kind, "__supertype__", None)  # of a NewType
    return found if alias is None else typed(alias, found)


def _plain_type(kind: type, found: object) -> object:
    if issubclass(kind, Enum):
        return kind(found)
    if kind in LEAVES:
        return _leaf(kind, found)
    if hasattr(kind, "model_validate"):
        return kind.model_validate(found)
    if kind is float and isinstance(found, int) and not isinstance(found, bool):
        return float(found)
    is_number = kind in (int, float)
    if kind in (*SCALARS, dict, list, NoneType) and (
        not isinstance(found, kind) or (is_number and isinstance(found, bool))
    ):
        raise _wrong(kind, found)
    return found


def _leaf(kind: type, found: object) -> object:
    if not isinstance(found, str):
        raise _wrong(kind, found)
    try:
        return LEAVES[kind].read(found)
    except InvalidOperation:
        raise _wrong(kind, found) from None


def _dataclass(kind: Kind, found: object) -> object:
    if not isinstance(found, dict):
        raise _wrong(kind, found)
    hints = _hints(kind)
    given = {}
    for field in fields(kind):
        if field.init and field.name in found:
            given[field.name] = _within(field.name, hints.get(field.name, Any), found[field.name])
    return kind(**given)


def _generic(kind: Kind, origin: Kind, found: object) -> object:
    parts = get_args(kind)
    if origin in (Union, UnionType):
        return _first_of(kind, parts, found)
    if origin is Literal:
        if found not in parts:
            raise _wrong(kind, found)
        return found
    if not isinstance(origin, type):
        return found
    if issubclass(origin, Mapping):
        return _mapping(kind, parts, found)
    if issubclass(origin, Sequence | Set):
        return _many(kind, origin, parts, found)
    return found


def _first_of(kind: Kind, parts: tuple[Kind, ...], found: object) -> object:
    """What is of a type as it is goes before what has to be read."""
    for part in sorted(parts, key=lambda one: one not in (*SCALARS, NoneType)):
        try:
            return typed(part, found)
        except (TypeError, ValueError):
            continue
    raise _wrong(kind, found)


def _mapping(kind: Kind, parts: tuple[Kind, ...], found: object) -> dict[object, object]:
    if not isinstance(found, dict):
        raise _wrong(kind, found)
    key_kind, value_kind = parts
    return {_key(key_kind, name): _within(name, value_kind, value) for name, value in found.items()}


def _key(kind: Kind, name: str) -> object:
    """JSON's names are text, whatever they were."""
    return kind(name) if kind in (int, float) else typed(kind, name)


def _many(kind: Kind, origin: Kind, parts: tuple[Kind, ...], found: object) -> object:
    if not isinstance(found, list):
        raise _wrong(kind, found)
    if origin is tuple and (len(parts) != 2 or parts[1] is not ...):
        if len(found) != len(parts):
            raise _wrong(kind, found)
        return tuple(typed(part, one) for part, one in zip(parts, found, strict=True))
    made = [_within(f"[{index}]", parts[0], one) for index, one in enumerate(found)]
    if origin is tuple:
        return tuple(made)
    if issubclass(origin, Set):
        return frozenset(made) if origin is frozenset else set(made)
    return made


def _within(name: str, kind: Kind, found: object) -> object:
    try:
        return typed(kind, found)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: {error}") from error


@cache
def _hints(kind: Kind) -> Mapping[str, Any]:
    try:
        return get_type_hints(kind)
    except NameError:
        return {}


def _wrong(kind: Kind, found: object) -> TypeError:
    return TypeError(f"{found!r:.60} is no {getattr(kind, '__name__', None) or kind}")
