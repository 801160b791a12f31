"""Covers moldau.spark.source.batch."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pyspark.sql.datasource import EqualTo, GreaterThan, GreaterThanOrEqual, LessThan
from pyspark.sql.types import StructType

from moldau.client import TopicPartition
from moldau.spark.errors import DataLossError
from moldau.spark.options import read_options
from moldau.spark.source.batch import BatchReader
from moldau.spark.source.rows import Task
from tests.spark.source.fake_cluster import FakeCluster

FIRST, SECOND = TopicPartition("orders", 0), TopicPartition("orders", 1)
MOMENT = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def cluster():
    cluster = FakeCluster()
    cluster.has("orders", 0, 10, 100)
    cluster.has("orders", 1, 0, 50)
    return cluster


def planned(cluster, *filters, **given):
    least = {"kafka.bootstrap.servers": "localhost:9092", "subscribe": "orders"}
    options = read_options(least | given, streaming=False)
    reader = BatchReader(options, StructType(), lambda settings: cluster)
    assert list(reader.pushFilters(list(filters))) == list(filters)
    tasks = [task for task in reader.partitions() if isinstance(task, Task)]
    return sorted(tuple(one) for task in tasks for one in task.ranges)


def test_each_partition_is_a_task(cluster):
    assert planned(cluster) == [(FIRST, 10, 100), (SECOND, 0, 50)]


def test_there_are_as_many_tasks_as_asked_for(cluster):
    assert len(planned(cluster, minPartitions="14")) == 14


def test_no_task_is_larger_than_allowed(cluster):
    assert planned(cluster, maxRecordsPerPartition="50") == [
        (FIRST, 10, 55),
        (FIRST, 55, 100),
        (SECOND, 0, 50),
    ]


def test_filters_on_offsets_and_partitions_leave_less_to_fetch(cluster):
    filters = [GreaterThan(("offset",), 20), LessThan(("offset",), 30), EqualTo(("partition",), 0)]
    assert planned(cluster, *filters) == [(FIRST, 20, 31)]


def test_a_filter_on_time_starts_at_the_first_record_that_it_can_keep(cluster):
    cluster.times = {(FIRST, round(MOMENT.timestamp() * 1000)): 70}
    assert planned(cluster, GreaterThanOrEqual(("timestamp",), MOMENT)) == [(FIRST, 70, 100)]


def test_to_start_before_what_is_left_is_refused(cluster):
    with pytest.raises(DataLossError, match="orders-0 begins at offset 10"):
        planned(cluster, startingOffsets='{"orders": {"0": 5, "1": 0}}')


def test_to_start_before_what_is_left_begins_with_it_if_that_is_set(cluster):
    given = {"startingOffsets": '{"orders": {"0": 5, "1": 0}}', "failOnDataLoss": "false"}
    assert planned(cluster, **given) == [(FIRST, 10, 100), (SECOND, 0, 50)]


def test_to_end_after_what_is_there_is_refused_at_once(cluster):
    with pytest.raises(DataLossError, match="orders-1 ends at offset 50 and endingOffsets names 5"):
        planned(cluster, endingOffsets='{"orders": {"0": 20, "1": 51}}')


def test_to_end_after_what_is_there_ends_with_it_if_that_is_set(cluster):
    given = {"endingOffsets": '{"orders": {"0": 20, "1": 51}}', "failOnDataLoss": "false"}
    assert planned(cluster, **given) == [(FIRST, 10, 20), (SECOND, 0, 50)]


def test_an_empty_topic_has_no_tasks(cluster):
    cluster.has("orders", 0, 10, 10)
    cluster.has("orders", 1, 0, 0)
    assert planned(cluster) == []
