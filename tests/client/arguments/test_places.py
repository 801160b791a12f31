"""Topics, partitions, patterns and times as programs write them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

import confluent_kafka
import numpy as np
import pytest

from moldau.client.arguments.places import (
    columns_of,
    committed_offset_of,
    committed_offsets_of,
    isolation_of,
    named_partition,
    named_partitions,
    named_topics,
    offset_of,
    offsets_of,
    pattern_of,
    time_ms_of,
    times_of,
)
from moldau.client.core.committed_offset import CommittedOffset
from moldau.client.core.consuming.records import ConsumerRecord
from moldau.client.core.offset_lookups import Isolation
from moldau.client.errors import InvalidArgumentError
from moldau.client.topic_partition import TopicPartition
from moldau.config.refusals import InvalidSettingError

ONE = TopicPartition("t", 1)


@pytest.mark.parametrize("part", [ONE, ("t", 1), ("t", np.int32(1))])
def test_a_partition_is_a_pair(part):
    assert named_partition(part) == ONE
    assert named_partitions(part) == [ONE]
    assert isinstance(named_partition(part), TopicPartition)


def test_a_partition_of_another_client_will_do():
    assert named_partition(confluent_kafka.TopicPartition("t", 1)) == ONE


@pytest.mark.parametrize("part", ["t", ("t",), ("t", "1"), ("t", True), 1, None, (1, "t")])
def test_what_is_no_partition_is_refused_with_an_example(part):
    with pytest.raises(InvalidArgumentError, match=r"such as TopicPartition\('orders', 0\)"):
        named_partition(part)


def test_a_topics_name_stands_for_all_its_partitions():
    assert named_partitions("t") == ["t"]
    assert named_partitions(["t", ("u", 0), ONE]) == ["t", ("u", 0), ONE]
    assert named_partitions({ONE: 5}) == [ONE]


@pytest.mark.parametrize("parts", [3, None, b"t", [3], [None]])
def test_what_names_no_partitions_is_refused(parts):
    with pytest.raises(InvalidArgumentError):
        named_partitions(parts)


def test_one_topic_may_be_named_without_a_list():
    assert named_topics("orders") == ["orders"]
    assert named_topics(["b", "a", "b"]) == ["b", "a"]


@pytest.mark.parametrize("topics", [[1], [""], 5, b"t", [ONE]])
def test_what_names_no_topics_is_refused(topics):
    with pytest.raises(InvalidArgumentError):
        named_topics(topics)


def test_an_offset_to_be_kept_may_have_a_leader_epoch_and_metadata():
    offset, epoch = np.array([4, 2])
    theirs = CommittedOffset(offset, epoch, "own")
    mixed: dict[tuple[str, int], int | CommittedOffset] = {("t", 1): 3, ("t", 2): theirs}
    found = committed_offsets_of(mixed, "for all")
    other = TopicPartition("t", 2)
    assert found == {ONE: CommittedOffset(3, None, "for all"), other: CommittedOffset(4, 2, "own")}
    assert type(found[other].leader_epoch) is int
    assert committed_offset_of(CommittedOffset(3, -1)) == CommittedOffset(3), "as old records have"


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (CommittedOffset(-1, 2), "an offset is a number from 0 on"),
        (CommittedOffset(1, -2), "a leader epoch is a number of 31 bits"),
        (CommittedOffset(1, 1 << 31), "a leader epoch is a number of 31 bits"),
        (CommittedOffset(1, True), "a leader epoch is a number of 31 bits"),
        (CommittedOffset(1, "2"), "a leader epoch is a number of 31 bits"),  # type: ignore[arg-type]
        (CommittedOffset(1, 2, None), "metadata of an offset is text"),  # type: ignore[arg-type]
        (CommittedOffset(1, 2, b"x"), "metadata of an offset is text"),  # type: ignore[arg-type]
        ((1, 2), "an offset is a number from 0 on"),
    ],
)
def test_what_cannot_be_kept_is_refused(wrong, reason):
    with pytest.raises(InvalidArgumentError, match=reason):
        committed_offsets_of({ONE: wrong})


def test_offsets_are_numbers_from_0_on():
    assert offset_of(np.int64(7)) == 7
    assert offsets_of({("t", 1): 3}) == {ONE: 3}
    for wrong in (-1, 1.5, "earliest", None, True):
        with pytest.raises(InvalidArgumentError, match="an offset is a number from 0 on"):
            offset_of(wrong)
    with pytest.raises(InvalidArgumentError, match="a mapping by partition"):
        offsets_of([(ONE, 3)])  # type: ignore[arg-type]


def test_a_time_is_milliseconds_or_a_datetime_with_a_time_zone():
    moment = datetime(2026, 1, 31, 12, tzinfo=UTC)
    ms = 1_769_860_800_000
    assert time_ms_of(ms) == time_ms_of(moment) == ms
    assert time_ms_of(moment.astimezone(timezone(timedelta(hours=5)))) == ms
    assert times_of({"t": moment}) == {"t": ms}
    assert times_of({ONE: 5}) == {ONE: 5}


def test_a_time_between_two_milliseconds_is_the_later_one():
    """So that a record before it is not after it."""
    moment = datetime(2026, 1, 31, tzinfo=UTC)
    ms = time_ms_of(moment)
    assert time_ms_of(moment + timedelta(microseconds=1)) == ms + 1
    assert time_ms_of(moment + timedelta(microseconds=1000)) == ms + 1


@pytest.mark.parametrize("time", ["2026-01-31", None, True, 1.5])
def test_what_is_no_time_is_refused(time):
    with pytest.raises(InvalidArgumentError, match="milliseconds since 1970"):
        time_ms_of(time)


def test_a_time_without_a_zone_means_something_else_on_every_machine():
    with pytest.raises(InvalidArgumentError, match="has no time zone: add one"):
        time_ms_of(datetime(2026, 1, 31))


@pytest.mark.parametrize("pattern", ["[", "(", 5])
def test_a_pattern_that_is_none_is_one_sentence(pattern):
    with pytest.raises(InvalidArgumentError, match="is no regular expression") as caught:
        pattern_of(pattern)
    assert repr(pattern) in str(caught.value)


def test_patterns_are_taken_compiled_or_not():
    assert pattern_of("a.*") == pattern_of(re.compile("a.*"))


def test_one_column_needs_no_list():
    assert columns_of("value") == ("value",)
    assert columns_of(["value", "offset"]) == ("value", "offset")


def test_isolation_is_known_by_its_name():
    for given in (Isolation.READ_COMMITTED, "read_committed", "READ_COMMITTED"):
        assert isolation_of(given) is Isolation.READ_COMMITTED
    for wrong in ("serializable", "", 1):
        with pytest.raises(InvalidSettingError, match="read_committed or read_uncommitted"):
            isolation_of(wrong)  # type: ignore[arg-type]


def test_a_pattern_is_of_text():
    with pytest.raises(InvalidArgumentError, match="no regular expression"):
        pattern_of(re.compile(b"w"))  # type: ignore[arg-type]


def test_who_commits_a_record_reads_how_that_is_written():
    record = ConsumerRecord("t", 1, 5, 0, None, b"v", ())
    with pytest.raises(InvalidArgumentError, match=r"of a record, \{part: CommittedOffset\.after"):
        committed_offsets_of(record)  # type: ignore[arg-type]
