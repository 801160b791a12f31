"""Waiting for records whose fate moves."""

from __future__ import annotations

from moldau.client.aio.awaiting import Watcher, call_back, pending_of
from moldau.client.core.producing.batch import Delivery, Outcome, Pending, ProducerBatch
from moldau.client.topic_partition import TopicPartition

PART = TopicPartition("t", 0)


def record(on_delivery=None) -> Delivery:
    return Delivery("t", b"v", None, 0, 0, (), on_delivery)


def settled(delivery: Delivery, offset: int) -> Delivery:
    pending = Pending()
    pending.outcome = Outcome(base_offset=offset)
    delivery.is_part_of(pending, 0)
    return delivery


def test_of_a_batch_that_was_split_the_half_that_is_left_is_waited_for():
    whole, first, second = Pending(), ProducerBatch(PART, 0), ProducerBatch(PART, 0)
    assert pending_of(whole) is whole
    whole.parts = (first, second)
    assert pending_of(whole) is first
    first.outcome = Outcome()
    assert pending_of(whole) is second


def test_a_watcher_waits_on_where_its_record_has_gone():
    woken: list[str] = []
    delivery, before, after = record(), Pending(), Pending()
    delivery.is_part_of(before, 0)
    watcher = Watcher(delivery, lambda: woken.append("now"))
    delivery.is_part_of(after, 0)
    watcher.keep(None)
    assert (woken, after.waiters) == ([], [watcher])
    after.outcome = Outcome()
    watcher.keep(None)
    assert woken == ["now"]


def test_a_record_takes_the_watcher_that_came_before_it_was_collected():
    delivery, pending = record(), Pending()
    watcher = delivery.waiter = Watcher(delivery, lambda: None)
    delivery.is_part_of(pending, 0)
    assert (pending.waiters, delivery.waiter) == ([watcher], None)


def test_a_call_back_that_fails_keeps_the_others_from_nothing(caplog):
    seen: list[int] = []

    def fail(metadata, error):
        raise RuntimeError("mine")

    def keep(metadata, error):
        seen.append(metadata.offset)

    call_back([settled(record(fail), 1), settled(record(keep), 2), settled(record(), 3)])
    assert seen == [2]
    assert "on_delivery" in caplog.text


def test_a_coroutine_function_is_no_call_back_and_is_reported(caplog):
    async def never() -> None: ...

    call_back([settled(record(lambda *_: never()), 0)])
    (logged,) = caplog.records
    assert "coroutine function" in str(logged.exc_info[1])
