"""Covers moldau.spark.source.rows."""

from __future__ import annotations

import pickle

import pytest
from pyspark.sql.datasource import InputPartition
from pyspark.sql.types import BinaryType, LongType, StructField, StructType

from moldau.client import TopicPartition
from moldau.spark.errors import DataLossError
from moldau.spark.options import read_options
from moldau.spark.source.connections import close_all
from moldau.spark.source.ranges import Range
from moldau.spark.source.rows import Task, batches_of

SCHEMA = StructType([StructField("offset", LongType()), StructField("value", BinaryType())])


@pytest.fixture(autouse=True)
def _close():
    yield
    close_all()


def rows(topics, topic, start, end, **given):
    least = {"kafka.bootstrap.servers": topics.bootstrap, "subscribe": topic}
    options = read_options(least | given, streaming=False)
    task = pickle.loads(pickle.dumps(Task(Range(TopicPartition(topic, 0), start, end))))
    return [row for batch in batches_of(task, options, SCHEMA) for row in batch.to_pylist()]


@pytest.mark.judge
def test_a_task_reads_its_offsets_and_no_other(topics):
    topic = topics.make(1, 10)
    assert rows(topics, topic, 3, 5) == [
        {"offset": 3, "value": b"v3"},
        {"offset": 4, "value": b"v4"},
    ]


@pytest.mark.judge
def test_offsets_that_are_gone_end_the_task(topics):
    topic = topics.make(1, 10)
    topics.trim(topic, 0, 6)
    with pytest.raises(DataLossError, match="set failOnDataLoss to false"):
        rows(topics, topic, 3, 9)


@pytest.mark.judge
def test_offsets_that_are_gone_are_passed_over_if_that_is_said(topics):
    topic = topics.make(1, 10)
    topics.trim(topic, 0, 6)
    found = rows(topics, topic, 3, 9, failOnDataLoss="false")
    assert [row["offset"] for row in found] == [6, 7, 8]


def test_the_task_that_spark_makes_up_is_empty():
    options = read_options(
        {"kafka.bootstrap.servers": "localhost:1", "subscribe": "t"}, streaming=False
    )
    assert list(batches_of(InputPartition(None), options, SCHEMA)) == []
