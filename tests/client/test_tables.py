"""What `read_table` is asked for."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime

import pytest

from moldau.client.core.offset_lookups import EARLIEST, LATEST
from moldau.client.core.ranges import AtOffset, AtOffsets, AtTime, TopicRange
from moldau.client.errors import InvalidArgumentError
from moldau.client.settings.client import ClientSettings
from moldau.client.tables import chunk_decoder, table_of, topic_range
from moldau.client.topic_partition import TopicPartition

SETTINGS = ClientSettings.of({"bootstrap.servers": "h:1"})
NONE = (None, None)


def test_without_bounds_it_is_the_whole_topic():
    assert topic_range("t", None, NONE, NONE) == TopicRange(
        "t", None, AtTime(EARLIEST), AtTime(LATEST)
    )


@pytest.mark.parametrize(
    ("given", "numbers"), [(2, (2,)), ([1, 0, 1], (1, 0)), (range(2), (0, 1)), ([], ())]
)
def test_partitions_are_numbers(given, numbers):
    assert topic_range("t", given, NONE, NONE).partitions == numbers


@pytest.mark.parametrize("wrong", ["1", [1.5], [True], [TopicPartition("t", 0)], 0.5])
def test_what_is_no_number_of_a_partition_is_refused(wrong):
    with pytest.raises(InvalidArgumentError, match=r"partitions= takes numbers, such as \[0, 1\]"):
        topic_range("t", wrong, NONE, NONE)


def test_offsets_are_for_all_or_for_each_partition():
    by_number, by_name = {0: 5, 1: 6}, {TopicPartition("t", 0): 5, ("t", 1): 6}
    assert topic_range("t", None, (7, None), NONE).start == AtOffset(7)
    for given in (by_number, by_name):
        assert topic_range("t", None, NONE, (given, None)).end == AtOffsets({0: 5, 1: 6})


def test_an_offset_of_another_topic_is_refused():
    with pytest.raises(InvalidArgumentError, match="u-0 is no partition of t"):
        topic_range("t", None, ({TopicPartition("u", 0): 5}, None), NONE)


def test_times_are_those_of_records_and_none_is_before_1970():
    moment = datetime(2026, 1, 31, tzinfo=UTC)
    found = topic_range("t", None, (None, -5), (None, moment))
    assert (found.start, found.end) == (AtTime(0), AtTime(int(moment.timestamp()) * 1000))


def test_an_offset_and_a_time_at_once_are_refused():
    with pytest.raises(InvalidArgumentError, match="end= is an offset and end_time= a time"):
        topic_range("t", None, NONE, (1, 2))


@pytest.mark.parametrize("topic", ["", 5, ["t"], None])
def test_a_table_is_of_one_topic(topic):
    with pytest.raises(InvalidArgumentError, match="the name of a topic is ASCII text"):
        topic_range(topic, None, NONE, NONE)


def test_no_records_are_a_table_with_the_columns_all_the_same():
    assert table_of([], "value").schema.names == ["value"]
    assert table_of([], ["offset", "headers"]).num_rows == 0


def test_an_unknown_column_is_refused_before_anything_is_read():
    with pytest.raises(InvalidArgumentError, match="there is no column 'valeu'"):
        chunk_decoder("valeu", SETTINGS)


@pytest.mark.parametrize("missing", ["pyarrow", "numpy"])
def test_without_pyarrow_the_rest_works_and_reading_names_what_is_missing(missing):
    code = f"""
import sys
sys.modules[{missing!r}] = None
from moldau.client import ClientSettings, MoldauError
from moldau.client.tables import chunk_decoder
try:
    chunk_decoder("value", ClientSettings.of({{"bootstrap.servers": "h:1"}}))
except MoldauError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert f"need {missing}, which is not installed" in done.stdout
