"""A table is read as it is, as it was, and as it grows, without Delta's jar."""

from __future__ import annotations

import json
import os

import pyarrow as pa
import pytest
from deltalake import DeltaTable
from pyspark.sql.types import StructType

from moldau.spark.errors import OptionError
from moldau.spark.lake import compact
from moldau.spark.lake.errors import TableError
from moldau.spark.lake.options import reading_options
from moldau.spark.lake.reading import DeltaReader, DeltaStream, table_schema
from tests.spark.lake.tables import add, options_for


def batch(*numbers, **more):
    return pa.RecordBatch.from_pydict({"number": list(numbers), **more})


def options(path, *, streaming=False, **given):
    return reading_options({"path": str(path), **given}, streaming=streaming)


def rows_in(reader, partitions):
    """What the tasks of a plan read."""
    return [row for part in partitions for rows in reader.read(part) for row in rows.to_pylist()]


def read(path, **given):
    asked = options(path, **given)
    reader = DeltaReader(asked, table_schema(asked))
    return sorted(rows_in(reader, reader.partitions()), key=repr)


@pytest.fixture
def table(tmp_path):
    """Version 0 has 1 and 2, version 1 has 3 and a column more."""
    path = tmp_path / "table"
    add(options_for(path), batch(1, 2))
    add(options_for(path), batch(3, name=["x"]))
    return path


def test_a_table_is_read_with_the_columns_of_all_its_files(table):
    assert read(table) == [
        {"number": 1, "name": None},
        {"number": 2, "name": None},
        {"number": 3, "name": "x"},
    ]


def test_a_table_is_read_as_it_was(table):
    assert read(table, versionAsOf="0") == [{"number": 1}, {"number": 2}]
    for version in range(3):
        log = table / "_delta_log" / f"{version:020d}.json"
        os.utime(log, (1_000 * (version + 1),) * 2)
    for at in ("1970-01-01 00:20:00", "1970-01-01T00:16:40Z", "1970-01-01T02:20:00+02:00"):
        assert len(read(table, timestampAsOf=at)) == 2
    assert len(read(table, timestampAsOf="2100-01-01")) == 3
    with pytest.raises(TableError, match="had no state of 1970-01-01 yet"):
        read(table, timestampAsOf="1970-01-01")
    with pytest.raises(TableError, match="has no state of version 7 any more, or had none yet"):
        read(table, versionAsOf="7")


def test_columns_that_make_folders_have_their_types(tmp_path):
    rows = batch(1, 2, 3, day=[20, None, 21], flag=[True, False, None], text=["a/b c", "%", ""])
    add(options_for(tmp_path, partitionBy="day,flag,text"), rows)
    assert read(tmp_path) == [
        {"number": 1, "day": 20, "flag": True, "text": "a/b c"},
        {"number": 2, "day": None, "flag": False, "text": "%"},
        {"number": 3, "day": 21, "flag": None, "text": None},
    ]
    stream = stream_of(tmp_path, startingVersion="0")
    found = rows_in(stream, stream.partitions({"version": -1}, {"version": 0}))
    assert sorted(found, key=repr) == read(tmp_path)


def stream_of(path, **given):
    asked = options(path, streaming=True, **given)
    return DeltaStream(asked, table_schema(options(path)))


def numbers(stream, start, end):
    plan = stream.partitions({"version": start}, {"version": end})
    return sorted(row["number"] for row in rows_in(stream, plan))


def test_a_stream_has_each_row_once_and_nothing_of_a_compaction(table):
    stream = stream_of(table)
    start, end = stream.initialOffset(), stream.latestOffset()
    assert (start, end) == ({"version": -1}, {"version": 2})
    assert numbers(stream, -1, 2) == [1, 2, 3]
    compact(str(table))
    add(options_for(table), batch(4))
    assert numbers(stream, 2, stream.latestOffset()["version"]) == [4]
    assert numbers(stream, -1, 2) == [1, 2, 3]


def test_a_stream_may_begin_at_a_version(table):
    stream = stream_of(table, startingVersion="2")
    assert stream.initialOffset() == {"version": 1}
    assert numbers(stream, 1, 2) == [3]


def test_rows_that_are_removed_end_a_stream_unless_that_is_passed_over(table):
    DeltaTable(table).delete("number = 1")
    add(options_for(table), batch(9))
    with pytest.raises(TableError, match=r"version 3 of .* removes or changes rows"):
        numbers(stream_of(table), 2, 4)
    assert numbers(stream_of(table, skipChangeCommits="true"), 2, 4) == [9]


def test_a_log_that_was_cleaned_is_one_sentence(table):
    (table / "_delta_log" / f"{2:020d}.json").unlink()
    with pytest.raises(TableError, match=r"the log of .* has no version 2 any more"):
        numbers(stream_of(table, startingVersion="1"), 0, 2)


def test_a_table_with_more_than_rows_is_refused(table):
    log = table / "_delta_log" / f"{3:020d}.json"
    features = {"readerFeatures": ["deletionVectors"], "writerFeatures": ["deletionVectors"]}
    protocol = {"minReaderVersion": 3, "minWriterVersion": 7, **features}
    log.write_text(json.dumps({"protocol": protocol}) + "\n")
    with pytest.raises(TableError, match="has deletionVectors, which is not read here"):
        read(table)


def test_a_table_that_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(TableError, match="there is no table in"):
        read(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("given", "streaming", "sentence"),
    [
        ({"versionAsOf": "x"}, False, "versionAsOf is a whole number"),
        ({"versionAsOf": "1", "timestampAsOf": "2026-01-01"}, False, "two ways to say one thing"),
        ({"versionAsOf": "1"}, True, "versionAsOf is for batch reads"),
        ({"mergeSchema": "true"}, False, "mergeschema is no option"),
        ({"skipChangeCommits": "maybe"}, True, "skipChangeCommits is true or false"),
    ],
)
def test_options_that_make_no_sense_are_refused(given, streaming, sentence):
    with pytest.raises(OptionError, match=sentence):
        options("/t", streaming=streaming, **given)


def test_a_time_that_is_none_is_refused(table):
    with pytest.raises(OptionError, match="timestampAsOf is a time such as"):
        read(table, timestampAsOf="yesterday")


@pytest.mark.judge
@pytest.mark.timeout(600)
def test_a_query_feeds_on_a_table(spark, table, tmp_path):
    frame = spark.read.format("moldau-delta").option("versionAsOf", 0).load(str(table))
    assert isinstance(frame.schema, StructType)
    assert sorted(row.number for row in frame.collect()) == [1, 2]
    copy, checkpoint = str(tmp_path / "copy"), str(tmp_path / "checkpoint")

    def run():
        rows = spark.readStream.format("moldau-delta").load(str(table))
        writer = rows.writeStream.format("moldau-delta").option("checkpointLocation", checkpoint)
        writer.trigger(availableNow=True).start(copy).awaitTermination()
        return [row["number"] for row in read(copy)]

    assert run() == [1, 2, 3]
    add(options_for(table), batch(4))
    assert sorted(run()) == [1, 2, 3, 4]
