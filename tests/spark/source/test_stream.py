"""Covers moldau.spark.source.stream."""

from __future__ import annotations

import pickle

import pytest
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadMaxRows, ReadMinRows
from pyspark.sql.types import StructType

from moldau.client import TopicPartition
from moldau.spark.errors import DataLossError
from moldau.spark.options import read_options
from moldau.spark.source.stream import StreamReader, offsets_in, written
from tests.spark.source.fake_cluster import FakeCluster

FIRST, SECOND = TopicPartition("orders", 0), TopicPartition("orders", 1)


@pytest.fixture
def cluster():
    cluster = FakeCluster()
    cluster.has("orders", 0, 10, 100)
    cluster.has("orders", 1, 0, 50)
    return cluster


def reader(cluster, **given):
    least = {"kafka.bootstrap.servers": "localhost:9092", "subscribe": "orders"}
    options = read_options(least | given, streaming=True)
    return StreamReader(options, StructType(), lambda settings: cluster)


def tasks(reader, start, end):
    return sorted(tuple(one) for task in reader.partitions(start, end) for one in task.ranges)


def test_offsets_are_written_as_sparks_own_connector_writes_them():
    offsets = {SECOND: 5, FIRST: 23}
    assert written(offsets) == {"orders": {"0": 23, "1": 5}}
    assert offsets_in(written(offsets)) == offsets


def test_a_new_query_begins_at_the_end_and_an_early_one_at_the_first(cluster):
    assert reader(cluster).initialOffset() == {"orders": {"0": 100, "1": 50}}
    early = reader(cluster, startingOffsets="earliest")
    assert early.initialOffset() == {"orders": {"0": 10, "1": 0}}


def test_a_trigger_reads_from_where_the_last_one_ended(cluster):
    stream = reader(cluster)
    end = stream.latestOffset({"orders": {"0": 90, "1": 50}}, ReadAllAvailable())
    assert tasks(stream, {"orders": {"0": 90, "1": 50}}, end) == [(FIRST, 90, 100)]


def test_a_limit_is_kept_and_shared(cluster):
    stream = reader(cluster, maxOffsetsPerTrigger="14")
    assert stream.getDefaultReadLimit() == ReadMaxRows(14)
    start = {"orders": {"0": 10, "1": 0}}
    assert stream.latestOffset(start, ReadMaxRows(14)) == {"orders": {"0": 19, "1": 5}}


def test_a_trigger_that_asks_for_everything_is_not_limited(cluster):
    stream = reader(cluster, maxOffsetsPerTrigger="14")
    end = stream.latestOffset({"orders": {"0": 10, "1": 0}}, ReadAllAvailable())
    assert end == {"orders": {"0": 100, "1": 50}}


def test_too_little_waits_for_more(cluster):
    stream = reader(cluster, minOffsetsPerTrigger="20")
    assert stream.getDefaultReadLimit() == ReadMinRows(20)
    start = {"orders": {"0": 85, "1": 50}}
    assert stream.latestOffset(start, ReadMinRows(20)) == start
    cluster.ends[SECOND] = 55
    assert stream.latestOffset(start, ReadMinRows(20)) == {"orders": {"0": 100, "1": 55}}


def test_too_little_does_not_wait_for_ever(cluster):
    stream = reader(cluster, minOffsetsPerTrigger="20", maxTriggerDelay="0ms")
    end = stream.latestOffset({"orders": {"0": 85, "1": 50}}, ReadMinRows(20))
    assert end == {"orders": {"0": 100, "1": 50}}


def test_what_comes_after_the_beginning_is_left_to_the_next_run(cluster):
    stream = reader(cluster)
    stream.prepareForTriggerAvailableNow()
    cluster.ends[FIRST] = 500
    cluster.has("orders", 2, 0, 9)
    end = stream.latestOffset({"orders": {"0": 10, "1": 0}}, ReadAllAvailable())
    assert end == {"orders": {"0": 100, "1": 50}}


def test_a_new_partition_is_read_from_its_first_record(cluster):
    stream = reader(cluster)
    third = cluster.has("orders", 2, 0, 9)
    start = {"orders": {"0": 100, "1": 50}}
    end = stream.latestOffset(start, ReadAllAvailable())
    assert tasks(stream, start, end) == [(third, 0, 9)]


def test_records_that_were_deleted_unread_end_the_query(cluster):
    with pytest.raises(DataLossError, match="begins at offset 10 and the query was at 5"):
        tasks(reader(cluster), {"orders": {"0": 5, "1": 50}}, {"orders": {"0": 100, "1": 50}})


def test_records_that_were_deleted_unread_are_passed_over_if_that_is_set(cluster):
    stream = reader(cluster, failOnDataLoss="false")
    found = tasks(stream, {"orders": {"0": 5, "1": 50}}, {"orders": {"0": 100, "1": 50}})
    assert found == [(FIRST, 10, 100)]


def test_a_topic_that_was_made_anew_ends_the_query(cluster):
    with pytest.raises(DataLossError, match="orders-0 ends at offset 100 and the query was at 900"):
        reader(cluster).latestOffset({"orders": {"0": 900, "1": 50}}, ReadAllAvailable())


@pytest.mark.parametrize("limit", [ReadAllAvailable(), ReadMaxRows(10)])
def test_a_topic_that_was_made_anew_goes_on_at_its_new_end_if_that_is_set(cluster, limit):
    stream = reader(cluster, failOnDataLoss="false", maxOffsetsPerTrigger="10")
    start = {"orders": {"0": 900, "1": 50}}
    end = stream.latestOffset(start, limit)
    assert end == {"orders": {"0": 100, "1": 50}}
    assert tasks(stream, start, end) == []
    cluster.ends[FIRST] = 103
    assert tasks(stream, end, stream.latestOffset(end, limit)) == [(FIRST, 100, 103)]


def test_a_partition_that_is_gone_ends_the_query(cluster):
    stream = reader(cluster)
    cluster.forgets(SECOND)
    with pytest.raises(DataLossError, match="orders-1 is gone"):
        stream.partitions({"orders": {"0": 100, "1": 50}}, {"orders": {"0": 100}})


def test_a_reader_travels_to_the_workers():
    least = {"kafka.bootstrap.servers": "localhost:9092", "subscribe": "orders"}
    made = StreamReader(read_options(least, streaming=True), StructType())
    assert isinstance(pickle.loads(pickle.dumps(made)), StreamReader)
