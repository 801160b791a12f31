"""Tables open in other programs, which know nothing of us."""

from __future__ import annotations

from datetime import UTC, date, datetime

import duckdb
import pandas
import polars
import pyarrow as pa
import pytest
from deltalake import DeltaTable

from tests.spark.lake.tables import add, numbers, options_for

MOMENT = datetime(2026, 11, 21, 1, 2, 3, 4, UTC)


@pytest.fixture
def table(tmp_path):
    """Two batches, the second with a column more; numbers 0 to 5 on three days."""
    options = options_for(tmp_path, partitionBy="day")
    days = [date(2026, 11, 21), date(2026, 11, 22), None]
    add(options, numbers(0, 1, 2, day=days, at=[MOMENT] * 3))
    texts = pa.array(["a", "ž" * 50, None])
    add(options, numbers(3, 4, 5, day=days, at=[MOMENT] * 3, text=texts))
    return str(tmp_path)


def test_duckdb_reads_it(table):
    dataset = DeltaTable(table).to_pyarrow_dataset()
    found = duckdb.query(
        'select sum(number), count(text), min("at") from dataset where number >= 3'
    )
    assert found is not None
    assert found.fetchall() == [(12, 2, MOMENT)]
    assert dataset.count_rows() == 6


def test_polars_reads_it_by_partition(table):
    frame = polars.scan_delta(table).filter(polars.col("day") == date(2026, 11, 22)).collect()
    assert sorted(frame["number"].to_list()) == [1, 4]
    assert polars.read_delta(table).filter(polars.col("text") == "ž" * 50).height == 1


def test_pandas_reads_it(table):
    frame = DeltaTable(table).to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert sorted(frame["number"]) == [0, 1, 2, 3, 4, 5]
    assert frame["day"].isna().sum() == 2


def test_what_the_log_says_of_files_is_what_is_in_them(table):
    actions = pa.table(DeltaTable(table).get_add_actions(flatten=True)).to_pylist()
    assert sum(file["num_records"] for file in actions) == 6
    assert {(file["min.number"], file["max.number"]) for file in actions} == {
        (number, number) for number in range(6)
    }
