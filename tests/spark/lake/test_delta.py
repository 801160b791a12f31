"""The format as Spark drives it: tasks write, the driver commits or gives up."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pyspark.sql.datasource import CaseInsensitiveDict
from pyspark.sql.types import LongType, StructField, StructType

from moldau.spark.errors import OptionError
from moldau.spark.lake.delta import DeltaFormat, DeltaStreamWriter
from moldau.spark.lake.errors import SchemaError
from tests.spark.lake.tables import files_under, numbers, rows_of

SCHEMA = StructType([StructField("number", LongType())])


def stream_to(path, *, overwrite: bool = False, **given: str) -> DeltaStreamWriter:
    """The writer of one batch: Spark makes a new one for each."""
    options = CaseInsensitiveDict({"path": str(path), "checkpointLocation": "c", **given})
    return DeltaFormat(options).streamWriter(SCHEMA, overwrite)


def task(writer, *values, query="query"):
    """What one task of a query reports."""
    return replace(writer.write(iter([numbers(*values)])), query_id=query)


def values_in(path):
    return sorted(row["number"] for row in rows_of(path))


def test_what_all_tasks_wrote_is_there_at_once(tmp_path):
    writer = stream_to(tmp_path)
    messages = [task(writer, 1, 2), task(writer, 3), task(writer)]
    assert values_in(tmp_path) == []
    writer.commit(messages, 0)
    assert values_in(tmp_path) == [1, 2, 3]


def test_a_batch_that_comes_again_adds_nothing_and_leaves_no_file(tmp_path):
    for values in ([1, 2], [2, 1]):
        writer = stream_to(tmp_path)
        writer.commit([task(writer, *values)], 4)
    assert values_in(tmp_path) == [1, 2]
    assert len(files_under(tmp_path)) == 1


def test_a_new_query_counts_its_batches_anew(tmp_path):
    for query in ("first", "second"):
        writer = stream_to(tmp_path)
        writer.commit([task(writer, 1, query=query)], 0)
    assert values_in(tmp_path) == [1, 1]


def test_under_an_old_name_a_batch_is_known_whatever_its_query(tmp_path):
    for query in ("first", "second"):
        writer = stream_to(tmp_path, txnAppId="orders")
        writer.commit([task(writer, 1, query=query)], 0)
    assert values_in(tmp_path) == [1]


def test_an_empty_first_batch_makes_an_empty_table(tmp_path):
    writer = stream_to(tmp_path)
    writer.commit([task(writer)], 0)
    assert (tmp_path / "_delta_log").exists()
    assert values_in(tmp_path) == []


def test_an_aborted_batch_leaves_no_file(tmp_path):
    writer = stream_to(tmp_path)
    writer.abort([task(writer, 1), None], 0)
    assert files_under(tmp_path) == []


def test_giving_up_after_the_log_was_written_takes_nothing_away(tmp_path):
    writer = stream_to(tmp_path)
    messages = [task(writer, 1)]
    writer.commit(messages, 0)
    writer.abort(messages, 0)
    assert values_in(tmp_path) == [1]
    assert len(files_under(tmp_path)) == 1


def test_a_task_that_fails_removes_its_files(tmp_path):
    def batches():
        yield numbers(*range(100_000))
        raise RuntimeError("the source went away")

    with pytest.raises(RuntimeError, match="went away"):
        stream_to(tmp_path).write(batches())
    assert files_under(tmp_path) == []


def test_a_stream_in_complete_mode_replaces_what_was_there(tmp_path):
    for batch, value in enumerate([1, 2]):
        writer = stream_to(tmp_path, overwrite=True)
        writer.commit([task(writer, value)], batch)
    assert values_in(tmp_path) == [2]


def test_a_batch_write_may_be_repeated_if_it_has_a_name(tmp_path):
    given = {"path": str(tmp_path), "txnAppId": "load", "txnVersion": "1"}
    for _ in range(2):
        writer = DeltaFormat(CaseInsensitiveDict(given)).writer(SCHEMA, False)
        writer.commit([writer.write(iter([numbers(1)]))])
    assert values_in(tmp_path) == [1]


def test_a_batch_write_that_fails_leaves_no_file(tmp_path):
    writer = DeltaFormat(CaseInsensitiveDict({"path": str(tmp_path)})).writer(SCHEMA, False)
    writer.abort([writer.write(iter([numbers(1)]))])
    assert files_under(tmp_path) == []


def test_half_a_name_of_a_batch_write_is_refused():
    given = CaseInsensitiveDict({"path": "x", "txnAppId": "load"})
    with pytest.raises(OptionError, match="txnAppId means nothing without txnVersion"):
        DeltaFormat(given).writer(SCHEMA, False)


def test_what_cannot_be_written_is_refused_before_any_task_runs(tmp_path):
    with pytest.raises(SchemaError, match="partitioned by day"):
        stream_to(tmp_path, partitionBy="day")
