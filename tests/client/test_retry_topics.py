"""Records that fail go to retry topics and to a dead-letter topic, on a node of ours."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from moldau.client import (
    Admin,
    AsyncConsumer,
    AsyncProducer,
    Consumer,
    Producer,
    RetryTopics,
    TopicPartition,
)
from moldau.client.errors import InvalidArgumentError
from moldau.client.retry_topics import failure_of
from moldau.platform.simulated.clock import SimulatedClock

ROUNDS_MAX = 200
RECORDS = 20
NEVER = {"done": -1}


class WrongError(Exception):
    """Of the program."""


class Work:
    """Fails for some values, always or at first."""

    def __init__(self, **fails: int) -> None:
        self.left = Counter({name.encode(): count for name, count in fails.items()})
        self.seen: list[bytes] = []

    def __call__(self, record):
        self.seen.append(record.value)
        if self.left[record.value]:
            self.left[record.value] -= 1
            raise WrongError(record.value.decode())


def settings_of(topic, **more):
    given = {"group_id": topic, "auto_offset_reset": "earliest", "enable_auto_commit": False}
    return given | {"heartbeat_interval_ms": 100, "isolation_level": "read_committed"} | more


@pytest.fixture
def orders(around, topic):
    """With a few records."""
    retries = RetryTopics(topic, delays=(0, 0))
    with Admin(around.bootstrap) as admin:
        admin.create_topics([topic, *retries.new_topics(partitions=1)]).all()
    with Producer(around.bootstrap) as producer:
        for number in range(RECORDS):
            producer.send(topic, b"v%d" % number, key=b"k%d" % number)
    return topic


@pytest.fixture(params=["plain", "whole"])
def sending(request, topic):
    """Settings of a producer without transactions, and of one with them."""
    return {} if request.param == "plain" else {"transactional_id": topic}


def read_all(around, topic):
    with Consumer(around.bootstrap, **settings_of(topic)) as consumer:
        consumer.assign(topic)
        end = sum(consumer.end_offsets(topic).values())
        found = []
        while consumer.position((topic, 0)) < end:
            found += consumer.poll()
        return found


def process_until(retries, consumer, producer, handle, wanted):
    total: Counter[str] = Counter()
    for _ in range(ROUNDS_MAX):
        done = retries.process(consumer, producer, handle, timeout=0.2)
        total += Counter(done._asdict())
        if total == Counter(wanted):
            return
    raise AssertionError(f"{total} and not {wanted}")


def test_a_record_that_fails_is_processed_again_and_ends_among_the_dead(around, orders, sending):
    retries, work = RetryTopics(orders, delays=(0, 0)), Work(v3=2, v5=3)
    with Consumer(around.bootstrap, **settings_of(orders)) as consumer:
        consumer.subscribe(retries.topics)
        with Producer(around.bootstrap, **sending) as producer:
            wanted = {"done": RECORDS - 1, "retried": 4, "dead": 1}
            process_until(retries, consumer, producer, work, wanted)
        committed = consumer.committed(retries.topics)
        ends = consumer.end_offsets(retries.topics)
    assert {part: at or 0 for part, at in committed.items()}[TopicPartition(orders, 0)] == RECORDS
    assert all(ends[part] - (at or 0) <= bool(sending) for part, at in committed.items())
    assert Counter(work.seen) == Counter({b"v%d" % n: 1 for n in range(RECORDS)}) + Counter(
        {b"v3": 2, b"v5": 2}
    )
    (dead,) = read_all(around, retries.dead_letter_topic)
    assert (dead.key, dead.value) == (b"k5", b"v5")
    failure = failure_of(dead)
    assert failure is not None
    assert failure[:4] == (orders, 0, 5, 3)
    assert failure.exception.endswith("WrongError")


def test_a_record_waits_until_it_is_due_and_nothing_waits_behind_it(around, orders):
    clock = SimulatedClock()
    retries, work = RetryTopics(orders, delays=(60, 0), clock=clock), Work(v0=1)
    with Consumer(around.bootstrap, **settings_of(orders)) as consumer:
        consumer.subscribe(retries.topics)
        with Producer(around.bootstrap) as producer:
            process_until(retries, consumer, producer, work, {"done": RECORDS - 1, "retried": 1})
            for _ in range(ROUNDS_MAX):
                assert retries.process(consumer, producer, work, timeout=0.2) == (0, 0, 0)
                if consumer.paused():
                    break
            clock.advance_ms(60_000)
            process_until(retries, consumer, producer, work, {"done": 1})
            assert not consumer.paused()


def test_after_any_other_error_the_records_come_again(around, orders, sending):
    class Broken:
        def __init__(self):
            self.seen = []

        def __call__(self, record):
            self.seen.append(record.offset)
            if self.seen == [0, 1, 2]:
                raise MemoryError
            if record.offset == 1:
                raise WrongError

    retries, work = RetryTopics(orders, delays=(), errors=(WrongError,)), Broken()
    with Consumer(around.bootstrap, **settings_of(orders)) as consumer:
        consumer.subscribe(retries.topics)
        with Producer(around.bootstrap, **sending) as producer:
            with pytest.raises(MemoryError):
                process_until(retries, consumer, producer, work, NEVER)
            process_until(retries, consumer, producer, work, {"done": RECORDS - 1, "dead": 1})
    assert work.seen == [0, 1, 2, *range(RECORDS)]
    assert len(read_all(around, retries.dead_letter_topic)) == (1 if sending else 2)


def test_a_handler_that_would_have_to_be_awaited_is_refused(around, orders):
    async def handle(record): ...

    retries = RetryTopics(orders, delays=())
    with Consumer(around.bootstrap, **settings_of(orders)) as consumer:
        consumer.subscribe(retries.topics)
        with Producer(around.bootstrap) as producer:
            with pytest.raises(InvalidArgumentError, match="use process_on_loop"):
                process_until(retries, consumer, producer, handle, NEVER)
            process_until(retries, consumer, producer, Work(), {"done": RECORDS})


@pytest.mark.parametrize(
    "given", [{"delays": "12"}, {"delays": 5}, {"delays": (-1,)}, {"errors": ("ValueError",)}]
)
def test_wrong_arguments_are_answered(given):
    with pytest.raises(InvalidArgumentError, match="and not"):
        RetryTopics("t", **given)


def test_one_class_of_errors_will_do():
    assert RetryTopics("t", errors=ValueError, dead_at_once=KeyError).errors == (
        ValueError,
        KeyError,
    )


def test_what_no_retry_mends_need_not_be_among_what_is_retried(around, orders, sending):
    work = Work(v3=1)
    retries = RetryTopics(orders, delays=(0,), errors=(KeyError,), dead_at_once=(WrongError,))
    with Consumer(around.bootstrap, **settings_of(orders)) as consumer:
        consumer.subscribe(retries.topics)
        with Producer(around.bootstrap, **sending) as producer:
            process_until(retries, consumer, producer, work, {"done": RECORDS - 1, "dead": 1})
    (dead,) = read_all(around, retries.dead_letter_topic)
    assert dead.value == b"v3"


def test_the_same_on_a_loop(around, orders, sending):
    retries, work = RetryTopics(orders, delays=(0,)), Work(v3=1, v5=2)

    async def handle(record):
        await asyncio.sleep(0)
        work(record)

    async def main():
        total: Counter[str] = Counter()
        consumer = AsyncConsumer(around.bootstrap, **settings_of(orders))
        async with consumer, AsyncProducer(around.bootstrap, **sending) as producer:
            await consumer.subscribe(retries.topics)
            for _ in range(ROUNDS_MAX):
                done = await retries.process_on_loop(consumer, producer, handle, timeout=0.2)
                total += Counter(done._asdict())
                if total == Counter(done=RECORDS - 1, retried=2, dead=1):
                    return
        raise AssertionError(total)

    asyncio.run(main())
    (dead,) = read_all(around, retries.dead_letter_topic)
    assert dead.value == b"v5"


@pytest.mark.parametrize(
    ("given", "remedy"),
    [
        ({"enable_auto_commit": True}, "give it enable_auto_commit=False"),
        ({"value_deserializer": "json"}, "deserialize in `handle`"),
    ],
)
def test_a_consumer_that_does_not_fit_is_refused_before_it_reads(around, topic, given, remedy):
    retries = RetryTopics(topic)
    with (
        Consumer(around.bootstrap, **settings_of(topic, **given)) as consumer,
        Producer(around.bootstrap) as producer,
        pytest.raises(InvalidArgumentError, match=remedy),
    ):
        retries.process(consumer, producer, print)
