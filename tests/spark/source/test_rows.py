"""Covers moldau.spark.source.rows."""

from __future__ import annotations

import pickle

import pytest
from pyspark.sql.datasource import InputPartition
from pyspark.sql.types import BinaryType, IntegerType, LongType, StringType, StructField, StructType

from moldau.client import TopicPartition
from moldau.spark.errors import DataLossError
from moldau.spark.options import read_options
from moldau.spark.source.connections import close_all
from moldau.spark.source.ranges import Range
from moldau.spark.source.rows import Fetching, Task, batches_of

SCHEMA = StructType([StructField("offset", LongType()), StructField("value", BinaryType())])
OF_RANGES = StructType(
    [
        StructField("topic", StringType()),
        StructField("partition", IntegerType()),
        StructField("start", LongType()),
        StructField("end", LongType()),
    ]
)


@pytest.fixture(autouse=True)
def _close():
    yield
    close_all()


def rows(topics, topic, start, end, **given):
    least = {"kafka.bootstrap.servers": topics.bootstrap, "subscribe": topic}
    options = read_options(least | given, streaming=False)
    task = pickle.loads(pickle.dumps(Task([Range(TopicPartition(topic, 0), start, end)])))
    return [row for batch in batches_of(task, options, SCHEMA) for row in batch.to_pylist()]


@pytest.mark.judge
def test_a_task_reads_its_offsets_and_no_other(topics):
    topic = topics.make(1, 10)
    assert rows(topics, topic, 3, 5) == [
        {"offset": 3, "value": b"v3"},
        {"offset": 4, "value": b"v4"},
    ]


@pytest.mark.judge
def test_a_task_of_several_ranges_reads_one_behind_the_other(topics):
    topic = topics.make(2, 20)
    given = {"kafka.bootstrap.servers": topics.bootstrap, "subscribe": topic}
    parts = [Range(TopicPartition(topic, 0), 3, 5), Range(TopicPartition(topic, 1), 9, 10)]
    task = pickle.loads(pickle.dumps(Task(parts)))
    read = batches_of(task, read_options(given, streaming=True), SCHEMA)
    assert [row["value"] for batch in read for row in batch.to_pylist()] == [b"v6", b"v8", b"v19"]


@pytest.mark.judge
def test_ranges_are_handed_over_and_fetched_later(topics):
    topic = topics.make(2, 20)
    given = {"kafka.bootstrap.servers": topics.bootstrap, "subscribe": topic}
    options = read_options(given, streaming=True)
    parts = [Range(TopicPartition(topic, 0), 3, 5), Range(TopicPartition(topic, 1), 9, 10)]
    ranges = list(batches_of(Task(parts), options, OF_RANGES))
    assert [batch.to_pylist() for batch in ranges] == [
        [
            {"topic": topic, "partition": 0, "start": 3, "end": 5},
            {"topic": topic, "partition": 1, "start": 9, "end": 10},
        ]
    ]
    fetching = pickle.loads(pickle.dumps(Fetching(options, SCHEMA)))
    found = [row["value"] for batch in fetching(ranges) for row in batch.to_pylist()]
    assert found == [b"v6", b"v8", b"v19"]


@pytest.mark.judge
def test_offsets_that_are_gone_end_the_task(topics):
    topic = topics.make(1, 10)
    topics.trim(topic, 0, 6)
    with pytest.raises(DataLossError, match="set failOnDataLoss to false"):
        rows(topics, topic, 3, 9)


@pytest.mark.judge
def test_offsets_that_are_gone_are_passed_over_if_that_is_set(topics):
    topic = topics.make(1, 10)
    topics.trim(topic, 0, 6)
    found = rows(topics, topic, 3, 9, failOnDataLoss="false")
    assert [row["offset"] for row in found] == [6, 7, 8]


SHORT = {"kafka.default.api.timeout.ms": "500"}
"""So long is waited for records that were planned and are not there, as in a log that was cut."""


@pytest.mark.judge
@pytest.mark.parametrize("start", [7, 10, 900_000_000])
def test_offsets_that_the_log_has_not_end_the_task(topics, start):
    topic = topics.make(1, 10)
    reasons = f"no offset {start}|offset {start} is not there yet|not there yet, the log ends at 10"
    with pytest.raises(DataLossError, match=reasons):
        rows(topics, topic, start, 1_000_000_000, **SHORT)


@pytest.mark.judge
@pytest.mark.parametrize("start", [7, 10, 11, 900_000_000])
def test_offsets_that_the_log_has_not_are_passed_over_if_that_is_set(topics, start):
    topic = topics.make(1, 10)
    found = rows(topics, topic, start, 1_000_000_000, failOnDataLoss="false", **SHORT)
    assert [row["offset"] for row in found] == list(range(start, 10))


def test_the_task_that_spark_makes_up_is_empty():
    options = read_options(
        {"kafka.bootstrap.servers": "localhost:1", "subscribe": "t"}, streaming=False
    )
    assert list(batches_of(InputPartition(None), options, SCHEMA)) == []
