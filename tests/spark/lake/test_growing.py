"""A table is read as it grows: what each version adds, once, and no more at a time than wanted."""

from __future__ import annotations

import json
import os

import pytest
from deltalake import DeltaTable
from pyspark.sql.streaming.datasource import ReadAllAvailable

from moldau.spark.lake import compact
from moldau.spark.lake.errors import TableError
from tests.spark.lake.tables import add, batch, options_for, read, rows_in, stream_of

ALL = ReadAllAvailable()


def numbers(stream, start, end):
    plan = stream.partitions({"version": start}, {"version": end})
    return sorted(row["number"] for row in rows_in(stream, plan))


def test_a_stream_has_each_row_once_and_nothing_of_a_compaction(table):
    stream = stream_of(table)
    start, end = stream.initialOffset(), stream.latestOffset({"version": -1}, ALL)
    assert (start, end) == ({"version": -1}, {"version": 2})
    assert numbers(stream, -1, 2) == [1, 2, 3]
    compact(str(table))
    add(options_for(table), batch(4))
    assert numbers(stream, 2, stream.latestOffset({"version": 2}, ALL)["version"]) == [4]
    assert numbers(stream, -1, 2) == [1, 2, 3]


def test_a_stream_may_begin_at_a_version(table):
    stream = stream_of(table, startingVersion="2")
    assert stream.initialOffset() == {"version": 1}
    assert numbers(stream, 1, 2) == [3]
    later = stream_of(table, startingVersion="9")
    assert later.latestOffset(later.initialOffset(), ALL) == later.initialOffset()


def test_a_stream_may_begin_with_what_comes_next(table):
    stream = stream_of(table, startingVersion="latest")
    assert stream.initialOffset() == {"version": 2}
    add(options_for(table), batch(4))
    assert numbers(stream, 2, 3) == [4]


@pytest.mark.parametrize(
    ("time", "version"),
    [
        ("1970-01-01", -1),
        ("1970-01-01T00:33:20Z", 0),
        ("1970-01-01 00:33:21", 1),
        ("2100-01-01", 2),
    ],
)
def test_a_stream_may_begin_at_a_time(table, time, version):
    for at in range(3):
        os.utime(table / "_delta_log" / f"{at:020d}.json", (1_000 * (at + 1),) * 2)
    stream = stream_of(table, startingTimestamp=time)
    assert stream.initialOffset() == {"version": version}
    assert numbers(stream, version, 2) == [[1, 2, 3], [3], [3], []][version + 1]


def batches_of(stream, start):
    """The numbers of batch after batch, until nothing is left."""
    limit = stream.getDefaultReadLimit()
    while (end := stream.latestOffset(start, limit)) != start:
        # as Spark does: an offset comes back from the checkpoint, and a batch may be planned again
        start, end = json.loads(json.dumps(start)), json.loads(json.dumps(end))
        first, again = (rows_in(stream, stream.partitions(start, end)) for _ in range(2))
        assert first == again
        yield sorted(row["number"] for row in first)
        start = end


def table_of_files(path):
    """Three files in the first version with rows, and one in each of two more."""
    add(options_for(path, partitionBy="part"), batch(1, 2, 3, part=[1, 2, 3]))
    for number in (4, 5):
        add(options_for(path, partitionBy="part"), batch(number, part=[9]))


def test_a_batch_takes_no_more_files_than_it_may(tmp_path):
    table_of_files(tmp_path)
    for most in range(1, 7):
        for options in ({}, {"startingVersion": "0"}, {"startingVersion": "1"}):
            stream = stream_of(tmp_path, maxFilesPerTrigger=str(most), **options)
            found = list(batches_of(stream, stream.initialOffset()))
            files = 2 if "1" in options.values() else 5
            sizes = [most] * (files // most) + [files % most] * bool(files % most)
            assert [len(numbers) for numbers in found] == sizes
            everything = sorted(number for numbers in found for number in numbers)
            assert everything == list(range(6 - files, 6))


def test_a_first_batch_that_was_cut_goes_on_though_the_table_grows(tmp_path):
    table_of_files(tmp_path)
    stream = stream_of(tmp_path, maxFilesPerTrigger="2")
    begun = batches_of(stream, stream.initialOffset())
    first = next(begun)
    add(options_for(tmp_path, partitionBy="part"), batch(6, part=[9]))
    compact(str(tmp_path))
    assert sorted([*first, *(number for numbers in begun for number in numbers)]) == [*range(1, 7)]


def test_a_query_that_takes_what_is_available_ends_there(tmp_path):
    table_of_files(tmp_path)
    stream = stream_of(tmp_path, maxFilesPerTrigger="2")
    stream.prepareForTriggerAvailableNow()
    add(options_for(tmp_path, partitionBy="part"), batch(6, part=[9]))
    found = batches_of(stream, stream.initialOffset())
    assert sorted(number for numbers in found for number in numbers) == [1, 2, 3, 4, 5]
    assert stream.latestOffset({"version": -1}, ALL) == {"version": 2}


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


@pytest.mark.judge
@pytest.mark.timeout(600)
def test_a_query_feeds_on_a_table(spark, table, tmp_path):
    copy, checkpoint = str(tmp_path / "copy"), str(tmp_path / "checkpoint")

    def run():
        source = spark.readStream.format("moldau-delta").option("maxFilesPerTrigger", 1)
        rows = source.load(str(table))
        writer = rows.writeStream.format("moldau-delta").option("checkpointLocation", checkpoint)
        query = writer.trigger(availableNow=True).start(copy)
        query.awaitTermination()
        batches = [each.numInputRows for each in query.recentProgress if each.numInputRows]
        return batches, sorted(row["number"] for row in read(copy))

    batches, numbers = run()
    assert (sorted(batches), numbers) == ([1, 2], [1, 2, 3])
    add(options_for(table), batch(4))
    assert run() == ([1], [1, 2, 3, 4])
