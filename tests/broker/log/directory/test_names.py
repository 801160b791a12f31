"""Names of directories."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.log.directory.names import (
    DirectoryState,
    TopicPartition,
    directory_name,
    may_move,
    parse_directory_name,
    pending_name,
)

topics = st.text("abcXYZ019._-", min_size=1, max_size=249)
PENDING = [DirectoryState.DELETED, DirectoryState.FUTURE, DirectoryState.STRAY]


@given(topic=topics, partition=st.integers(0, 2**31 - 1))
def test_a_live_name_is_topic_and_partition(topic, partition):
    name = directory_name(TopicPartition(topic, partition))
    assert parse_directory_name(name) == (name, (topic, partition), DirectoryState.LIVE)


@given(topic=topics, partition=st.integers(0, 2**31 - 1), state=st.sampled_from(PENDING))
def test_a_pending_name_shows_what_is_to_be_done(topic, partition, state):
    name = pending_name(TopicPartition(topic, partition), state, Random(1))
    found = parse_directory_name(name)
    assert found is not None
    assert (found.partition.partition, found.state) == (partition, state)
    assert topic.startswith(found.partition.topic)


def test_names_have_kafkas_form():
    orders = TopicPartition("orders", 3)
    assert directory_name(orders) == "orders-3"
    name = pending_name(orders, DirectoryState.DELETED, Random(1))
    assert name == f"orders-3.{Random(1).randbytes(16).hex()}-delete"


def test_long_deleted_and_stray_names_fit_a_file_system():
    long = TopicPartition("x" * 249, 100)
    assert len(pending_name(long, DirectoryState.DELETED, Random(1))) == 255
    assert len(pending_name(long, DirectoryState.STRAY, Random(1))) == 255


@given(topic=topics, partition=st.integers(0, 2**31 - 1))
def test_a_partition_moves_where_its_future_name_fits_a_file_system(topic, partition):
    name = pending_name(TopicPartition(topic, partition), DirectoryState.FUTURE, Random(1))
    assert may_move(TopicPartition(topic, partition)) == (len(name) <= 255)


def test_the_longest_topic_that_moves_has_213_characters():
    assert may_move(TopicPartition("x" * 213, 0))
    assert not may_move(TopicPartition("x" * 214, 0))


@pytest.mark.parametrize(
    "name",
    ["orders", "orders-", "-3", "orders-03", "orders-x", "or ders-3", "orders-3.-delete",
     "orders-3.abc-gone", "orders-3.abc", "orders-2147483648", "lost+found", "x" * 250 + "-0"],
)  # fmt: skip
def test_anything_else_is_nobodys(name):
    assert parse_directory_name(name) is None
