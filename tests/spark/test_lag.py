"""Covers moldau.spark.lag."""

from __future__ import annotations

import time

import pytest

from moldau.client import TopicPartition
from moldau.client.sync import Connection

pytestmark = [pytest.mark.judge, pytest.mark.timeout(300)]
PATIENCE_S = 60


def run(spark, topics, topic, checkpoint, **given):
    least = {"kafka.bootstrap.servers": topics.bootstrap, "subscribe": topic}
    stream = (
        spark.readStream.format("moldau")
        .options(**(least | given), startingOffsets="earliest")
        .load()
        .writeStream.format("noop")
        .queryName(f"query-of-{topic}")
        .option("checkpointLocation", str(checkpoint))
        .trigger(availableNow=True)
        .start()
    )
    stream.awaitTermination()


def committed(topics, group, topic):
    """What lag tools see, once the listener has heard of the last batch."""
    parts = [TopicPartition(topic, index) for index in range(2)]
    deadline = time.monotonic() + PATIENCE_S
    with Connection({"bootstrap.servers": topics.bootstrap}) as connection:
        while True:
            found = list(connection.committed(group, parts).values())
            if None not in found or time.monotonic() > deadline:
                return found
            time.sleep(0.1)


def test_a_query_shows_as_a_group_of_its_name(spark, topics, tmp_path):
    topic = topics.make(2, 25)
    run(spark, topics, topic, tmp_path)
    assert committed(topics, f"query-of-{topic}", topic) == [13, 12]


def test_a_query_may_name_its_group(spark, topics, tmp_path):
    topic = topics.make(2, 4)
    run(spark, topics, topic, tmp_path, **{"kafka.group.id": "lagging"})
    assert committed(topics, "lagging", topic) == [2, 2]
