"""From the bytes of a record to columns, or to a reason why not.

Every record ends in one of two ways: with a `row`, or with a `reason` and a `detail`. Nothing is
guessed and nothing depends on when a record is looked at, so the same records give the same result
however often they are read.

    empty        there is no value
    oversized    the value is larger than it may be
    unparsable   the bytes are no JSON object, no line of CSV, or nothing of the schema they name
    drifted      a field has another type than its column
    incomplete   a field that has to be there is not
    late         its event happened too long before it was written
    early        its event happens as long after it was written: the watermark would go there, and
                 all records behind it would be too late
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from math import inf

from pyspark.errors import ParseException
from pyspark.sql import Column, DataFrame, types
from pyspark.sql import functions as sql

from moldau.programs.pipelines.errors import SettingError
from moldau.spark.registry.columns import decoded

__all__ = ["LETTERS", "MISFIT", "columns_of", "good", "inferred_schema", "parsed", "read_schema"]

LETTERS = ("empty", "oversized", "unparsable", "drifted", "incomplete", "late", "early")
REGISTRY = "registry"
READ = "_read"
"""Where a value is that was read by its schema, or why it was not."""
TASK = "_task"
MISFIT = "_misfit"
"""Where Spark puts a text that does not fit the schema."""
DETAIL_LENGTH_MAX = 200
US_PER_S = 1_000_000
DECIMAL = re.compile(r"DECIMAL\(\d+, ?\d+\)")


def parsed(
    records: DataFrame,
    form: str,
    schema: types.StructType,
    *,
    size_max: int,
    event_time: str = "",
    late_after_s: int = 0,
    needed: Sequence[str] = (),
    registry: str = "",
) -> DataFrame:
    """The records with `row`, `reason` and `detail`; the two are null where the row is good."""
    text = wrong = sql.col("value").cast("string")
    if form == REGISTRY:
        readable = sql.when(sql.length("value") <= size_max, sql.col("value"))
        records = records.withColumn(READ, decoded(readable, registry))
        text = sql.col(f"{READ}.text")
        wrong = sql.coalesce(f"{READ}.problem", text)
    found = (
        sql.when(sql.col("value").isNull(), _letter("empty", sql.lit("the record has no value")))
        .when(sql.length("value") > size_max, _letter("oversized", _size()))
        .when(_is_misfit(form) & ~_is_readable(form, text), _letter("unparsable", wrong))
        .when(_is_misfit(form), _letter("drifted", text))
    )
    for name in needed:
        is_missing = sql.col(f"row.`{name}`").isNull()
        found = found.when(is_missing, _letter("incomplete", sql.lit(f"it has no {name}")))
        if schema[name].dataType == types.DoubleType():
            value = sql.col(f"row.`{name}`")
            is_endless = sql.isnan(value) | (sql.abs(value) == sql.lit(inf))
            detail = sql.concat(sql.lit(f"its {name} is "), value.cast("string"))
            found = found.when(is_endless, _letter("drifted", detail))
    if event_time:
        age_us = sql.unix_micros("timestamp") - sql.unix_micros(_moment(event_time))
        is_late = age_us > late_after_s * US_PER_S
        is_early = age_us < -late_after_s * US_PER_S
        moment = _moment(event_time).cast("string")
        found = found.when(is_late, _letter("late", moment)).when(
            is_early, _letter("early", moment)
        )
    judged = records.withColumn("row", _row(form, text, schema)).withColumn("letter", found)
    detail = sql.substring("letter.detail", 1, DETAIL_LENGTH_MAX)
    return judged.withColumns({"reason": sql.col("letter.reason"), "detail": detail}).drop(
        "letter", READ
    )


def good(rows: DataFrame) -> DataFrame:
    """What was `parsed` without a reason against it, each value read once.

    Spark moves a filter below the columns that it tests, and computes them anew in each of its
    conditions: a value would be read once for each. It leaves a filter where it is that tests a
    column which is not deterministic, as the number of a task.
    """
    asked = rows.withColumn(TASK, sql.spark_partition_id()).where(f"reason is null and {TASK} >= 0")
    return asked.drop(TASK)


def _row(form: str, text: Column, schema: types.StructType) -> Column:
    if form == "raw":
        return sql.struct("value")
    whole = types.StructType([*schema.fields, types.StructField(MISFIT, types.StringType())])
    keep_misfits = {"mode": "PERMISSIVE", "columnNameOfCorruptRecord": MISFIT}
    if form == "csv":
        return sql.from_csv(text, whole.toDDL(), keep_misfits)
    return sql.from_json(text, whole, keep_misfits)


def _is_misfit(form: str) -> Column:
    if form == "raw":
        return sql.lit(False)
    return sql.col("row").isNull() | sql.col(f"row.{MISFIT}").isNotNull()


def _is_readable(form: str, text: Column) -> Column:
    """Whether it is what it should be, whatever its fields are."""
    if form == "csv":
        return sql.length(sql.trim(text)) > 0
    return sql.coalesce(_is_object(sql.try_parse_json(text)), sql.lit(False))


def _is_object(variant: Column) -> Column:
    return sql.schema_of_variant(variant).startswith("OBJECT")


def _letter(reason: str, detail: Column) -> Column:
    return sql.struct(sql.lit(reason).alias("reason"), detail.alias("detail"))


def _size() -> Column:
    return sql.concat(sql.length("value").cast("string"), sql.lit(" bytes"))


def _moment(event_time: str) -> Column:
    return sql.col(f"row.`{event_time}`").try_cast("timestamp")


def read_schema(text: str) -> types.StructType:
    """The columns that a user gave, as `id bigint, name string`."""
    try:
        found = types.StructType.fromDDL(text)
    except ParseException as error:
        raise SettingError(
            "schema is a list of names and types such as 'id bigint, name string', and not"
            f" {text!r}"
        ) from error
    assert isinstance(found, types.StructType)
    return found


def inferred_schema(records: DataFrame, form: str = "json", registry: str = "") -> types.StructType:
    """The columns that the JSON objects among these values have, as Spark's variants see them.

    A field with numbers and text at once becomes text, one that was never set has no column yet.
    """
    is_framed = form == REGISTRY
    text = decoded("value", registry)["text"] if is_framed else sql.col("value").cast("string")
    variant = sql.try_parse_json(text).alias("variant")
    objects = records.select(variant).where(_is_object(sql.col("variant")))
    found = objects.select(sql.schema_of_variant_agg("variant")).first()
    return columns_of(str(found[0]) if found else "VOID")


def columns_of(ddl: str) -> types.StructType:
    """Spark's words for the type of variants, as columns of a table."""
    if not ddl.startswith("OBJECT"):
        return types.StructType([])
    plain = DECIMAL.sub("DOUBLE", ddl).replace("OBJECT<", "STRUCT<").replace("VARIANT", "STRING")
    whole = types.StructType.fromDDL(f"row {plain}")
    assert isinstance(whole, types.StructType)
    kept: dict[str, types.StructField] = {}
    for column in whole["row"].jsonValue()["type"]["fields"]:
        if column["type"] != "void":
            known = json.dumps(column).replace('"void"', '"string"')
            kept.setdefault(column["name"].lower(), types.StructField.fromJson(json.loads(known)))
    return types.StructType(list(kept.values()))
