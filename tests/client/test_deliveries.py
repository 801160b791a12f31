"""Records as a program hands them over, made into deliveries."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from moldau.client.core.producing.batch import Delivery, Outcome, Pending, RecordMetadata
from moldau.client.deliveries import AsyncDelivery, Deliveries, SyncDelivery
from moldau.client.errors import ClosedError, InvalidArgumentError, NotYetError
from moldau.platform.system.clock import SystemClock

MADE = Deliveries(SystemClock(), None, lambda topic, value: f"{topic}:{value}".encode())
PLAIN = Deliveries(SystemClock(), None, None)


class Thread:
    """Whatever is waited for has come to this, or is late."""

    def __init__(self, outcome: Outcome | None) -> None:
        self.outcome = outcome

    def wait(self, delivery: Delivery, timeout: float | None) -> None:
        if self.outcome is None:
            assert timeout is not None
            raise NotYetError("the record", timeout)
        settle(delivery, self.outcome)


class Loop:
    async def wait(self, delivery: Delivery) -> RecordMetadata:
        await asyncio.sleep(0)
        settle(delivery, Outcome(base_offset=7))
        return delivery.metadata()


def settle(delivery: Delivery, outcome: Outcome) -> None:
    pending = Pending()
    pending.outcome = outcome
    delivery.is_part_of(pending, 0)


def sent(outcome: Outcome | None = None, made: Deliveries = PLAIN, **given: Any) -> SyncDelivery:
    parts = {"topic": "t", "value": b"v", "key": None, "partition": None, "timestamp": None}
    return made.blocking(Thread(outcome), **{**parts, "headers": (), "on_delivery": None, **given})


def test_what_is_handed_over_becomes_bytes():
    one = sent(made=MADE, value=7, key="k", partition=3, timestamp=5, headers={"h": "1"})
    assert (one.topic, one.key, one.value) == ("t", b"k", b"t:7")
    assert (one.partition, one.timestamp, one.headers) == (3, 5, (("h", b"1"),))


def test_what_is_not_given_is_left_to_others_and_the_time_is_now():
    before_ms = SystemClock().now_ms()
    one = sent()
    assert (one.partition, one.key, one.headers) == (-1, None, ())
    assert before_ms <= one.timestamp <= SystemClock().now_ms()
    assert sent(timestamp=datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)).timestamp == 1000


@pytest.mark.parametrize(
    "given",
    [{"topic": ""}, {"topic": 5}, {"value": 5}, {"key": 5}, {"partition": -1}, {"partition": "1"},
     {"timestamp": -5}, {"headers": [5]}, {"headers": {5: b""}}],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(given):
    with pytest.raises(InvalidArgumentError):
        sent(**given)


def test_a_thread_waits_for_the_result_as_long_as_it_likes():
    assert sent(Outcome(base_offset=7), timestamp=5).result() == RecordMetadata("t", -1, 7, 5)
    assert sent(Outcome(base_offset=7), timestamp=5).result(timeout=5).offset == 7
    with pytest.raises(NotYetError):
        sent(None).result(1)
    with pytest.raises(ClosedError):
        sent(Outcome(error=ClosedError())).result(0.5)


def test_a_coroutine_awaits_it():
    async def work() -> RecordMetadata:
        one = PLAIN.on_loop(Loop(), "t", b"v", None, None, 5, (), None)
        assert isinstance(one, AsyncDelivery)
        return await one

    assert asyncio.run(work()) == RecordMetadata("t", -1, 7, 5)
