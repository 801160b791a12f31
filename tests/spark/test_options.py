"""Covers moldau.spark.options."""

from __future__ import annotations

import re

import pytest

from moldau.client import TopicPartition
from moldau.spark.errors import OptionError
from moldau.spark.options import EARLIEST, LATEST, Bound, read_options

LEAST = {"kafka.bootstrap.servers": "localhost:9092", "subscribe": "orders"}


def options(*, streaming=False, **given):
    return read_options(LEAST | given, streaming=streaming)


def test_names_are_read_in_any_case():
    assert options(INCLUDEheaders="TRUE").has_headers


def test_a_batch_goes_from_the_first_to_the_last_unless_set_otherwise():
    assert options().starting == Bound(word=EARLIEST)
    assert options().ending == Bound(word=LATEST)


def test_a_stream_begins_at_the_end_unless_set_otherwise():
    assert options(streaming=True).starting == Bound(word=LATEST)


def test_topics_are_listed_once_however_often_they_are_named():
    assert options(subscribe=" a, b ,a").subscription.topics == ("a", "b")


def test_partitions_are_assigned_by_json():
    given = LEAST | {"assign": '{"b": [1, 0], "a": [2]}'}
    del given["subscribe"]
    parts = read_options(given, streaming=False).subscription.parts
    assert parts == (TopicPartition("a", 2), TopicPartition("b", 0), TopicPartition("b", 1))


def test_settings_of_the_client_go_to_the_connection_without_their_prefix():
    connection = options(**{"kafka.client.id": "me", "kafka.fetch.max.wait.ms": "10"}).connection
    assert connection["bootstrap.servers"] == "localhost:9092"
    assert (connection["client.id"], connection["fetch.max.wait.ms"]) == ("me", "10")


def test_the_group_and_the_isolation_are_the_querys_own():
    read = options(**{"kafka.group.id": "g", "kafka.isolation.level": "read_committed"})
    assert (read.group, read.isolation) == ("g", "read_committed")
    assert "group.id" not in read.connection


def test_offsets_of_each_partition_may_be_words_in_numbers():
    read = options(startingOffsets='{"orders": {"0": 23, "1": -2}}')
    assert read.starting.offsets == {
        TopicPartition("orders", 0): 23,
        TopicPartition("orders", 1): EARLIEST,
    }


def test_a_time_for_all_goes_before_offsets():
    read = options(startingTimestamp="1700", startingOffsets="earliest")
    assert read.starting == Bound(time_ms=1700)


@pytest.mark.parametrize(("delay", "ms"), [("90s", 90_000), ("2min", 120_000), ("3 m", 180_000)])
def test_a_delay_is_read_in_its_unit(delay, ms):
    assert options(maxTriggerDelay=delay).max_delay_ms == ms


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"kafka.bootstrap.servers": " "}, "say HOST:PORT"),
        ({"subscribe": ""}, "0 of them are set"),
        ({"subscribePattern": "a.*"}, "2 of them are set"),
        ({"subscribe": "", "subscribePattern": "("}, "no regular expression"),
        ({"subscribe": "", "assign": "[1]"}, "say JSON like"),
        ({"subscribe": "", "assign": '{"a": ["0"]}'}, "assign lists no partitions of 'a'"),
        ({"subscribe": "", "assign": "{}"}, "names no partition"),
        ({"subscribe": ","}, "names no topic"),
        ({"startingOffsets": "latest"}, "startingOffsets cannot be latest"),
        ({"startingOffsets": '{"a": {"0": -1}}'}, "startingOffsets cannot be latest"),
        ({"endingOffsets": "earliest"}, "endingOffsets cannot be earliest"),
        ({"startingOffsets": "first"}, "startingOffsets is 'first': say JSON like"),
        ({"startingOffsets": '{"a": {"x": 1}}'}, "not understood at 'a'"),
        ({"startingOffsets": '{"a": 1}'}, "not understood at 'a'"),
        ({"startingTimestamp": "yesterday"}, "say milliseconds since 1970"),
        ({"startingOffsetsByTimestampStrategy": "guess"}, "say error or latest"),
        ({"failOnDataLoss": "maybe"}, "say true or false"),
        ({"maxOffsetsPerTrigger": "0"}, "say a number above 0"),
        ({"minOffsetsPerTrigger": "9", "maxOffsetsPerTrigger": "8"}, "no batch could have both"),
        ({"maxTriggerDelay": "soon"}, "say a duration"),
        ({"kafka.auto.offset.reset": "earliest"}, "say startingOffsets instead"),
        ({"kafka.isolation.level": "none"}, "read_uncommitted or read_committed"),
        ({"startingOffset": "earliest"}, "did you mean startingOffsets?"),
        ({"maxTriggerDelays": "1s"}, "did you mean maxTriggerDelay?"),
        ({"wholly": "x"}, "no option 'wholly' for reading topics: settings of the Kafka client"),
        ({"topic": "a"}, "topic cannot be set: topics to read are named by subscribe"),
        ({"minPartitions": "many"}, "minPartitions is 'many': say a number above 0"),
    ],
)
def test_what_is_wrong_is_reported_in_one_sentence(given, sentence):
    with pytest.raises(OptionError, match=re.escape(sentence)) as refused:
        options(**given)
    assert "\n" not in str(refused.value)


def test_a_stream_has_no_end():
    with pytest.raises(OptionError, match="a stream has no end"):
        options(streaming=True, endingOffsets="latest")
