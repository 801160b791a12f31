"""Where records go that failed, and what their headers hold."""

from __future__ import annotations

import pytest

from moldau.client.core.committed_offset import CommittedOffset
from moldau.client.core.consuming.records import ConsumerRecord
from moldau.client.core.retry_plan import MESSAGE_CHARS_MAX, RetryPlan, Round, failure_of
from moldau.client.errors import InvalidArgumentError
from moldau.client.topic_partition import TopicPartition

NOW_MS = 1_000_000


def plan(*delays: float, dead_at_once: tuple[type[Exception], ...] = ()) -> RetryPlan:
    return RetryPlan("orders", delays, (Exception,), dead_at_once)


def record(offset: int = 7, topic: str = "orders", partition: int = 2, headers=()):
    return ConsumerRecord(topic, partition, offset, 0, b"k", b"v", tuple(headers), 0, 3)


def test_topics_are_named_after_the_first_in_the_order_of_the_delays():
    assert plan(1, 2).topics == ["orders", "orders-retry-1", "orders-retry-2"]
    assert plan().topics == ["orders"]
    assert plan(1).dead_letter_topic == "orders-dlt"


def test_a_record_goes_from_topic_to_topic_and_ends_among_the_dead():
    made, steps, one = plan(1, 60), [], record()
    while one.topic != made.dead_letter_topic:
        moved = made.after(one, ValueError("bad"), NOW_MS)
        one = record(99, moved.topic, 0, moved.headers)
        failure = failure_of(one)
        assert failure is not None
        steps.append((moved.topic, failure.attempts, failure.due_ms - NOW_MS))
    assert steps == [
        ("orders-retry-1", 1, 1000),
        ("orders-retry-2", 2, 60_000),
        ("orders-dlt", 3, 0),
    ]
    assert failure is not None
    assert (failure.topic, failure.partition, failure.offset) == ("orders", 2, 7)
    assert (failure.exception, failure.message) == ("builtins.ValueError", "bad")


def test_some_errors_are_not_retried():
    made = plan(1, dead_at_once=(KeyError,))
    assert made.after(record(), KeyError("k"), NOW_MS).topic == "orders-dlt"
    assert made.after(record(), ValueError(), NOW_MS).topic == "orders-retry-1"


def test_headers_of_the_program_stay_and_ours_are_there_once():
    made = plan(1, 2)
    first = made.after(record(headers=[("trace", b"7"), ("trace", None)]), ValueError("a"), NOW_MS)
    second = made.after(record(0, first.topic, 0, first.headers), ValueError("b"), NOW_MS)
    names = [name for name, _ in second.headers]
    assert second.headers[:2] == [("trace", b"7"), ("trace", None)]
    assert len(names) == len(set(names)) + 1


def test_the_text_of_an_error_is_cut_and_may_hold_anything():
    moved = plan(1).after(record(), ValueError("\udc80" + "x" * 5000), NOW_MS)
    failure = failure_of(record(headers=moved.headers))
    assert failure is not None
    assert len(failure.message) == MESSAGE_CHARS_MAX


def test_foreign_headers_of_the_same_names_are_no_failure():
    assert failure_of(record(headers=[("errors.topic", b"\xff")])) is None
    whole = dict(plan(1).after(record(), ValueError(), NOW_MS).headers)
    assert failure_of(record(headers=[*(whole | {"errors.due": b"soon"}).items()])) is None
    assert failure_of(record(headers=[*(whole | {"errors.due": None}).items()])) is None


def test_only_records_of_retry_topics_wait():
    made = plan(5)
    headers = made.after(record(), ValueError(), NOW_MS).headers
    assert made.due_ms(record(topic="orders-retry-1", headers=headers)) == NOW_MS + 5000
    assert made.due_ms(record(topic="orders", headers=headers)) is None
    assert made.due_ms(record(topic="orders-retry-1")) is None


def test_a_record_of_another_topic_and_wrong_delays_are_refused():
    with pytest.raises(InvalidArgumentError, match="bills is not among orders, orders-retry-1"):
        plan(1).after(record(topic="bills"), ValueError(), NOW_MS)
    for wrong in (-1, float("nan")):
        with pytest.raises(InvalidArgumentError, match="seconds, 0 or more"):
            plan(wrong)


def test_a_round_counts_and_has_the_offsets_to_commit_and_to_go_back_to():
    records = [record(3), record(4), record(9, partition=0)]
    work = Round(plan(), records)
    work.done(records[0])
    work.failed(records[1], ValueError(), NOW_MS)
    assert work.processed == (1, 0, 1)
    assert work.offsets == {TopicPartition("orders", 2): CommittedOffset(5, 3)}
    assert work.starts == {TopicPartition("orders", 2): 3, TopicPartition("orders", 0): 9}
