"""Which branch of a union a value is of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from struct import Struct
from struct import error as PackError
from typing import Any, Final

from moldau.schemas.avro.defaults import INT, LONG
from moldau.schemas.avro.logical import logical_of
from moldau.schemas.avro.types import AvroType

__all__ = ["branch_of", "fits"]

REALS: Final = {"float": Struct("<f"), "double": Struct("<d")}


def branch_of(branches: Sequence[AvroType], value: object) -> int | None:
    """The first branch that keeps the value as it is; where each would round it, the first it fits.

    A float would keep seven digits of a number for which a double may stand behind it.
    """
    fitting = [index for index, branch in enumerate(branches) if fits(branch, value)]
    keeping = (index for index in fitting if _keeps(branches[index].kind, value))
    return next(keeping, fitting[0] if fitting else None)


def _keeps(kind: str, value: Any) -> bool:
    """Whether a reader gets the very number."""
    if kind not in REALS or value != value:  # NaN is equal to nothing
        return True
    return bool(_rounded(kind, value) == value)


def _rounded(kind: str, value: float) -> float | None:
    """As a reader gets it; None where it is beyond the type's range."""
    packer = REALS[kind]
    try:
        found: float = packer.unpack(packer.pack(value))[0]
    except (OverflowError, PackError):
        return None
    return found


def fits(kind: AvroType, value: Any) -> bool:
    """Whether it may be written as this type; of records, down to their fields."""
    logical = logical_of(kind)
    if logical is not None and isinstance(value, logical.kind):
        return True
    match kind.kind:
        case "null":
            return value is None
        case "boolean":
            return isinstance(value, bool)
        case "int" | "long":
            limits = INT if kind.kind == "int" else LONG
            return isinstance(value, int) and not isinstance(value, bool) and value in limits
        case "float" | "double":
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            return is_number and _rounded(kind.kind, value) is not None
        case "string":
            return isinstance(value, str)
        case "bytes":
            return isinstance(value, bytes | bytearray | memoryview)
        case _:
            return _compound(kind, value)


def _compound(kind: AvroType, value: Any) -> bool:
    match kind.kind:
        case "fixed":
            return isinstance(value, bytes | bytearray | memoryview) and len(value) == kind.size
        case "enum":
            return getattr(value, "value", value) in kind.symbols
        case "array":
            return isinstance(value, list | tuple) and all(fits(kind.items, one) for one in value)
        case "map":
            return isinstance(value, Mapping) and all(
                isinstance(key, str) and fits(kind.items, one) for key, one in value.items()
            )
        case "union":
            return any(fits(branch, value) for branch in kind.branches)
        case _:
            return isinstance(value, Mapping) and _record(kind, value)


def _record(kind: AvroType, value: Mapping[str, Any]) -> bool:
    """A name that the record does not have belongs to another branch."""
    names = {field.name for field in kind.fields}
    return names.issuperset(value) and all(
        fits(field.type, value[field.name]) if field.name in value else field.has_default
        for field in kind.fields
    )
