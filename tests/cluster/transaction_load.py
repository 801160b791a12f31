"""Transactions that span partitions, committed and aborted in turns, while nodes change.

    with TransactionLoad(bootstrap, "ledger", partitions=3) as load:
        ...
        load.more()                    returns when some more transactions were committed
    load.verdict()                     what a reader of committed records finds wrong: nothing

Every transaction writes its number into every partition. What was committed has to be there once,
in all of them; what was aborted in none. A transaction whose end is not known, because the producer
lost its coordinator over it, may be either, but whole.
"""

from __future__ import annotations

from collections import Counter
from threading import Event, Thread
from types import TracebackType
from typing import Self

from confluent_kafka import KafkaException, Producer

from tests.cluster.asking import TIMEOUT_S, wait_for_more
from tests.cluster.steady_load import read_numbers

MORE = 20
ABORT_EVERY = 3
PAUSE_S = 0.005


class TransactionLoad:
    """See the head of the file."""

    def __init__(self, bootstrap: str, topic: str, partitions: int) -> None:
        self.bootstrap, self.topic, self.partitions = bootstrap, topic, partitions
        self.committed: list[int] = []
        self.aborted: list[int] = []
        self.troubles: list[str] = []
        self._ended = Event()
        self._thread = Thread(target=self._produce, name="transactions", daemon=True)

    def __repr__(self) -> str:
        return (
            f"TransactionLoad({len(self.committed)} committed, {len(self.aborted)} aborted, "
            f"{self.troubles})"
        )

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._thread.join(2 * TIMEOUT_S)

    def more(self) -> None:
        wait_for_more(self, self.committed, MORE)

    def verdict(self) -> list[str]:
        """After the end: one line for each transaction that is not as it has to be."""
        settings = {"isolation.level": "read_committed"}
        read = [
            Counter(read_numbers(self.bootstrap, self.topic, partition, settings))
            for partition in range(self.partitions)
        ]
        numbers = {number for seen in read for number in seen} | set(self.committed)
        committed, aborted = set(self.committed), set(self.aborted)
        return [
            f"{number} is there {copies} times"
            for number in sorted(numbers)
            if (copies := tuple(seen[number] for seen in read)) not in self._allowed()
            or (number in committed and not any(copies))
            or (number in aborted and any(copies))
        ]

    def _allowed(self) -> list[tuple[int, ...]]:
        return [(0,) * self.partitions, (1,) * self.partitions]

    def _produce(self) -> None:
        number, producer = 0, None
        while not self._ended.is_set():
            try:
                producer = producer or self._begin()
                self._write(producer, number)
            except KafkaException as error:
                self.troubles.append(str(error))
                producer = None
            number += 1

    def _begin(self) -> Producer:
        producer = Producer(
            {
                "bootstrap.servers": self.bootstrap,
                "transactional.id": "ledger",
                "log_level": 0,
            }
        )
        producer.init_transactions(TIMEOUT_S)
        return producer

    def _write(self, producer: Producer, number: int) -> None:
        producer.begin_transaction()
        for partition in range(self.partitions):
            producer.produce(self.topic, b"%d" % number, partition=partition)
        if number % ABORT_EVERY:
            producer.commit_transaction(TIMEOUT_S)
            self.committed.append(number)
        else:
            producer.abort_transaction(TIMEOUT_S)
            self.aborted.append(number)
