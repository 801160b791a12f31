"""When which batch goes where, and what its answer means."""

from __future__ import annotations

import pytest

from moldau.client.core.producing.batch import Identity
from moldau.client.core.producing.events import Broken, Identified, Refresh, Refreshed
from moldau.client.errors import (
    ClosedError,
    RecordTooLargeError,
    RefusedError,
    TimedOutError,
    UnknownTopicError,
    UnreachableError,
)
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.core.producing.made import Made, begun, headers, record


def test_a_record_knows_where_it_has_arrived():
    made = Made(linger_ms="0")
    first, second = record(), record()
    made.add(first, second)
    (send,) = made.sends()
    made.receives(send, offset=40)
    assert (first.metadata().offset, second.metadata().offset) == (40, 41)
    assert made.sender.accumulator.used_bytes == 0


def test_sequences_go_on_from_batch_to_batch():
    made = begun()
    made.add(record(), record(), record())
    assert [headers(send)[0].base_sequence for send in made.sends()] == [1, 2, 3]


def test_after_a_failure_the_oldest_goes_again_alone_under_its_sequence():
    made = begun()
    made.add(record(), record(), record())
    first, second, third = made.sends()
    made.receives(first, ErrorCode.REQUEST_TIMED_OUT)
    made.receives(second, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER)
    assert made.receives(third, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER) == []
    (again,) = made.sends(later_ms=2000)
    assert headers(again)[0].base_sequence == 1
    (second,) = made.receives(again)
    assert headers(second)[0].base_sequence == 2


def test_a_connection_that_ends_costs_no_record():
    made = Made(linger_ms="0")
    sent = record()
    made.add(sent)
    (send,) = made.sends()
    made.step(Broken(send, UnreachableError("b1:9092", "gone")))
    made.step(later_ms=2000)
    (again,) = made.learns()
    made.receives(again, ErrorCode.DUPLICATE_SEQUENCE_NUMBER, offset=9)
    assert sent.metadata().offset == 9


def test_a_broker_that_has_lost_the_sequences_gets_them_anew_under_the_next_epoch():
    made = Made(linger_ms="0")
    made.add(record())
    (send,) = made.sends()
    made.receives(send, ErrorCode.UNKNOWN_PRODUCER_ID)
    (again,) = made.sends(later_ms=2000)
    header = headers(again)[0]
    assert (header.producer_epoch, header.base_sequence) == (1, 0)


def test_what_merely_was_not_answered_keeps_its_epoch():
    made = Made(linger_ms="0")
    made.add(record(partition=0), record(partition=1))
    lost, slow = sorted(made.sends(), key=lambda send: send.node_id)
    made.receives(lost, ErrorCode.UNKNOWN_PRODUCER_ID)
    made.receives(slow, ErrorCode.REQUEST_TIMED_OUT)
    by_node = {send.node_id: headers(send)[0] for send in made.sends(later_ms=2000)}
    assert {node: header.producer_epoch for node, header in by_node.items()} == {1: 1, 2: 0}


def test_a_batch_that_may_be_there_though_it_failed_leaves_its_sequence_to_no_other():
    """The broker would take the next one for a repetition of it, and never append it."""
    made = Made(linger_ms="0", delivery_timeout_ms="30000", request_timeout_ms="1000")
    lost, after = record(b"a"), record(b"b")
    made.add(lost)
    (send,) = made.sends()
    made.step(Broken(send, UnreachableError("b1:9092", "gone")))
    made.step(later_ms=30_001)
    assert isinstance(lost.error(), TimedOutError)
    made.add(after)
    made.step()
    (send,) = made.learns()
    header = headers(send)[0]
    assert (header.producer_epoch, header.base_sequence) == (1, 0)


def test_those_behind_one_that_may_be_there_keep_their_sequences():
    made = begun(retries="1")
    lost, behind = record(b"a"), record(b"b")
    made.add(lost, behind)
    first, second = made.sends()
    made.receives(second, ErrorCode.REQUEST_TIMED_OUT)
    made.receives(first, ErrorCode.REQUEST_TIMED_OUT)
    (first,) = made.sends(later_ms=2000)
    (second,) = made.receives(first, ErrorCode.REQUEST_TIMED_OUT)
    assert isinstance(lost.error(), RefusedError)
    header = headers(second)[0]
    assert (header.producer_epoch, header.base_sequence) == (0, 2)
    made.receives(second)
    made.add(record(b"c"))
    (third,) = made.sends()
    header = headers(third)[0]
    assert (header.producer_epoch, header.base_sequence) == (1, 0)


def test_those_behind_a_refused_batch_go_again_without_a_gap():
    made = begun()
    refused, kept = record(), record()
    made.add(refused, kept)
    first, second = made.sends()
    made.receives(first, ErrorCode.INVALID_RECORD)
    made.receives(second, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER)
    (again,) = made.sends(later_ms=2000)
    header = headers(again)[0]
    assert (header.producer_epoch, header.base_sequence) == (1, 0)
    with pytest.raises(RefusedError, match="INVALID_RECORD"):
        refused.metadata()


def test_what_comes_after_a_first_batch_that_is_refused_is_taken_for_no_repetition():
    """A broker takes any sequence from a producer that it does not know."""
    made = Made(linger_ms="0", batch_size="1")
    made.add(record(), record())
    (first,) = made.sends()
    (second,) = made.receives(first, ErrorCode.INVALID_RECORD)
    assert headers(second)[0].base_sequence == 0


def test_what_waits_goes_on_when_the_lost_one_before_it_is_given_up():
    made = begun(delivery_timeout_ms="30000", request_timeout_ms="1000")
    lost, behind, waiting = record(b"a"), record(b"b"), record(b"c")
    made.add(lost)
    (first,) = made.sends()
    made.now_ms += 10_000
    made.add(behind)
    (second,) = made.sends()
    made.receives(first, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER)
    made.add(waiting)
    assert made.sends(later_ms=20_001) == []
    assert isinstance(lost.error(), TimedOutError)
    made.receives(second, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER)
    (again,) = made.sends(later_ms=2000)
    header = headers(again)[0]
    assert (header.producer_epoch, header.base_sequence) == (1, 0)
    (last,) = made.receives(again)
    assert headers(last)[0].base_sequence == 1


def test_a_batch_that_is_too_large_goes_in_halves():
    made = Made(linger_ms="0")
    records = [record(bytes([number])) for number in range(5)]
    made.add(*records)
    (send,) = made.sends()
    (half,) = made.receives(send, ErrorCode.MESSAGE_TOO_LARGE)
    (other,) = made.receives(half, offset=0)
    made.receives(other, offset=2)
    assert [one.metadata().offset for one in records] == [0, 1, 2, 3, 4]
    assert [headers(one)[0].base_sequence for one in (half, other)] == [0, 2]
    assert made.sender.accumulator.used_bytes == 0


def test_a_record_that_no_request_has_room_for_is_refused_at_once():
    made = Made(max_request_size="1000")
    with pytest.raises(RecordTooLargeError, match=r"max\.request\.size"):
        made.add(record(b"x" * 1000))


def test_records_wait_for_the_partitions_of_their_topic():
    made = Made(knows=False, linger_ms="0")
    sent = record(partition=-1)
    made.add(sent)
    (asked,) = made.step()
    assert isinstance(asked, Refresh)
    assert asked.topics == ("t",)
    assert len(made.learns()) == 1
    assert sent.partition in (0, 1)


def test_a_topic_that_is_not_there_in_time_fails_its_records():
    made = Made(knows=False, max_block_ms="300")
    sent = record()
    made.add(sent)
    made.step()
    made.context.cluster.refused["t"] = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    made.step(Refreshed(("t",)))
    made.step(later_ms=300)
    with pytest.raises(UnknownTopicError, match="create it first"):
        sent.metadata()
    assert made.sender.accumulator.used_bytes == 0


def test_a_partition_that_the_topic_does_not_have_fails_its_record():
    made = Made()
    with pytest.raises(UnknownTopicError, match="has no partition 5"):
        made.add(record(partition=5))
    assert made.sender.accumulator.used_bytes == 0


def test_what_does_not_arrive_in_time_fails_and_names_the_last_cause():
    made = Made(linger_ms="0", delivery_timeout_ms="30000", request_timeout_ms="1000")
    sent = record()
    made.add(sent)
    (send,) = made.sends()
    made.receives(send, ErrorCode.NOT_ENOUGH_REPLICAS)
    made.step(later_ms=30_001)
    with pytest.raises(TimedOutError, match="NOT_ENOUGH_REPLICAS"):
        sent.metadata()


def test_it_is_stepped_again_when_the_first_record_is_late():
    made = Made(linger_ms="0", delivery_timeout_ms="30000", request_timeout_ms="1000")
    made.add(record())
    (first,) = made.sends()
    made.receives(first, ErrorCode.REQUEST_TIMED_OUT, later_ms=29_990)
    assert made.wake_at_ms == 30_000, "not when the batch may go again"


def test_a_record_of_an_unknown_topic_is_late_after_max_block_ms():
    made = Made(knows=False, max_block_ms="700")
    made.add(record())
    made.step()
    assert made.wake_at_ms == 700


def test_without_an_id_every_record_fails():
    made = Made(identity=False, linger_ms="0")
    sent = record()
    made.add(sent)
    made.step()
    made.step(Identified(Identity(), ClosedError()))
    with pytest.raises(ClosedError):
        sent.metadata()


def test_what_is_on_its_way_stays_as_it_was_when_its_record_has_run_out_of_time():
    """A buffer that is used again too early would carry other records (CVE-2026-35554)."""
    made = Made(linger_ms="0", delivery_timeout_ms="30000", request_timeout_ms="1000")
    made.add(record(b"canary" * 100))
    (send,) = made.sends()
    sent = [bytes(part.records or b"") for part in parts(send)]
    made.step(later_ms=30_001)
    for number in range(50):
        made.add(record(b"other%d" % number * 100), record(partition=1))
        made.sends()
    assert [bytes(part.records or b"") for part in parts(send)] == sent
    assert b"canary" in sent[0]


def parts(send):
    return [part for topic in send.request.topic_data for part in topic.partition_data]
