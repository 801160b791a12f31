"""What the log says of a file is never narrower than the file."""

from __future__ import annotations

import io
import json
from datetime import UTC, date, datetime

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from moldau.spark.lake.statistics import file_statistics


def statistics_of(rows_per_group=None, **columns):
    footers: list[parquet.FileMetaData] = []
    table = pa.table(columns)
    with parquet.ParquetWriter(io.BytesIO(), table.schema, metadata_collector=footers) as writer:
        writer.write_table(table, rows_per_group)
    return json.loads(file_statistics(footers[0]))


def test_bounds_and_nulls_span_all_row_groups():
    found = statistics_of(2, number=[5, None, 9, 1, None, None])
    assert found == {
        "numRecords": 6,
        "minValues": {"number": 1},
        "maxValues": {"number": 9},
        "nullCount": {"number": 3},
    }


@given(st.lists(st.text(max_size=40), min_size=1))
def test_text_is_never_outside_its_bounds(texts):
    found = statistics_of(text=pa.array(texts, pa.string()))
    assert all(found["minValues"]["text"] <= text for text in texts)
    assert all(text <= found["maxValues"].get("text", text) for text in texts)


def test_days_and_times_are_written_as_delta_writes_them():
    moment = datetime(2026, 11, 21, 1, 2, 3, 4)
    found = statistics_of(
        day=[date(2026, 11, 21)],
        there=pa.array([moment], pa.timestamp("us")),
        everywhere=pa.array([moment.replace(tzinfo=UTC)], pa.timestamp("us", "UTC")),
    )
    assert found["minValues"] == {
        "day": "2026-11-21",
        "there": "2026-11-21T01:02:03.000004",
        "everywhere": "2026-11-21T01:02:03.000004Z",
    }


def test_what_has_no_sure_order_has_no_bounds_but_its_nulls():
    found = statistics_of(real=[1.0, float("nan")], raw=[b"x", None], yes=[True, False])
    assert found["minValues"] == found["maxValues"] == {}
    assert found["nullCount"] == {"real": 0, "raw": 1, "yes": 0}


def test_the_insides_of_a_column_say_nothing():
    found = statistics_of(many=[[1], [2]], both=[{"x": 1}, {"x": 2}])
    assert found["nullCount"] == {}
