"""Covers moldau.spark.source.pushdown."""

from __future__ import annotations

from datetime import UTC, datetime

from pyspark.sql.datasource import (
    EqualTo,
    GreaterThan,
    GreaterThanOrEqual,
    In,
    IsNotNull,
    LessThan,
    Not,
    StringStartsWith,
)

from moldau.client import TopicPartition
from moldau.spark.source.pushdown import Kept, kept_by

OFFSET, PARTITION, TOPIC, TIME = ("offset",), ("partition",), ("topic",), ("timestamp",)


def test_bounds_on_offsets_meet():
    kept = kept_by([GreaterThan(OFFSET, 3), LessThan(OFFSET, 9), LessThan(OFFSET, 12)])
    assert (kept.first, kept.last) == (3, 9)


def test_one_offset_is_both_bounds():
    kept = kept_by([EqualTo(OFFSET, 7)])
    assert (kept.first, kept.last) == (7, 7)


def test_partitions_outside_are_left_out():
    kept = kept_by([In(PARTITION, (2, 4))])
    assert [kept.has(TopicPartition("t", index)) for index in (1, 2, 4, 5)] == [
        False, True, True, False,
    ]  # fmt: skip


def test_other_topics_are_left_out():
    kept = kept_by([EqualTo(TOPIC, "a")])
    assert kept.has(TopicPartition("a", 0))
    assert not kept.has(TopicPartition("b", 0))


def test_two_topics_at_once_are_none():
    kept = kept_by([EqualTo(TOPIC, "a"), EqualTo(TOPIC, "b")])
    assert not kept.has(TopicPartition("a", 0))


def test_a_time_moves_the_start_alone():
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    kept = kept_by([GreaterThanOrEqual(TIME, moment), LessThan(TIME, moment)])
    assert kept == Kept(from_ms=round(moment.timestamp() * 1000))


def test_what_says_nothing_of_a_bound_leaves_everything():
    filters = [
        IsNotNull(OFFSET),
        Not(EqualTo(OFFSET, 3)),
        StringStartsWith(TOPIC, "a"),
        GreaterThan(TOPIC, "a"),
        EqualTo(("value",), b"x"),
        In(OFFSET, ()),
    ]
    assert kept_by(filters) == Kept()
