"""Records as programs hand them over."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from moldau.client.arguments.records import (
    bytes_of,
    headers_of,
    partition_of,
    timestamp_of,
    topic_of,
)
from moldau.client.errors import InvalidArgumentError


def test_parts_are_bytes_or_text_or_nothing():
    parts = (b"a", "ü", bytearray(b"b"), memoryview(b"c"), None)
    assert [bytes_of(part, "key") for part in parts] == [b"a", "ü".encode(), b"b", b"c", None]
    with pytest.raises(InvalidArgumentError, match="key_serializer"):
        bytes_of(5, "key")


@pytest.mark.parametrize("headers", [{"a": "1", "b": None}, [("a", b"1"), ("b", None)]])
def test_headers_are_a_mapping_or_pairs(headers):
    assert headers_of(headers) == (("a", b"1"), ("b", None))


@pytest.mark.parametrize("headers", ["ab", [("a",)], [(1, b"")], {"a": 5}, 7])
def test_what_are_no_headers_is_refused(headers):
    with pytest.raises(InvalidArgumentError):
        headers_of(headers)


def test_a_partition_is_a_number_or_left_open():
    assert (partition_of(None), partition_of(3)) == (-1, 3)
    for wrong in (-1, True, "1", 1 << 31):
        with pytest.raises(InvalidArgumentError):
            partition_of(wrong)


def test_a_timestamp_is_a_time_or_now():
    now_ns = 1_700_000_000_123_456_789
    assert timestamp_of(None, now_ns) == 1_700_000_000_123
    assert timestamp_of(datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC), now_ns) == 1000
    with pytest.raises(InvalidArgumentError, match="before 1970"):
        timestamp_of(-5, now_ns)


def test_a_topic_is_a_name():
    assert topic_of("t") == "t"
    for wrong in ("", None, b"t"):
        with pytest.raises(InvalidArgumentError):
            topic_of(wrong)
