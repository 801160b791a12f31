"""What a consumer is made with."""

from __future__ import annotations

import re
from collections.abc import Coroutine

import pytest

from moldau.client.arguments.consumer import (
    ConsumerArguments,
    count_of,
    subscription_of,
)
from moldau.client.arrow import ChunkDecoder
from moldau.client.core.consuming.records import ConsumerRecord
from moldau.client.errors import (
    DeserializationError,
    InvalidArgumentError,
    UnreachableError,
)
from moldau.client.topic_partition import TopicPartition

PART = TopicPartition("t", 0)
RECORD = ConsumerRecord("t", 0, 5, 1000, b"k", b'{"a": 1}')


def test_deserializers_make_values_of_bytes():
    made = ConsumerArguments("b1:9092", {"value_deserializer": "json", "key_deserializer": "str"})
    (found,) = made.read([RECORD]).records
    assert (found.key, found.value, found.offset) == ("k", {"a": 1}, 5)
    assert made.read([RECORD._replace(key=None, value=None)]).records[0].value is None


def test_what_is_before_a_record_that_cannot_be_read_is_there_and_the_error_says_where_it_is():
    made = ConsumerArguments("b1:9092", {"value_deserializer": "json"})
    bad = RECORD._replace(offset=6, value=b"{")
    found = made.read([RECORD, bad, RECORD])
    assert ([record.offset for record in found.records], found.offset) == ([5], 6)
    assert isinstance(found.error, DeserializationError)
    assert (found.error.part, found.error.offset) == (PART, 6)
    assert "t-0 has at offset 6" in str(found.error)
    assert "seek to 7" in str(found.error)


def test_a_deserializer_of_the_users_own_may_raise_anything():
    made = ConsumerArguments("b1:9092", {"key_deserializer": lambda topic, data: 1 // 0})
    error = made.read([RECORD]).error
    assert isinstance(error, DeserializationError)
    assert isinstance(error.__cause__, ZeroDivisionError)


def test_a_registry_that_is_away_is_no_fault_of_the_record():
    def read(topic, data):
        raise UnreachableError("registry:8081", "refused")

    error = ConsumerArguments("b1:9092", {"value_deserializer": read}).read([RECORD]).error
    assert isinstance(error, UnreachableError)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ["key_deserializer", "value_deserializer"])
def test_a_function_that_returns_coroutines_gives_no_records_and_leaves_nothing_to_await(name):
    made: list[Coroutine[None, None, None]] = []

    async def awaited() -> None: ...

    def read(topic, data):
        made.append(awaited())
        return made[-1]

    found = ConsumerArguments("b1:9092", {name: read}).read(
        [RECORD._replace(key=None, value=None), RECORD._replace(offset=6), RECORD]
    )
    assert (found.records, found.offset) == ([], 5)
    assert isinstance(found.error, InvalidArgumentError)
    assert "deserialize with `await` what was returned" in str(found.error)
    assert [getattr(one, "cr_frame", one) for one in made] == [None, None]


def test_without_them_records_stay_as_they_are():
    records = [RECORD]
    assert ConsumerArguments("b1:9092", {}).read(records).records is records


@pytest.mark.parametrize("count", [0, -1, None, "7", True, 1.5])
def test_a_count_of_records_is_one_or_more(count):
    with pytest.raises(InvalidArgumentError, match="one at a time or more"):
        count_of(count)


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
