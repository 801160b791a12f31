"""Listeners of a consumer, beside a broker: what they are called for, and what they may do."""

from __future__ import annotations

from typing import NoReturn

import pytest

from moldau.client import (
    CommitFailedError,
    ConcurrentUseError,
    FencedError,
    InvalidArgumentError,
    RebalanceListener,
    TopicPartition,
)
from moldau.client.sync.consumer import Consumer
from moldau.client.sync.producer import Producer
from tests.client.around import Around

COUNT = 10
both_protocols = pytest.mark.parametrize("protocol", ["classic", "consumer"])


class Noting(RebalanceListener):
    """Keeps what it was called with."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, list[int]]] = []

    def on_assigned(self, parts):
        self.calls.append(("assigned", [part.partition for part in parts]))

    def on_revoked(self, parts):
        self.calls.append(("revoked", [part.partition for part in parts]))

    def on_lost(self, parts):
        self.calls.append(("lost", [part.partition for part in parts]))


@pytest.fixture
def filled(around: Around, topic: str) -> str:
    around.make(topic, partitions=2)
    with Producer(around.bootstrap) as producer:
        for number in range(COUNT):
            producer.send(topic, b"%d" % number, partition=0)
    return topic


def made(around: Around, topic: str, protocol: str, listener: RebalanceListener) -> Consumer:
    """A member that has read its topic."""
    consumer = Consumer(
        around.bootstrap,
        group_id=topic,
        group_protocol=protocol,
        auto_offset_reset="earliest",
        enable_auto_commit=False,
        **({"heartbeat_interval_ms": 100} if protocol == "classic" else {}),
    )
    consumer.subscribe(topic, listener=listener)
    count = 0
    while count < COUNT:
        count += len(consumer.poll())
    return consumer


def poll_on(consumer: Consumer) -> NoReturn:
    while True:
        consumer.poll(0.1)


def commit_on(consumer: Consumer) -> NoReturn:
    while True:
        consumer.commit()


@both_protocols
def test_what_goes_with_the_membership_is_revoked(around, filled, protocol):
    listener = Noting()
    with made(around, filled, protocol, listener) as consumer:
        parts = [part.partition for part in sorted(consumer.assignment())]
    assert listener.calls == [("assigned", parts), ("revoked", parts)]


@both_protocols
def test_a_listener_commits_when_its_consumer_is_closed(around, filled, protocol):
    class Committing(RebalanceListener):
        def on_revoked(self, parts):
            consumer.commit()

    consumer = made(around, filled, protocol, Committing())
    consumer.close()
    with Consumer(around.bootstrap, group_id=filled) as other:
        assert other.committed([(filled, 0)]) == {TopicPartition(filled, 0): COUNT}


@both_protocols
def test_one_that_unsubscribes_and_ends_is_called_once(around, filled, protocol):
    listener = Noting()
    with made(around, filled, protocol, listener) as consumer:
        consumer.unsubscribe()
        assert [name for name, _ in listener.calls] == ["assigned", "revoked"]
        assert not consumer.assignment()
    assert len(listener.calls) == 2


def test_a_member_whose_name_another_has_taken_loses_what_it_had(around, filled):
    listener = Noting()
    given = {"group_id": filled, "group_instance_id": "one", "heartbeat_interval_ms": 100}
    with Consumer(around.bootstrap, **given) as first, Consumer(around.bootstrap, **given) as other:
        first.subscribe(filled, listener=listener)
        while not first.assignment():
            first.poll(0.1)
        other.subscribe(filled)
        while not other.assignment():
            other.poll(0.1)
        with pytest.raises(FencedError):
            poll_on(first)
        first.close()
    assert [name for name, _ in listener.calls] == ["assigned", "lost"]


@both_protocols
def test_one_that_raises_is_called_once_and_its_partitions_go(around, filled, protocol):
    class Raising(Noting):
        def on_revoked(self, parts):
            super().on_revoked(parts)
            if len(self.calls) == 2:
                raise ValueError("the database is away")

    listener = Raising()
    errors = []
    with (
        made(around, filled, protocol, listener) as first,
        Consumer(around.bootstrap, group_id=filled, group_protocol=protocol) as second,
    ):
        second.subscribe(filled)
        while not second.assignment():
            try:
                first.poll(0.1)
            except ValueError as error:
                errors.append(error)
            second.poll(0.1)
    assert [str(error) for error in errors] == ["the database is away"]


@both_protocols
def test_what_one_raises_at_the_end_is_raised_by_a_consumer_that_is_closed(
    around, filled, protocol
):
    class Raising(RebalanceListener):
        def on_revoked(self, parts):
            raise ValueError("the database is away")

    consumer = made(around, filled, protocol, Raising())
    with pytest.raises(ValueError, match="the database is away"):
        consumer.close()
    consumer.close()


@both_protocols
def test_records_are_not_asked_for_by_a_listener(around, filled, protocol):
    class Polling(RebalanceListener):
        def on_assigned(self, parts):
            with pytest.raises(ConcurrentUseError, match="its own listener"):
                consumer.poll()
            asked.append(len(parts))

    asked: list[int] = []
    with Consumer(around.bootstrap, group_id=filled, group_protocol=protocol) as consumer:
        consumer.subscribe(filled, listener=Polling())
        while not asked:
            consumer.poll(0.1)


@both_protocols
def test_a_listener_may_close_its_consumer(around, filled, protocol):
    class Closing(Noting):
        def on_revoked(self, parts):
            super().on_revoked(parts)
            consumer.close()

    listener = Closing()
    consumer = made(around, filled, protocol, listener)
    consumer.close()
    assert [name for name, _ in listener.calls] == ["assigned", "revoked"]


def test_methods_that_nothing_would_await_are_refused(around, filled):
    class OnALoop(Noting):
        async def on_assigned(self, parts): ...

    async def on_commit(offsets, error): ...

    with Consumer(around.bootstrap, group_id=filled, auto_offset_reset="earliest") as consumer:
        consumer.subscribe(filled, listener=OnALoop())
        with pytest.raises(InvalidArgumentError, match="listener is a coroutine function"):
            poll_on(consumer)
        while not consumer.poll():
            pass
        consumer.commit_async(on_commit=on_commit)
        with pytest.raises(InvalidArgumentError, match="on_commit is a coroutine function"):
            consumer.commit()


@both_protocols
def test_a_member_that_polls_too_seldom_loses_its_partitions_until_it_polls(
    around, filled, protocol
):
    listener = Noting()
    settings = {"group_protocol": protocol, "max_poll_interval_ms": 500, "max_poll_records": 1}
    with Consumer(
        around.bootstrap,
        group_id=filled,
        auto_offset_reset="earliest",
        enable_auto_commit=False,
        **settings,
    ) as consumer:
        consumer.subscribe(filled, listener=listener)
        while not (first := consumer.poll(0.1)):
            pass
        with pytest.raises(CommitFailedError, match=r"max\.poll\.interval\.ms"):
            commit_on(consumer)
        while not (again := consumer.poll(0.1)):
            pass
    assert [name for name, _ in listener.calls[:3]] == ["assigned", "lost", "assigned"]
    assert again[0].offset == first[0].offset + 1
