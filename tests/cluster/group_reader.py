"""A member of a group that reads a topic of numbers and commits, while its coordinator moves."""

from __future__ import annotations

import time
from threading import Event, Thread
from types import TracebackType
from typing import Self

from confluent_kafka import Consumer

from tests.cluster.asking import TIMEOUT_S

COMMIT_MS = 200
PAUSE_S = 0.1


class GroupReader:
    """What it has read is in `numbers`; no error may reach it but those it can ignore."""

    def __init__(self, bootstrap: str, topic: str, group: str) -> None:
        self.bootstrap, self.topic, self.group = bootstrap, topic, group
        self.numbers: list[int] = []
        self._ended = Event()
        self._thread = Thread(target=self._read, name="group", daemon=True)

    def __repr__(self) -> str:
        return f"GroupReader({self.group}: {len(self.numbers)} read)"

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
        self._thread.join(TIMEOUT_S)

    def wait_for(self, numbers: list[int]) -> None:
        """Return when every one of them has been read."""
        deadline = time.monotonic() + TIMEOUT_S
        while missing := set(numbers) - set(self.numbers):
            assert time.monotonic() < deadline, f"{self} lacks {sorted(missing)[:9]}"
            time.sleep(PAUSE_S)

    def _read(self) -> None:
        consumer = Consumer(
            {
                "bootstrap.servers": self.bootstrap,
                "group.id": self.group,
                "auto.offset.reset": "earliest",
                "auto.commit.interval.ms": COMMIT_MS,
                "log_level": 0,
            }
        )
        consumer.subscribe([self.topic])
        while not self._ended.is_set():
            message = consumer.poll(PAUSE_S)
            if message is not None and message.error() is None:
                self.numbers.append(int(message.value() or b""))
        consumer.close()
