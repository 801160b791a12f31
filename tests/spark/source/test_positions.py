"""Covers moldau.spark.source.positions."""

from __future__ import annotations

import pytest

from moldau.client import TopicPartition
from moldau.spark.errors import DataLossError, OptionError
from moldau.spark.options import read_options
from moldau.spark.source.positions import Positions, ensure_nothing_lost
from tests.spark.source.fake_cluster import FakeCluster


@pytest.fixture
def cluster():
    cluster = FakeCluster()
    cluster.has("orders", 0, 10, 100)
    cluster.has("orders", 1, 0, 50)
    cluster.has("others", 0, 0, 7)
    return cluster


ORDERS = [TopicPartition("orders", 0), TopicPartition("orders", 1)]


def positions(cluster, **given):
    least = {"kafka.bootstrap.servers": "localhost:9092"}
    chosen = {} if given.keys() & {"assign", "subscribePattern"} else {"subscribe": "orders"}
    return Positions(cluster, read_options(least | chosen | given, streaming=False))


def test_topics_are_read_whole(cluster):
    assert positions(cluster).partitions() == ORDERS


def test_a_pattern_finds_topics(cluster):
    found = positions(cluster, subscribePattern="o.*s").partitions()
    assert found == [*ORDERS, TopicPartition("others", 0)]


def test_assigned_partitions_are_read_alone(cluster):
    assert positions(cluster, assign='{"orders": [1]}').partitions() == ORDERS[1:]


def test_a_partition_that_is_not_there_cannot_be_assigned(cluster):
    with pytest.raises(OptionError, match="partition 2 of orders, which has 2"):
        positions(cluster, assign='{"orders": [2]}').partitions()


def test_words_are_looked_up(cluster):
    asked = positions(cluster)
    assert asked.starting(ORDERS) == {ORDERS[0]: 10, ORDERS[1]: 0}
    assert asked.ending(ORDERS) == {ORDERS[0]: 100, ORDERS[1]: 50}


def test_the_end_of_the_committed_is_where_the_first_open_transaction_begins(cluster):
    cluster.stable[ORDERS[0]] = 90
    asked = positions(cluster, **{"kafka.isolation.level": "read_committed"})
    assert asked.ending(ORDERS) == {ORDERS[0]: 90, ORDERS[1]: 50}


def test_words_among_offsets_are_looked_up(cluster):
    asked = positions(cluster, startingOffsets='{"orders": {"0": -2, "1": 5}}')
    assert asked.starting(ORDERS) == {ORDERS[0]: 10, ORDERS[1]: 5}


@pytest.mark.parametrize(
    ("offsets", "message"),
    [
        ('{"orders": {"0": 1}}', "startingOffsets leaves out orders-1"),
        ('{"orders": {"0": 1, "1": 2, "2": 3}}', "startingOffsets names orders-2"),
    ],
)
def test_offsets_are_given_for_every_partition_and_no_other(cluster, offsets, message):
    with pytest.raises(OptionError, match=message):
        positions(cluster, startingOffsets=offsets).starting(ORDERS)


def test_times_become_offsets(cluster):
    cluster.times = {(ORDERS[0], 1000): 20, (ORDERS[1], 1000): 30}
    asked = positions(cluster, startingTimestamp="1000")
    assert asked.starting(ORDERS) == {ORDERS[0]: 20, ORDERS[1]: 30}


def test_to_start_after_the_last_record_is_refused(cluster):
    cluster.times = {(ORDERS[0], 1000): 20}
    with pytest.raises(OptionError, match="orders-1 has no record at or after 1000"):
        positions(cluster, startingTimestamp="1000").starting(ORDERS)


def test_to_start_after_the_last_record_may_be_the_end(cluster):
    cluster.times = {(ORDERS[0], 1000): 20}
    given = {"startingTimestamp": "1000", "startingOffsetsByTimestampStrategy": "latest"}
    assert positions(cluster, **given).starting(ORDERS) == {ORDERS[0]: 20, ORDERS[1]: 50}


def test_to_end_after_the_last_record_is_to_end_with_it(cluster):
    asked = positions(cluster, endingOffsetsByTimestamp='{"orders": {"0": 5, "1": 5}}')
    assert asked.ending(ORDERS) == {ORDERS[0]: 100, ORDERS[1]: 50}


def test_records_that_were_deleted_unread_are_named():
    with pytest.raises(DataLossError, match="begins at offset 8 and the query was at 5: 3 offsets"):
        ensure_nothing_lost({ORDERS[0]: 5}, {ORDERS[0]: 8})


def test_a_partition_that_is_gone_is_named():
    with pytest.raises(DataLossError, match="orders-0 is gone"):
        ensure_nothing_lost({ORDERS[0]: 5}, {})
