"""A partition's full name."""

from __future__ import annotations

from moldau.client import TopicPartition


def test_a_partition_is_shown_as_kafka_shows_it():
    assert str(TopicPartition("orders", 3)) == "orders-3"


def test_partitions_compare_and_sort_by_topic_then_number():
    parts = [TopicPartition("b", 0), TopicPartition("a", 2), TopicPartition("a", 1)]
    assert sorted(parts) == [("a", 1), ("a", 2), ("b", 0)]
