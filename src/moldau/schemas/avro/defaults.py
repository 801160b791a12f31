"""Whether a default is a value of its type, in Avro's JSON."""

from __future__ import annotations

from typing import Final

from moldau.schemas.avro.types import AvroType

__all__ = ["is_default_of"]

INT: Final = range(-(2**31), 2**31)
LONG: Final = range(-(2**63), 2**63)


def is_default_of(kind: AvroType, value: object) -> bool:
    """Whether it is a default; in a union of any branch: Avro 1.12 takes not only the first."""
    match kind.kind:
        case "null":
            return value is None
        case "boolean":
            return isinstance(value, bool)
        case "int" | "long":
            limits = INT if kind.kind == "int" else LONG
            return _is_whole(value) and int(str(value)) in limits
        case "float" | "double":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "bytes" | "string" | "fixed":
            return isinstance(value, str)
        case "enum":
            return value in kind.symbols
        case _:
            return _is_compound(kind, value)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_compound(kind: AvroType, value: object) -> bool:
    match kind.kind:
        case "array":
            return isinstance(value, list) and all(is_default_of(kind.items, one) for one in value)
        case "map":
            return isinstance(value, dict) and all(
                is_default_of(kind.items, one) for one in value.values()
            )
        case "union":
            return any(is_default_of(branch, value) for branch in kind.branches)
        case _:
            return isinstance(value, dict) and all(
                is_default_of(field.type, value[field.name])
                if field.name in value
                else field.has_default
                for field in kind.fields
            )
