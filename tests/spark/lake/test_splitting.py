"""Rows by partition: all of them, each once, in their order."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, date, datetime
from decimal import Decimal

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.spark.lake.errors import SchemaError
from moldau.spark.lake.splitting import folder_of, refuse_unfit_columns, split

WORDS = st.sampled_from(["a", "b", "", "ü/:", None])


@given(st.lists(st.tuples(WORDS, st.sampled_from([1, 2, None]))))
def test_splitting_agrees_with_the_plain_way(pairs):
    texts, numbers = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    columns = {
        "text": pa.array(texts, pa.string()),
        "number": pa.array(numbers, pa.int64()),
        "row": pa.array(range(len(pairs)), pa.int64()),
    }
    found: dict[object, list[int]] = defaultdict(list)
    for values, rows in split(pa.record_batch(columns), ["text", "number"]):
        found[values] += rows.column("row").to_pylist()
    wanted: dict[object, list[int]] = defaultdict(list)
    for row, (text, number) in enumerate(pairs):
        wanted[text or None, None if number is None else str(number)].append(row)
    assert {key: sorted(rows) for key, rows in found.items()} == wanted


def test_rows_keep_their_order_within_a_partition():
    batch = pa.record_batch({"key": ["b", "a", "b", "a"], "row": [0, 1, 2, 3]})
    assert [(values, rows.column("row").to_pylist()) for values, rows in split(batch, ["key"])] == [
        (("b",), [0, 2]),
        (("a",), [1, 3]),
    ]


def test_without_partition_columns_nothing_is_touched():
    batch = pa.record_batch({"row": [0, 1]})
    assert list(split(batch, [])) == [((), batch)]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (7, "7"),
        (date(2026, 11, 21), "2026-11-21"),
        (datetime(2026, 11, 21, 1, 2, 3, 4, UTC), "2026-11-21 01:02:03.000004"),
        (Decimal("1.50"), "1.50"),
        (1.5, "1.5"),
    ],
)
def test_a_value_is_written_as_delta_writes_it(value, text):
    batch = pa.record_batch({"key": [value], "row": [0]})
    assert [values for values, _ in split(batch, ["key"])] == [(text,)]


def test_a_folder_is_named_as_hive_names_it():
    assert folder_of(["day", "what"], ("2026-11-21", "a/b=c:%")) == (
        "day=2026-11-21/what=a%2Fb%3Dc%3A%25/"
    )
    assert folder_of(["what"], (None,)) == "what=__HIVE_DEFAULT_PARTITION__/"


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        (["gone"], "partitioned by gone, and the rows have no such column"),
        (["raw"], "values of type binary make no folder"),
        (["text", "raw"], "make no folder"),
    ],
)
def test_columns_that_cannot_partition_are_refused(columns, sentence):
    schema = pa.schema([("text", pa.string()), ("raw", pa.binary())])
    with pytest.raises(SchemaError, match=sentence):
        refuse_unfit_columns(schema, columns)


def test_one_column_has_to_stay_in_the_files():
    with pytest.raises(SchemaError, match="every column is a partition column"):
        refuse_unfit_columns(pa.schema([("text", pa.string())]), ["text"])
