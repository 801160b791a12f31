"""Shapes as columns: the DDL of Spark, and the schema of Arrow as an expression of Python.

Spark's are those that `from_registry` reads: what no column can be, such as a choice of types, is a
string, which holds its JSON.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple, assert_never

from moldau.schemas.shapes.budget import Budget
from moldau.schemas.shapes.model import (
    Choice,
    DecimalNumber,
    Enumeration,
    Field,
    ListOf,
    MapOf,
    Nullable,
    Scalar,
    Shape,
    Struct,
)

__all__ = ["SCALARS", "arrow_text", "spark_text"]

PRECISION_MAX: Final = 38
"""Of Spark's decimals, and of 128 bits in Arrow."""
WIDE_PRECISION_MAX: Final = 76
PLAIN_NAME: Final = re.compile(r"[a-z_][a-z0-9_]*", re.IGNORECASE)


class _Columns(NamedTuple):
    """What a scalar is in both."""

    spark: str
    arrow: str


SCALARS: Final[Mapping[str, _Columns]] = {
    "null": _Columns("VOID", "pa.null()"),
    "boolean": _Columns("BOOLEAN", "pa.bool_()"),
    "int": _Columns("INT", "pa.int32()"),
    "long": _Columns("BIGINT", "pa.int64()"),
    "unsigned_int": _Columns("BIGINT", "pa.uint32()"),
    "unsigned_long": _Columns("DECIMAL(20,0)", "pa.uint64()"),
    "float": _Columns("FLOAT", "pa.float32()"),
    "double": _Columns("DOUBLE", "pa.float64()"),
    "string": _Columns("STRING", "pa.string()"),
    "bytes": _Columns("BINARY", "pa.binary()"),
    "date": _Columns("DATE", "pa.date32()"),
    "time": _Columns("STRING", 'pa.time64("us")'),
    "instant": _Columns("TIMESTAMP", 'pa.timestamp("us", tz="UTC")'),
    "local_instant": _Columns("TIMESTAMP_NTZ", 'pa.timestamp("us")'),
    "uuid": _Columns("STRING", "pa.string()"),
    "any": _Columns("STRING", "pa.string()"),
}


def spark_text(shape: Shape) -> str:
    """The columns of a struct, or the type of anything else."""
    writing = _Spark()
    if isinstance(shape, Struct):
        return ", ".join(writing.fields(shape, " ", 0))
    return writing.of(shape, 0)


class _Spark:
    def __init__(self) -> None:
        self._budget = Budget()

    def of(self, shape: Shape, depth: int) -> str:
        self._budget.take(depth)
        match shape:
            case Scalar() | DecimalNumber():
                return _spark_scalar(shape)
            case ListOf():
                return f"ARRAY<{self.of(shape.item, depth + 1)}>"
            case MapOf():
                return f"MAP<STRING, {self.of(shape.value, depth + 1)}>"  # keys as JSON has them
            case Nullable():
                return self.of(shape.inner, depth + 1)
            case Struct():
                return f"STRUCT<{', '.join(self.fields(shape, ': ', depth))}>"
            case Enumeration() | Choice():
                return "STRING"
            case _:
                assert_never(shape)

    def fields(self, struct: Struct, between: str, depth: int) -> list[str]:
        self._budget.enter(struct)
        found = [self._field(field, between, depth) for field in struct.fields]
        self._budget.leave()
        return found

    def _field(self, field: Field, between: str, depth: int) -> str:
        plain = PLAIN_NAME.fullmatch(field.name) is not None
        name = field.name if plain else f"`{field.name.replace('`', '``')}`"
        never_null = "" if _has_null(field.shape) else " NOT NULL"
        return f"{name}{between}{self.of(field.shape, depth + 1)}{never_null}"


def arrow_text(shape: Shape) -> str:
    """What `pa`, which is pyarrow, makes a schema of; or a type, where it is no struct."""
    writing = _Arrow()
    if not isinstance(shape, Struct):
        return writing.of(shape, 0)
    lines = "".join(f"    {field},\n" for field in writing.fields(shape, 0))
    return f"pa.schema([\n{lines}])"


class _Arrow:
    def __init__(self) -> None:
        self._budget = Budget()

    def of(self, shape: Shape, depth: int) -> str:
        self._budget.take(depth)
        match shape:
            case Scalar() | DecimalNumber() | Enumeration():
                return _arrow_scalar(shape)
            case ListOf():
                return f"pa.list_({self.of(shape.item, depth + 1)})"
            case MapOf():
                key, value = (self.of(one, depth + 1) for one in (shape.key, shape.value))
                return f"pa.map_({key}, {value})"
            case Nullable():
                return self.of(shape.inner, depth + 1)
            case Choice():
                branches = (self.of(one, depth + 1) for one in shape.branches)
                fields = (f'pa.field("{at}", {one})' for at, one in enumerate(branches))
                return f"pa.dense_union([{', '.join(fields)}])"
            case Struct():
                return f"pa.struct([{', '.join(self.fields(shape, depth))}])"
            case _:
                assert_never(shape)

    def fields(self, struct: Struct, depth: int) -> list[str]:
        self._budget.enter(struct)
        found = [self._field(field, depth) for field in struct.fields]
        self._budget.leave()
        return found

    def _field(self, field: Field, depth: int) -> str:
        never_null = "" if _has_null(field.shape) else ", nullable=False"
        return f"pa.field({field.name!r}, {self.of(field.shape, depth + 1)}{never_null})"


def _spark_scalar(shape: Scalar | DecimalNumber) -> str:
    if isinstance(shape, Scalar):
        return SCALARS[shape.kind].spark
    fits = shape.precision <= PRECISION_MAX
    return f"DECIMAL({shape.precision},{shape.scale})" if fits else "STRING"


def _arrow_scalar(shape: Scalar | DecimalNumber | Enumeration) -> str:
    if isinstance(shape, Scalar):
        return SCALARS[shape.kind].arrow
    if isinstance(shape, Enumeration) or shape.precision > WIDE_PRECISION_MAX:
        return "pa.string()"
    bits = 128 if shape.precision <= PRECISION_MAX else 256
    return f"pa.decimal{bits}({shape.precision}, {shape.scale})"


def _has_null(shape: Shape) -> bool:
    return isinstance(shape, Nullable) or (isinstance(shape, Scalar) and shape.kind in NULLS)


NULLS: Final = ("null", "any")
