"""What a producer is made with."""

from __future__ import annotations

import pytest

from moldau.client.arguments.producer import ProducerArguments, arrived, arrow_sender, membership_of
from moldau.client.arrow_sending import ArrowSender
from moldau.client.core.group_member import Membership
from moldau.client.core.producing.batch import Outcome, packed_batch
from moldau.client.errors import ClosedError, InvalidArgumentError
from moldau.client.topic_partition import TopicPartition
from moldau.config.refusals import UnknownSettingError
from moldau.platform.system.clock import SystemClock
from moldau.protocol.records.builder import BatchFields
from tests.client.batches import data_batch


def choose(topic: str, key: bytes | None, value: bytes | None, count: int) -> int:
    return 0


def test_functions_are_kept_apart_from_settings():
    made = ProducerArguments("b1:9092", {"partitioner": choose, "linger_ms": 0})
    assert made.partitioner is choose
    assert made.settings.linger_ms == 0
    assert ProducerArguments("b1:9092", {"partitioner": "round_robin"}).partitioner is None
    with pytest.raises(UnknownSettingError):
        ProducerArguments("b1:9092", {"value_serialiser": "json"})


def test_servers_may_be_a_setting_like_any_other():
    made = ProducerArguments(None, {"bootstrap_servers": "b1:9092"})
    assert made.settings.bootstrap_servers == ("b1:9092",)


def test_serializers_make_bytes_of_keys_and_values():
    given = {"key_serializer": "int32", "value_serializer": lambda topic, value: topic + value}
    made = ProducerArguments("b1:9092", given)
    assert made.deliveries(SystemClock()).key_bytes("t", 1) == b"\x00\x00\x00\x01"
    assert made.deliveries(SystemClock()).key_bytes("t", b"raw") == b"raw"
    assert made.deliveries(SystemClock()).value_bytes("t", "v") == b"tv"


def test_without_serializers_bytes_and_text_are_taken():
    made = ProducerArguments("b1:9092", {})
    assert (
        made.deliveries(SystemClock()).key_bytes("t", "k"),
        made.deliveries(SystemClock()).value_bytes("t", b"v"),
    ) == (b"k", b"v")
    assert made.deliveries(SystemClock()).value_bytes("t", None) is None
    with pytest.raises(InvalidArgumentError, match="value_serializer"):
        made.deliveries(SystemClock()).value_bytes("t", 5)


def test_a_group_is_a_name_or_a_consumer_in_one():
    class Reader:
        membership = Membership("g", 3, "m")

    assert membership_of("g") == Membership("g")
    assert membership_of(Reader()).generation == 3
    for wrong in ("", None, 5):
        with pytest.raises(InvalidArgumentError):
            membership_of(wrong)


def test_a_table_has_arrived_when_all_its_batches_have():
    batches = [packed_batch(TopicPartition("t", 0), bytearray(data_batch(0, 3)), 0) for _ in "ab"]
    for batch in batches:
        batch.outcome = Outcome(0)
    assert arrived(batches) == 6
    batches[1].outcome = Outcome(error=ClosedError())
    with pytest.raises(ClosedError):
        arrived(batches)


def test_tables_are_packed_by_what_is_loaded_with_the_first():
    assert arrow_sender() is ArrowSender


def test_a_batch_that_was_split_has_arrived_with_its_halves():
    whole = packed_batch(TopicPartition("t", 0), bytearray(data_batch(0, 3)), 0)
    halves = whole.halves(BatchFields())
    settled = [whole.is_settled]
    for half in halves:
        half.outcome = Outcome(base_offset=0)
        settled.append(whole.is_settled)
    assert settled == [False, False, True]
    assert arrived([whole]) == 3
    halves[1].outcome = Outcome(error=ClosedError())
    with pytest.raises(ClosedError):
        arrived([whole])
