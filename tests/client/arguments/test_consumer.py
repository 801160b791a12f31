"""What a consumer is made with."""

from __future__ import annotations

import re

import pytest

from moldau.client.arguments.consumer import (
    ConsumerArguments,
    RebalanceListener,
    calls_after,
    calls_before,
    subscription_of,
)
from moldau.client.arrow import ChunkDecoder
from moldau.client.core.consuming.group_state import Change
from moldau.client.core.consuming.records import ConsumerRecord
from moldau.client.errors import InvalidArgumentError, SerializationError
from moldau.client.topic_partition import TopicPartition

PART = TopicPartition("t", 0)
PARTS = frozenset({PART})
RECORD = ConsumerRecord("t", 0, 5, 1000, b"k", b'{"a": 1}')


def test_deserializers_make_values_of_bytes():
    made = ConsumerArguments("b1:9092", {"value_deserializer": "json", "key_deserializer": "str"})
    (found,) = made.read([RECORD])
    assert (found.key, found.value, found.offset) == ("k", {"a": 1}, 5)
    assert made.read([RECORD._replace(key=None, value=None)])[0].value is None
    with pytest.raises(SerializationError, match="of t is not json"):
        made.read([RECORD._replace(value=b"{")])


def test_without_them_records_stay_as_they_are():
    records = [RECORD]
    assert ConsumerArguments("b1:9092", {}).read(records) is records


def test_arrow_is_made_by_what_is_loaded_with_the_first_chunk():
    assert isinstance(ConsumerArguments("b1:9092", {}).decoder(), ChunkDecoder)


def test_a_subscription_is_of_names_or_of_one_pattern():
    pattern = re.compile("t.*")
    assert subscription_of("t", None).topics == ("t",)
    assert subscription_of(["t", "u", "t"], None).topics == ("t", "u")
    assert subscription_of(pattern, None).pattern == pattern
    assert subscription_of(None, "t.*").server_pattern == "t.*"
    for wrong in (None, 5, [""]):
        with pytest.raises(InvalidArgumentError):
            subscription_of(wrong, None)  # type: ignore[arg-type]


def test_a_listener_hears_of_what_goes_before_and_of_what_comes_after():
    listener = RebalanceListener()
    gone, lost, come = Change(PARTS), Change(PARTS, is_loss=True), Change(assigned=PARTS)
    assert list(calls_before(gone, listener)) == [(listener.on_revoked, [PART])]
    assert list(calls_before(lost, listener)) == [(listener.on_lost, [PART])]
    assert list(calls_after(come, listener)) == [(listener.on_assigned, [PART])]
    assert list(calls_after(gone, listener)) == list(calls_before(come, listener)) == []
    assert list(calls_before(gone, None)) == []
