"""Covers moldau.spark.lag."""

from __future__ import annotations

import json
import time

import pytest

from moldau.client import TopicPartition
from moldau.client.sync import Connection
from moldau.spark.lag import LagListener

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
    return stream


def committed(topics, group, topic):
    """What lag tools see, once the listener knows the last batch."""
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


class Watching(LagListener):
    """Notes what comes of progress."""

    def __init__(self, spark):
        super().__init__(spark)
        self.seen = []

    def onQueryProgress(self, event):
        self.seen.append(event.progress)


def test_progress_that_crosses_as_one_text_is_what_spark_says(spark, topics, tmp_path):
    listener = Watching(spark)
    spark.streams.addListener(listener)
    try:
        query = run(spark, topics, topics.make(2, 25), tmp_path)
        deadline = time.monotonic() + PATIENCE_S
        while len(listener.seen) < len(query.recentProgress) and time.monotonic() < deadline:
            time.sleep(0.1)
    finally:
        spark.streams.removeListener(listener)
    assert [each.numInputRows for each in listener.seen if each.numInputRows] == [25]
    texts = [json.loads(each.json) for each in listener.seen]
    assert texts == [json.loads(each.json) for each in query.recentProgress]
