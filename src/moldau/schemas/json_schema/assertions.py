"""Keywords that look at one value alone: why it is refused, or nothing.

A keyword for another type of value accepts everything, as the specification has it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any, Final, TypeAlias

from moldau.schemas.data_errors import DataError

__all__ = ["ASSERTIONS", "found_in", "is_of", "same"]

Assertion: TypeAlias = Callable[[Any, Any, Mapping[str, Any]], str | None]
"""Of the keyword's value, the value that is looked at, and the whole schema."""


def is_of(kind: object, value: Any) -> bool:
    match kind:
        case "null":
            return value is None
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return _is_number(value) and value == value // 1
        case "number":
            return _is_number(value)
        case "string":
            return isinstance(value, str)
        case "array":
            return isinstance(value, list | tuple)
        case "object":
            return isinstance(value, Mapping)
        case _:
            return False


def same(one: Any, other: Any) -> bool:
    """As JSON has it: true is no number, and 1.0 is 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return bool(one == other)


@lru_cache(maxsize=1000)
def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        raise DataError(f"the schema's pattern {pattern!r} is none that is understood") from None


def found_in(pattern: str, text: str) -> bool:
    return _compiled(pattern).search(text) is not None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _type(wanted: Any, value: Any, schema: Mapping[str, Any]) -> str | None:
    kinds = wanted if isinstance(wanted, list) else [wanted]
    if any(is_of(kind, value) for kind in kinds):
        return None
    return f"{_shown(value)} is no {' or '.join(map(str, kinds))}"


def _enum(wanted: Any, value: Any, schema: Mapping[str, Any]) -> str | None:
    if any(same(one, value) for one in wanted):
        return None
    return f"{_shown(value)} is none of the values that may be"


def _const(wanted: Any, value: Any, schema: Mapping[str, Any]) -> str | None:
    return None if same(wanted, value) else f"{_shown(value)} is not {_shown(wanted)}"


def _multiple_of(wanted: Any, value: Any, schema: Mapping[str, Any]) -> str | None:
    if not _is_number(value):
        return None
    try:
        fits = Decimal(str(value)) % Decimal(str(wanted)) == 0
    except InvalidOperation:
        fits = value % wanted == 0
    return None if fits else f"{value} is no multiple of {wanted}"


def _maximum(wanted: Any, value: Any, schema: Mapping[str, Any]) -> str | None:
    """In draft 4 `exclusiveMaximum` is a flag beside it."""
    if not _is_number(value):
        return None
    beyond = value >= wanted if schema.get("exclusiveMaximum") is True else value > wanted
    return f"{value} is more than {wanted}" if beyond else None


def _minimum(wanted: Any, value: Any, schema: Mapping[str, Any]) -> str | None:
    if not _is_number(value):
        return None
    beyond = value <= wanted if schema.get("exclusiveMinimum") is True else value < wanted
    return f"{value} is less than {wanted}" if beyond else None


def _exclusive_maximum(wanted: Any, value: Any, schema: Mapping[str, Any]) -> str | None:
    is_beyond = _is_number(value) and _is_number(wanted) and value >= wanted
    return f"{value} is not below {wanted}" if is_beyond else None


def _exclusive_minimum(wanted: Any, value: Any, schema: Mapping[str, Any]) -> str | None:
    is_beyond = _is_number(value) and _is_number(wanted) and value <= wanted
    return f"{value} is not above {wanted}" if is_beyond else None


def _pattern(wanted: Any, value: Any, schema: Mapping[str, Any]) -> str | None:
    if not isinstance(value, str) or found_in(wanted, value):
        return None
    return f"{_shown(value)} does not match {wanted!r}"


def _unique(wanted: Any, value: Any, schema: Mapping[str, Any]) -> str | None:
    if not wanted or not isinstance(value, list | tuple):
        return None
    for index, one in enumerate(value):
        if any(same(one, other) for other in value[:index]):
            return f"{_shown(one)} stands there twice"
    return None


def _required(wanted: Any, value: Any, schema: Mapping[str, Any]) -> str | None:
    if not isinstance(value, Mapping) or not isinstance(wanted, list):
        return None
    missing = [name for name in wanted if name not in value]
    return f"{missing[0]} is missing" if missing else None


def _at_most(kinds: Any, what: str) -> Assertion:
    def check(wanted: Any, value: Any, schema: Mapping[str, Any]) -> str | None:
        is_beyond = isinstance(value, kinds) and len(value) > wanted
        return f"it has {len(value)} {what}, and may have {wanted}" if is_beyond else None

    return check


def _at_least(kinds: Any, what: str) -> Assertion:
    def check(wanted: Any, value: Any, schema: Mapping[str, Any]) -> str | None:
        is_below = isinstance(value, kinds) and len(value) < wanted
        return f"it has {len(value)} {what}, and needs {wanted}" if is_below else None

    return check


ASSERTIONS: Final[Mapping[str, Assertion]] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "multipleOf": _multiple_of,
    "maximum": _maximum,
    "minimum": _minimum,
    "exclusiveMaximum": _exclusive_maximum,
    "exclusiveMinimum": _exclusive_minimum,
    "maxLength": _at_most(str, "characters"),
    "minLength": _at_least(str, "characters"),
    "pattern": _pattern,
    "maxItems": _at_most((list, tuple), "items"),
    "minItems": _at_least((list, tuple), "items"),
    "uniqueItems": _unique,
    "maxProperties": _at_most(Mapping, "properties"),
    "minProperties": _at_least(Mapping, "properties"),
    "required": _required,
}


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
