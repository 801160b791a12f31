"""What JSON looks like, written so that it can be read, and as a schema of OpenAPI.

"integer"                  a type of JSON Schema by name; "integer?" may be null
{"id": …, "size?": …}      an object with these fields and no others; the second may be absent
[…]                        a list of these
(…, …)                     a list with these in this order, as a row of a table
Maybe(…)                   that, or null
ByName(…)                  an object whose names are data
"any"                      whatever it is
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

__all__ = ["ByName", "Maybe", "Shape", "schema_of"]

Shape: TypeAlias = "str | Mapping[str, Shape] | list[Shape] | tuple[Shape, ...] | Maybe | ByName"


class Maybe(NamedTuple):
    """Null is another possibility."""

    of: Shape


class ByName(NamedTuple):
    """Each value is of this shape."""

    of: Shape


def schema_of(shape: Shape) -> dict[str, Any]:
    """In JSON Schema 2020-12, as OpenAPI 3.1 has it."""
    match shape:
        case "any":
            return {}
        case str():
            name = shape.removesuffix("?")
            return {"type": name if name == shape else [name, "null"]}
        case Maybe(of):
            return {"anyOf": [schema_of(of), {"type": "null"}]}
        case ByName(of):
            return {"type": "object", "additionalProperties": schema_of(of)}
        case tuple():
            items = [schema_of(one) for one in shape]
            return {"type": "array", "prefixItems": items, "minItems": len(items), "items": False}
        case list():
            (of,) = shape
            return {"type": "array", "items": schema_of(of)}
        case _:
            return _object(shape)


def _object(fields: Mapping[str, Shape]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name.removesuffix("?"): schema_of(of) for name, of in fields.items()},
        "required": [name for name in fields if not name.endswith("?")],
        "additionalProperties": False,
    }
