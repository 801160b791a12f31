"""A table's rows are read as pyarrow reads them, and no thread of Arrow's enters Python for it."""

from __future__ import annotations

from datetime import UTC, datetime

import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake
from deltalake.fs import DeltaStorageHandler

from moldau.spark.lake.errors import TableError
from moldau.spark.lake.scanning import scanned

ROWS = pa.table(
    {
        "Upper": pa.array([1, 2, 3], pa.int64()),
        'a "quoted" one': ["x", None, "z"],
        "value": pa.array([b"\xff", b"", None], pa.binary()),
        "at": pa.array([datetime(2026, 11, 23, tzinfo=UTC)] * 3, pa.timestamp("us", "UTC")),
        "parts": pa.array([[{"k": "n"}], [], None], pa.list_(pa.struct([("k", pa.string())]))),
        "folder": ["one", "one", "other"],
    }
)


@pytest.fixture
def table(tmp_path):
    write_deltalake(tmp_path, ROWS, partition_by=["folder"])
    return DeltaTable(tmp_path)


def in_order(rows):
    return rows.sort_by("Upper").to_pylist()


def test_rows_and_their_types_are_those_that_pyarrow_reads(table):
    expected = table.to_pyarrow_table()
    found = pa.Table.from_batches(scanned(table))
    assert found.schema == expected.schema
    assert in_order(found) == in_order(expected) == in_order(ROWS)


def test_columns_are_read_alone_in_the_order_of_their_names(table):
    found = pa.Table.from_batches(scanned(table, ["folder", "Upper"]))
    assert found.column_names == ["folder", "Upper"]
    assert in_order(found)[2] == {"folder": "other", "Upper": 3}


def test_no_file_is_pythons(table, monkeypatch):
    """A thread that lets go of one while the interpreter ends aborts the process."""
    monkeypatch.setattr(DeltaStorageHandler, "open_input_file", None)
    with pytest.raises(TypeError):
        table.to_pyarrow_table()
    assert sum(batch.num_rows for batch in scanned(table)) == 3


def test_a_file_that_is_gone_is_named(table, tmp_path):
    next((tmp_path / "folder=other").iterdir()).unlink()
    with pytest.raises(TableError, match=r"the table .* cannot be read: .*folder=other"):
        list(scanned(table))
