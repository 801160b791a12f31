"""Keywords that bound a number: of a value, of letters, of items, of properties."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from moldau.schemas.parsed import Difference

__all__ = ["bound_differences"]


class _Bound(NamedTuple):
    keyword: str
    rule: str
    kinds: frozenset[str]
    is_upper: bool


NUMBERS: Final = frozenset(("number", "integer"))
_BOUNDS: Final = (
    _Bound("maxLength", "MAX_LENGTH", frozenset(("string",)), True),
    _Bound("minLength", "MIN_LENGTH", frozenset(("string",)), False),
    _Bound("maximum", "MAXIMUM", NUMBERS, True),
    _Bound("minimum", "MINIMUM", NUMBERS, False),
    _Bound("exclusiveMaximum", "EXCLUSIVE_MAXIMUM", NUMBERS, True),
    _Bound("exclusiveMinimum", "EXCLUSIVE_MINIMUM", NUMBERS, False),
    _Bound("maxItems", "MAX_ITEMS", frozenset(("array",)), True),
    _Bound("minItems", "MIN_ITEMS", frozenset(("array",)), False),
    _Bound("maxProperties", "MAX_PROPERTIES", frozenset(("object",)), True),
    _Bound("minProperties", "MIN_PROPERTIES", frozenset(("object",)), False),
)


def bound_differences(
    reader: dict[str, Any], writer: dict[str, Any], kinds: frozenset[str], path: str
) -> Iterator[Difference]:
    """Of the types that the writer may have."""
    for bound in _BOUNDS:
        if bound.kinds & kinds and bound.keyword in reader:
            rule = _broken(bound, reader[bound.keyword], writer.get(bound.keyword))
            if rule:
                yield _difference(rule, f"{path}/{bound.keyword}")
    if NUMBERS & kinds and "multipleOf" in reader:
        yield from _multiples(reader["multipleOf"], writer.get("multipleOf"), path)
    if "string" in kinds and "pattern" in reader and reader["pattern"] != writer.get("pattern"):
        rule = "PATTERN_CHANGED" if "pattern" in writer else "PATTERN_ADDED"
        yield _difference(rule, f"{path}/pattern")
    if "array" in kinds and reader.get("uniqueItems") and not writer.get("uniqueItems"):
        yield _difference("UNIQUE_ITEMS_ADDED", f"{path}/uniqueItems")


def _broken(bound: _Bound, new: object, old: object) -> str | None:
    if isinstance(new, bool) or not isinstance(new, int | float):
        return None if new == old or not new else f"{bound.rule}_ADDED"
    if isinstance(old, bool) or not isinstance(old, int | float):
        is_always_so = not bound.is_upper and new <= 0 and bound.kinds.isdisjoint(NUMBERS)
        return None if is_always_so else f"{bound.rule}_ADDED"
    if bound.is_upper and new < old:
        return f"{bound.rule}_DECREASED"
    if not bound.is_upper and new > old:
        return f"{bound.rule}_INCREASED"
    return None


def _multiples(new: object, old: object, path: str) -> Iterator[Difference]:
    if not isinstance(new, int | float) or new <= 0:
        return
    if not isinstance(old, int | float):
        yield _difference("MULTIPLE_OF_ADDED", f"{path}/multipleOf")
    elif old % new:
        yield _difference("MULTIPLE_OF_CHANGED", f"{path}/multipleOf")


def _difference(rule: str, path: str) -> Difference:
    what = rule.lower().replace("_", " ")
    return Difference(rule, path, f"The new schema accepts less at path '{path}': {what}")
