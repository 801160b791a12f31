"""Defaults, which schemas have as JSON, as the values that readers get."""

from __future__ import annotations

from typing import Any

from moldau.schemas.avro.defaults import is_default_of
from moldau.schemas.avro.logical import logical_of
from moldau.schemas.avro.types import AvroType

__all__ = ["default_value"]


def default_value(kind: AvroType, given: Any) -> Any:
    """The default as a value; of a union, one of the first branch that it fits."""
    value = _plain(kind, given)
    logical = logical_of(kind)
    return value if logical is None else logical.raised(value)


def _plain(kind: AvroType, given: Any) -> Any:
    match kind.kind:
        case "bytes" | "fixed":
            return given.encode("latin-1")
        case "float" | "double":
            return float(given)
        case "array":
            return [default_value(kind.items, one) for one in given]
        case "map":
            return {key: default_value(kind.items, one) for key, one in given.items()}
        case "union":
            branch = next(one for one in kind.branches if is_default_of(one, given))
            return default_value(branch, given)
        case "record" | "error":
            return {
                field.name: default_value(field.type, given.get(field.name, field.default))
                for field in kind.fields
            }
        case _:
            return given
