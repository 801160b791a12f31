"""A producer that writes numbers while a cluster changes, and a reader that counts them afterwards.

    with SteadyLoad(bootstrap, "orders", partitions=3) as load:
        ...                            nodes come and go
        load.more()                    returns when some more numbers were acknowledged
    load.verdict()                     what was lost, doubled or out of order: an empty Verdict

Every number is a value of its own, so what is there afterwards is compared one by one. The producer
is idempotent and waits for all replicas in sync: then nothing may be lost, doubled or reordered.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from threading import Event, Thread
from types import TracebackType
from typing import NamedTuple, Self

from confluent_kafka import Consumer, KafkaError, Message, Producer, TopicPartition

from tests.cluster.asking import TIMEOUT_S, wait_for_more

MORE = 200
"""Numbers that `more` waits for."""
PAUSE_S = 0.005


class Verdict(NamedTuple):
    """What is wrong with what was read; all empty where nothing is."""

    failed: tuple[str, ...] = ()
    lost: tuple[int, ...] = ()
    doubled: tuple[int, ...] = ()
    disordered: tuple[int, ...] = ()


class SteadyLoad:
    """See the head of the file."""

    def __init__(
        self,
        bootstrap: str,
        topic: str,
        partitions: int,
        settings: Mapping[str, str | int | bool] | None = None,
    ) -> None:
        self.bootstrap, self.topic, self.partitions = bootstrap, topic, partitions
        self._settings = settings or {}
        self.acknowledged: list[int] = []
        self.failed: list[str] = []
        self._ended = Event()
        self._thread = Thread(target=self._produce, name="load", daemon=True)

    def __repr__(self) -> str:
        return f"SteadyLoad({self.topic}: {len(self.acknowledged)} acknowledged, {self.failed[:3]})"

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
        """Return when some more were acknowledged."""
        wait_for_more(self, self.acknowledged, MORE)

    def verdict(self) -> Verdict:
        """After the end: everything is read and compared."""
        read = [
            read_numbers(self.bootstrap, self.topic, partition)
            for partition in range(self.partitions)
        ]
        seen = Counter(number for values in read for number in values)
        return Verdict(
            failed=tuple(self.failed),
            lost=tuple(number for number in self.acknowledged if number not in seen),
            doubled=tuple(number for number, times in seen.items() if times > 1),
            disordered=tuple(
                later for values in read for earlier, later in pairwise(values) if later < earlier
            ),
        )

    def _produce(self) -> None:
        producer = Producer(
            {
                "bootstrap.servers": self.bootstrap,
                "enable.idempotence": True,
                "linger.ms": 2,
                "log_level": 0,
                **self._settings,
            }
        )
        number = 0
        while not self._ended.is_set():
            for partition in range(self.partitions):
                producer.produce(
                    self.topic, b"%d" % number, partition=partition, on_delivery=self._delivered
                )
                number += 1
            producer.poll(PAUSE_S)
        unsent = producer.flush(TIMEOUT_S)
        if unsent:
            self.failed.append(f"{unsent} were not sent")

    def _delivered(self, error: KafkaError | None, message: Message) -> None:
        if error is None:
            self.acknowledged.append(int(message.value() or b""))
        else:
            self.failed.append(str(error))


def read_numbers(
    bootstrap: str, topic: str, partition: int, settings: Mapping[str, str] | None = None
) -> list[int]:
    """All of one partition, from its begin to the end that it has now."""
    consumer = Consumer(
        {
            "bootstrap.servers": bootstrap,
            "group.id": "reads by itself",
            "enable.partition.eof": True,
            "log_level": 0,
            **(settings or {}),
        }
    )
    consumer.assign([TopicPartition(topic, partition, 0)])
    values: list[int] = []
    deadline = time.monotonic() + TIMEOUT_S
    while True:
        assert time.monotonic() < deadline, f"{topic}-{partition} cannot be read to its end"
        message = consumer.poll(1)
        error = None if message is None else message.error()
        if message is not None and error is None:
            values.append(int(message.value() or b""))
        elif error is not None and error.code() == KafkaError._PARTITION_EOF:
            consumer.close()
            return values
