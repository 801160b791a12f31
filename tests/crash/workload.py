"""Clients that keep working while their broker is killed under them, and write down what they saw.

Each client is a thread that owns its part of the history. They are librdkafka's, so that retries,
sequences and transactions are another project's idea of the protocol.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Iterator
from itertools import count
from typing import Any

from confluent_kafka import Consumer, KafkaException, Message, Producer, TopicPartition

from tests.crash.history import History, Outcome, Poll, Send, Transaction

PARTITIONS = 3
PAUSE_S = 0.002
BATCH = 20
BATCH_MAX = 25
"""Records in a batch, which stays below 4 KB, so that segments may be small."""
TRANSACTION = 5
ANSWER_TIMEOUT_S = 60
READ_TIMEOUT_S = 60
SILENT = logging.getLogger("silenced")
SILENT.addHandler(logging.NullHandler())
SILENT.propagate = False

Settings = dict[str, Any]


def settings_of(bootstrap: str, **more: Any) -> Settings:
    shared = {
        "bootstrap.servers": bootstrap,
        "reconnect.backoff.ms": 20,
        "reconnect.backoff.max.ms": 100,
        "retry.backoff.ms": 20,
        "batch.num.messages": BATCH_MAX,
        "log_level": 0,
    }
    return {**shared, **{name.replace("_", "."): value for name, value in more.items()}}


class Client:
    """A thread that works until it is stopped; a failure of its own is kept for the test."""

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self.failure: BaseException | None = None
        self._random = random.Random(f"{name}:{seed}")
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name}: {self.acknowledged} acknowledged)"

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()

    def join(self) -> None:
        self._thread.join(2 * ANSWER_TIMEOUT_S)
        assert not self._thread.is_alive(), f"{self.name} hangs"
        if self.failure is not None:
            raise self.failure

    def _run(self) -> None:
        try:
            self.work()
        except BaseException as error:  # noqa: BLE001  # for the test, which raises it
            self.failure = error

    def work(self) -> None:
        raise NotImplementedError

    def has_begun(self) -> bool:
        """Whether a record of its own was acknowledged, or it has none."""
        if self.failure is not None:
            raise self.failure
        return self.acknowledged > 0

    def kill(self) -> None:
        """End it even after a failure of the test."""
        self.stop()

    @property
    def acknowledged(self) -> int:
        """About how many of its records were, so far."""
        return 0

    def record(self, history: History) -> None:
        """Add what it saw, once it has stopped."""
        raise NotImplementedError


class IdempotentClient(Client):
    """Sends as fast as answers come; each value goes to one partition, in order."""

    def __init__(self, name: str, seed: int, bootstrap: str, topic: str) -> None:
        super().__init__(name, seed)
        self._topic = topic
        self._values = count()
        self._settings = settings_of(
            bootstrap, enable_idempotence=True, linger_ms=1, message_timeout_ms=10**6
        )
        self._sends: list[tuple[int, str, list[Any]]] = []

    @property
    def acknowledged(self) -> int:
        return sum(bool(answers) for _, _, answers in list(self._sends))

    def work(self) -> None:
        producer = Producer(self._settings, logger=SILENT)
        while not self._stopping.is_set():
            for _ in range(self._random.randrange(1, BATCH)):
                self._send(producer)
            producer.poll(PAUSE_S)
            while len(producer) > 10 * BATCH and not self._stopping.is_set():
                producer.poll(0.1)
        assert producer.flush(ANSWER_TIMEOUT_S) == 0, "sends were never answered"

    def _send(self, producer: Producer) -> None:
        partition = self._random.randrange(PARTITIONS)
        value = f"{self.name}-{next(self._values)}"
        answers: list[Any] = []
        self._sends.append((partition, value, answers))
        producer.produce(
            self._topic,
            value,
            key=value,
            partition=partition,
            on_delivery=lambda error, message: answers.append((error, message.offset())),
        )

    def record(self, history: History) -> None:
        for partition, value, answers in self._sends:
            error, offset = answers[0] if answers else (True, None)
            outcome = Outcome.UNKNOWN if error else Outcome.OK
            known = None if error else offset
            history.sends.append(Send(self.name, partition, value, outcome, known))


class TransactionalClient(Client):
    """Commits most of its transactions, aborts some, and begins anew where it must."""

    def __init__(self, name: str, seed: int, bootstrap: str, topic: str) -> None:
        super().__init__(name, seed)
        self._topic = topic
        self._numbers = count()
        self._settings = settings_of(
            bootstrap,
            transactional_id=name,
            linger_ms=1,
            transaction_timeout_ms=60_000,
            message_timeout_ms=50_000,
        )
        self._sends: list[Send] = []
        self._transactions: list[Transaction] = []

    @property
    def acknowledged(self) -> int:
        return sum(send.outcome is Outcome.OK for send in list(self._sends))

    def work(self) -> None:
        while not self._stopping.is_set():
            try:
                self._work_as_one_producer()
            except KafkaException:
                time.sleep(PAUSE_S)  # fenced or broken: a new producer finds out what became of it
        self._begin()  # so that nothing of the last one stays open, and hides what is behind it

    def _work_as_one_producer(self) -> None:
        producer = self._begin()
        while not self._stopping.is_set():
            self._one_transaction(producer)

    def _begin(self) -> Producer:
        """A producer of this name; what its predecessor left open is aborted."""
        producer = Producer(self._settings, logger=SILENT)
        patiently(lambda: producer.init_transactions(ANSWER_TIMEOUT_S))
        return producer

    def _one_transaction(self, producer: Producer) -> None:
        name = f"{self.name}/{next(self._numbers)}"
        outcome = Outcome.UNKNOWN
        answers: list[tuple[int, str, list[Any]]] = []
        try:
            producer.begin_transaction()
            answers = [self._send(producer, name, index) for index in range(TRANSACTION)]
            commits = self._random.random() < 0.75
            outcome = self._end(producer, commits=commits)
        finally:
            self._note(name, answers, outcome)

    def _end(self, producer: Producer, *, commits: bool) -> Outcome:
        if commits:
            try:
                patiently(lambda: producer.commit_transaction(ANSWER_TIMEOUT_S))
            except KafkaException as error:
                if not error.args[0].txn_requires_abort():
                    raise
            else:
                return Outcome.OK
        patiently(lambda: producer.abort_transaction(ANSWER_TIMEOUT_S))
        return Outcome.FAILED

    def _send(self, producer: Producer, name: str, index: int) -> tuple[int, str, list[Any]]:
        partition = self._random.randrange(PARTITIONS)
        value = f"{name}-{index}"
        answers: list[Any] = []
        producer.produce(
            self._topic,
            value,
            key=value,
            partition=partition,
            on_delivery=lambda error, message: answers.append((error, message.offset())),
        )
        return partition, value, answers

    def _note(self, name: str, sends: list[Any], outcome: Outcome) -> None:
        for partition, value, answers in sends:
            delivered = bool(answers) and answers[0][0] is None
            answer = Outcome.OK if delivered else Outcome.UNKNOWN
            offset = answers[0][1] if delivered else None
            self._sends.append(Send(self.name, partition, value, answer, offset, name))
        self._transactions.append(Transaction(name, outcome))

    def record(self, history: History) -> None:
        history.sends += self._sends
        history.transactions += self._transactions


class ReadingClient(Client):
    """Follows all partitions from their beginning."""

    def __init__(
        self, name: str, seed: int, bootstrap: str, topic: str, *, committed_only: bool
    ) -> None:
        super().__init__(name, seed)
        self._committed_only = committed_only
        self._consumer = reader(bootstrap, topic, committed_only=committed_only)
        self._polls: list[Poll] = []

    def work(self) -> None:
        while not self._stopping.is_set():
            for partition, records in by_partition(self._consumer.consume(500, 0.2)):
                self._polls.append(Poll(self.name, partition, records, self._committed_only))
        self._consumer.close()

    def has_begun(self) -> bool:
        return True

    def record(self, history: History) -> None:
        history.polls += self._polls


def patiently(call: Any) -> None:
    """Once more as long as the answer is that once more may help."""
    for _ in range(100):
        try:
            call()
        except KafkaException as error:
            if not error.args[0].retriable():
                raise
            time.sleep(0.05)
        else:
            return
    raise AssertionError("a hundred times was not enough")


def reader(bootstrap: str, topic: str, *, committed_only: bool) -> Consumer:
    consumer = Consumer(
        settings_of(
            bootstrap,
            group_id="last-reader",
            enable_auto_commit=False,
            auto_offset_reset="error",
            enable_partition_eof=False,
            isolation_level="read_committed" if committed_only else "read_uncommitted",
        ),
        logger=SILENT,
    )
    consumer.assign([TopicPartition(topic, partition, 0) for partition in range(PARTITIONS)])
    return consumer


def by_partition(messages: list[Message]) -> Iterator[tuple[int, tuple[tuple[int, str], ...]]]:
    found: dict[int, list[tuple[int, str]]] = {}
    for message in messages:
        if message.error() is None:
            partition, offset, value = message.partition(), message.offset(), message.value()
            assert partition is not None
            assert offset is not None
            assert value is not None
            found.setdefault(partition, []).append((offset, value.decode()))
    return ((partition, tuple(records)) for partition, records in found.items())


def read_all(bootstrap: str, topic: str) -> dict[int, tuple[tuple[int, str], ...]]:
    """Every committed record, up to the last stable offsets of now."""
    consumer = reader(bootstrap, topic, committed_only=True)
    places = [TopicPartition(topic, partition) for partition in range(PARTITIONS)]
    ends = {place.partition: consumer.get_watermark_offsets(place, 30)[1] for place in places}
    found: dict[int, list[tuple[int, str]]] = {partition: [] for partition in ends}
    deadline = time.monotonic() + READ_TIMEOUT_S
    while any(position(consumer, place) < ends[place.partition] for place in places):
        assert time.monotonic() < deadline, f"the end of {topic} was never reached: {ends}"
        for partition, records in by_partition(consumer.consume(1000, 0.2)):
            found[partition] += records
    consumer.close()
    return {partition: tuple(records) for partition, records in found.items()}


def position(consumer: Consumer, place: TopicPartition) -> int:
    (found,) = consumer.position([place])
    return max(int(found.offset), 0)
