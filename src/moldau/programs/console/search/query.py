"""What of a topic a query can need, from the tree that DuckDB's parser makes of it.

Bounds are taken from comparisons that all have to hold: `partition = 3`, `"offset" >= 10`,
`key = 'a'`. The query runs as it is written, so what is not understood here only costs more
reading. Records need not lie in the order of their times, so that a time bounds where reading
begins and never where it ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from moldau.programs.rest.refusals import bad_request

__all__ = ["Bounds", "bounds_of", "topic_of"]

FLIPPED: Final = {"GREATERTHAN": "LESSTHAN", "LESSTHAN": "GREATERTHAN"}
OR_EQUAL: Final = "OREQUALTO"
OFFSET_MAX: Final = 1 << 62


class Bounds(NamedTuple):
    """Outside of them no record can be in the result."""

    partition: int | None = None
    start: int = 0
    end: int = OFFSET_MAX
    """Behind the last offset."""
    since: str | None = None
    """A time, as it is written."""
    key: str | None = None


def topic_of(tree: Mapping[str, Any]) -> str:
    """The one that is read; refused where it is not one, or read more than once."""
    if len(tree["statements"]) != 1:
        raise bad_request("a search is one query")
    names = Counter(node["table_name"] for node in _nodes(tree) if node.get("type") == "BASE_TABLE")
    ours = {one["key"] for node in _nodes(tree) for one in node.get("cte_map", {}).get("map", ())}
    topics = names.keys() - ours
    if len(topics) != 1:
        raise bad_request('a search reads one topic: select … from "orders" where …')
    if max(names.values()) > 1:
        raise bad_request("a search reads its topic once: without joining it with itself")
    (topic,) = topics
    return str(topic)


def bounds_of(tree: Mapping[str, Any]) -> Bounds:
    """The bounds of a plain `select … from topic where …`; none for anything else."""
    node = tree["statements"][0]["node"]
    if node.get("type") != "SELECT_NODE" or node["from_table"].get("type") != "BASE_TABLE":
        return Bounds()
    bounds = Bounds()
    for condition in _all_of(node.get("where_clause")):
        bounds = _narrowed(bounds, condition)
    return bounds


def _all_of(condition: Mapping[str, Any] | None) -> Iterator[Mapping[str, Any]]:
    """Conditions that all have to hold."""
    if condition is None:
        return
    if condition["type"] == "CONJUNCTION_AND":
        for child in condition["children"]:
            yield from _all_of(child)
    else:
        yield condition


def _narrowed(bounds: Bounds, condition: Mapping[str, Any]) -> Bounds:
    if condition["type"] == "COMPARE_BETWEEN":
        column, low, high = (condition[name] for name in ("input", "lower", "upper"))
        below = _compared(bounds, _column(column), "GREATERTHANOREQUALTO", _constant(low))
        return _compared(below, _column(column), "LESSTHANOREQUALTO", _constant(high))
    if condition.get("class") != "COMPARISON":
        return bounds
    kind = condition["type"].removeprefix("COMPARE_")
    left, right = condition["left"], condition["right"]
    if _column(left) is not None:
        return _compared(bounds, _column(left), kind, _constant(right))
    return _compared(bounds, _column(right), _flipped(kind), _constant(left))


def _compared(bounds: Bounds, column: str | None, kind: str, value: str | None) -> Bounds:
    if value is None:
        return bounds
    is_number = value.isascii() and value.isdecimal() and len(value) < len(str(OFFSET_MAX))
    match column, kind:
        case "partition", "EQUAL" if is_number:
            return bounds._replace(partition=int(value))
        case "offset", _ if is_number:
            return _offsets(bounds, kind, int(value))
        case "timestamp", "EQUAL" | "GREATERTHAN" | "GREATERTHANOREQUALTO":
            return bounds._replace(since=value)
        case "key", "EQUAL":
            return bounds._replace(key=value)
        case _:
            return bounds


def _offsets(bounds: Bounds, kind: str, offset: int) -> Bounds:
    is_equal = kind == "EQUAL" or kind.endswith(OR_EQUAL)
    if kind == "EQUAL" or kind.startswith("GREATERTHAN"):
        start = offset if is_equal else offset + 1
        bounds = bounds._replace(start=max(bounds.start, start))
    if kind == "EQUAL" or kind.startswith("LESSTHAN"):
        end = offset + 1 if is_equal else offset
        bounds = bounds._replace(end=min(bounds.end, end))
    return bounds


def _flipped(kind: str) -> str:
    bare = kind.removesuffix(OR_EQUAL)
    return FLIPPED.get(bare, bare) + kind[len(bare) :]


def _column(node: Mapping[str, Any]) -> str | None:
    return str(node["column_names"][-1]).lower() if node["type"] == "COLUMN_REF" else None


def _constant(node: Mapping[str, Any]) -> str | None:
    """Written as such; what is computed is left to DuckDB."""
    text = node.get("literal", {}).get("text") if node["type"] == "VALUE_CONSTANT" else None
    return None if text is None else str(text)


def _nodes(value: object) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        yield value
        for one in value.values():
            yield from _nodes(one)
    elif isinstance(value, list):
        for one in value:
            yield from _nodes(one)
