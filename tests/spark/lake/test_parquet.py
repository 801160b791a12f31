"""A folder of Parquet files in which a batch is whole or absent."""

from __future__ import annotations

import duckdb
import polars
import pytest
from pyarrow import dataset
from pyspark.sql.datasource import CaseInsensitiveDict
from pyspark.sql.types import LongType, StringType, StructField, StructType

from moldau.spark.errors import OptionError
from moldau.spark.lake.parquet import ParquetFormat, ParquetStreamWriter, staging_of
from tests.spark.lake.tables import files_under, numbers

SCHEMA = StructType([StructField("number", LongType()), StructField("day", StringType())])


def stream_to(path, **given: str) -> ParquetStreamWriter:
    options = CaseInsensitiveDict({"path": str(path), **given})
    return ParquetFormat(options).streamWriter(SCHEMA, overwrite=False)


def write(writer, *values):
    """Two tasks of one batch."""
    days = ["mon"] * len(values)
    return [writer.write(iter([numbers(*values, day=days)])), writer.write(iter([]))]


def values_in(path):
    return sorted(dataset.dataset(path, partitioning="hive").to_table()["number"].to_pylist())


def waiting(path):
    return list((path.parent / f"{path.name}-staging").rglob("*.parquet"))


def test_a_batch_is_seen_when_it_is_whole(tmp_path):
    table = tmp_path / "table"
    writer = stream_to(table, txnAppId="orders")
    messages = write(writer, 1, 2)
    assert not table.exists()
    writer.commit(messages, 12)
    assert values_in(table) == [1, 2]
    assert files_under(table)[0].startswith("batch=orders-0000000012/part-")


def test_a_batch_that_comes_again_is_thrown_away(tmp_path):
    table = tmp_path / "table"
    for values in ([1, 2], [2, 1]):
        writer = stream_to(table, txnAppId="orders")
        writer.commit(write(writer, *values), 0)
    assert values_in(table) == [1, 2]
    assert waiting(table) == []


def test_what_a_killed_attempt_left_goes_with_the_next_one(tmp_path):
    table = tmp_path / "table"
    write(stream_to(table, txnAppId="orders"), 1)
    writer = stream_to(table, txnAppId="orders")
    writer.commit(write(writer, 1), 0)
    assert values_in(table) == [1]
    assert waiting(table) == []


def test_an_aborted_batch_leaves_nothing(tmp_path):
    writer = stream_to(tmp_path / "table")
    writer.abort(write(writer, 1), 0)
    assert waiting(tmp_path / "table") == []


def test_a_batch_without_rows_has_no_folder(tmp_path):
    writer = stream_to(tmp_path / "table")
    writer.commit(write(writer), 0)
    assert files_under(tmp_path) == []


def test_writes_outside_a_query_lie_side_by_side(tmp_path):
    for _ in range(2):
        given = CaseInsensitiveDict({"path": str(tmp_path / "table")})
        writer = ParquetFormat(given).writer(SCHEMA, overwrite=False)
        writer.commit(write(writer, 1))
    assert values_in(tmp_path / "table") == [1, 1]


def test_a_named_write_may_be_repeated(tmp_path):
    for value in (1, 2):
        given = {"path": str(tmp_path / "table"), "txnAppId": "load", "txnVersion": "3"}
        writer = ParquetFormat(CaseInsensitiveDict(given)).writer(SCHEMA, overwrite=False)
        writer.commit(write(writer, value))
    assert values_in(tmp_path / "table") == [1]


def test_a_write_that_fails_leaves_what_others_have_waiting(tmp_path):
    given = CaseInsensitiveDict({"path": str(tmp_path / "table")})
    writers = [ParquetFormat(given).writer(SCHEMA, overwrite=False) for _ in range(2)]
    messages = [write(writer, 1) for writer in writers]
    writers[0].abort(messages[0])
    writers[1].commit(messages[1])
    assert values_in(tmp_path / "table") == [1]


def test_others_read_the_folder_with_its_partitions(tmp_path):
    table = tmp_path / "table"
    writer = stream_to(table, partitionBy="day", txnAppId="orders")
    writer.commit(write(writer, 1, 2), 0)
    files = f"{table}/**/*.parquet"
    seen = duckdb.query(f"select number, day from '{files}' order by number")
    assert seen is not None
    assert seen.fetchall() == [(1, "mon"), (2, "mon")]
    assert polars.read_parquet(files, hive_partitioning=True)["day"].to_list() == ["mon", "mon"]


def test_replacing_and_object_stores_are_refused(tmp_path):
    with pytest.raises(OptionError, match="moldau-parquet only appends"):
        ParquetFormat(CaseInsensitiveDict({"path": "x"})).streamWriter(SCHEMA, overwrite=True)
    with pytest.raises(OptionError, match="an object store cannot rename a folder at once"):
        stream_to("s3://bucket/table")


def test_staging_is_beside_the_table():
    assert staging_of("lake/orders") == "lake/orders-staging"
