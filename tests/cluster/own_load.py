"""Producers and groups of ours that go on while a cluster changes, and what came of it all.

    with OwnLoad(bootstrap, "orders") as load:
        ...                            nodes come and go
        load.more()                    returns when some more records were acknowledged
    load.verdict()                     what is wrong: an empty Verdict where nothing is

One producer is blocking and one on a loop; a group of each protocol reads every record. Each value
names its writer and number.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import partial
from itertools import count
from threading import Event, Thread
from types import TracebackType
from typing import NamedTuple, Self

from moldau.client import AsyncProducer, Consumer, Producer, RecordMetadata
from moldau.client.errors import ClientError
from tests.cluster.asking import wait_for_more

WRITERS = ("blocking", "on a loop")
PROTOCOLS = ("classic", "consumer")
AT_ONCE = 50
MORE = 500
"""Records that `more` waits for."""
PAUSE_S = 0.02
PATIENCE_S = 300
PATIENT = {"delivery_timeout_ms": 600_000, "max_block_ms": 600_000}

Place = tuple[int, int]
"""A partition and an offset."""


class Verdict(NamedTuple):
    """What is wrong with what was read; all empty where nothing is."""

    failed: tuple[str, ...] = ()
    lost: tuple[bytes, ...] = ()
    doubled: tuple[bytes, ...] = ()
    disordered: tuple[bytes, ...] = ()
    unread: tuple[tuple[str, bytes], ...] = ()
    """By a group."""


class OwnLoad:
    """See the head of the file."""

    def __init__(self, bootstrap: str, topic: str) -> None:
        self._bootstrap, self._topic = bootstrap, topic
        self.acknowledged: dict[bytes, Place] = {}
        self.failed: list[str] = []
        self._is_over = Event()
        self._has_all = Event()
        self._read: dict[str, set[bytes]] = {protocol: set() for protocol in PROTOCOLS}
        self._writers = [
            self._thread(WRITERS[0], self._write),
            self._thread(WRITERS[1], lambda: asyncio.run(self._write_on_a_loop())),
        ]
        self._readers = [
            self._thread(protocol, partial(self._follow, protocol)) for protocol in PROTOCOLS
        ]
        self._log: dict[int, list[bytes]] = {}

    def __repr__(self) -> str:
        return f"OwnLoad({self._topic}: {len(self.acknowledged)} acknowledged, {self.failed[:3]})"

    def _thread(self, name: str, work: Callable[[], None]) -> Thread:
        def guarded() -> None:
            try:
                work()
            except ClientError as error:
                self.failed.append(f"{name}: {error!r}")

        return Thread(target=guarded, name=name, daemon=True)

    def __enter__(self) -> Self:
        for thread in (*self._writers, *self._readers):
            thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._is_over.set()
        for thread in self._writers:
            thread.join(PATIENCE_S)
        if error is None:
            self._log = self._read_all()
            self._wait_for_groups()
        self._has_all.set()
        for thread in self._readers:
            thread.join(PATIENCE_S)

    def more(self) -> None:
        """Return when some more were acknowledged."""
        wait_for_more(self, self.acknowledged, MORE, PATIENCE_S)

    def verdict(self) -> Verdict:
        """Everything that was read, compared with what was acknowledged."""
        values = [value for log in self._log.values() for value in log]
        return Verdict(
            failed=tuple(self.failed),
            lost=tuple(
                value
                for value, (partition, offset) in self.acknowledged.items()
                if self._log[partition][offset : offset + 1] != [value]
            ),
            doubled=tuple(value for value, times in Counter(values).items() if times > 1),
            disordered=tuple(value for log in self._log.values() for value in _disordered(log)),
            unread=tuple(
                (protocol, value)
                for protocol, seen in self._read.items()
                for value in sorted(set(values) - seen)
            ),
        )

    # those who write

    def _write(self) -> None:
        numbers = count()
        with Producer(self._bootstrap, **PATIENT) as producer:
            while not self._is_over.wait(PAUSE_S):
                sent = []
                for _ in range(AT_ONCE):
                    value = _value(WRITERS[0], next(numbers))
                    sent.append((value, producer.send(self._topic, value)))
                for value, delivery in sent:
                    self._note(value, delivery.result())

    async def _write_on_a_loop(self) -> None:
        numbers = count()
        async with AsyncProducer(self._bootstrap, **PATIENT) as producer:
            while not self._is_over.is_set():
                sent = []
                for _ in range(AT_ONCE):
                    value = _value(WRITERS[1], next(numbers))
                    sent.append((value, await producer.send(self._topic, value)))
                for value, delivery in sent:
                    self._note(value, await delivery)
                await asyncio.sleep(PAUSE_S)

    def _note(self, value: bytes, where: RecordMetadata) -> None:
        self.acknowledged[value] = (where.partition, where.offset)

    # those who read

    def _follow(self, protocol: str) -> None:
        with Consumer(
            self._bootstrap,
            group_id=f"billing-{protocol}",
            group_protocol=protocol,
            auto_offset_reset="earliest",
        ) as member:
            member.subscribe(self._topic)
            while not self._has_all.is_set():
                self._read[protocol] |= {record.value for record in member.poll(0.2)}

    def _read_all(self) -> dict[int, list[bytes]]:
        log: dict[int, list[bytes]] = defaultdict(list)
        with Consumer(self._bootstrap, auto_offset_reset="earliest") as reader:
            reader.assign(self._topic)
            ends = reader.end_offsets(self._topic)
            while any(reader.position(part) < end for part, end in ends.items()):
                for record in reader.poll(0.2):
                    log[record.partition].append(record.value)
        return log

    def _wait_for_groups(self) -> None:
        count_of_all = sum(map(len, self._log.values()))
        deadline = time.monotonic() + PATIENCE_S
        while any(len(seen) < count_of_all for seen in self._read.values()):
            if time.monotonic() > deadline:
                return  # the verdict names what is missing
            time.sleep(PAUSE_S)


def _value(writer: str, number: int) -> bytes:
    return f"{writer} {number:09}".encode()


def _disordered(log: list[bytes]) -> list[bytes]:
    """Values before which a later one of the same writer stands."""
    found, last = [], dict.fromkeys(WRITERS, b"")
    for value in log:
        writer = value.decode().rpartition(" ")[0]
        if value < last[writer]:
            found.append(value)
        last[writer] = value
    return found
