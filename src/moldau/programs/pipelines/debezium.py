"""Records of Debezium as a frame of changes, each with its `row` or with the `reason` why not."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sql
from pyspark.sql.pandas.functions import arrow_udf

from moldau.programs.pipelines.envelope import Change, decoded

__all__ = ["changes_of"]

COLUMNS = (
    "table string, id string, place string, op string, row string, transaction string, at_ms bigint"
)
DECODED = pa.struct(
    [
        *[(name, pa.string()) for name in Change._fields if name != "at_ms"],
        *[("at_ms", pa.int64()), ("reason", pa.string()), ("detail", pa.string())],
    ]
)


def changes_of(records: DataFrame, size_max: int) -> DataFrame:
    """The records as changes, or with the reason why not."""
    is_large = sql.length("value") > size_max
    value = sql.when(is_large, None).otherwise(sql.col("value"))
    size = sql.concat(sql.length("value").cast("string"), sql.lit(" bytes"))
    found = records.withColumn("found", _decoding()("key", value))
    return found.withColumns(
        {
            "row": sql.struct(*[f"found.{name}" for name in Change._fields]),
            "reason": sql.when(is_large, "oversized").otherwise(sql.col("found.reason")),
            "detail": sql.when(is_large, size).otherwise(sql.col("found.detail")),
        }
    ).drop("found")


def _decoding() -> Callable[..., Column]:
    """An Arrow function: keys and values in, changes or reasons out."""
    fields = f"struct<{COLUMNS}, reason string, detail string>"
    return cast("Callable[..., Column]", arrow_udf(_decode, fields))  # type: ignore[call-overload]


def _decode(keys: pa.Array, values: pa.Array) -> pa.Array:
    pairs = zip(keys.to_pylist(), values.to_pylist(), strict=True)
    return pa.array([decoded(key, value)._asdict() for key, value in pairs], DECODED)
