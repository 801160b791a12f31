"""What a topic sends as it is committed, from a place on: for events and for sockets.

A place is a vector: the offset at which it goes on, of each partition. It comes with all that is
sent, so a client that lost its connection begins there again, at any proxy, and nothing is kept
between connections. A chunk of each partition waits for the client at most: as much is read as it
takes.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import AsyncGenerator, Mapping
from typing import Final, NamedTuple

from moldau.client import ConsumerRecord, TopicPartition
from moldau.client.aio import AsyncConnection
from moldau.client.aio.connection import AsyncReading
from moldau.client.core.consuming.records import records_of
from moldau.client.core.fetching.reading import ENDLESS
from moldau.errors import MoldauError
from moldau.platform.ports.tasks import Promise, Task, Tasks
from moldau.programs.http.messages import HttpError, Request
from moldau.programs.rest.formats import READERS
from moldau.programs.rest.refusals import bad_request
from moldau.programs.rest.scope import Scope
from moldau.programs.rest.times import time_ms
from moldau.programs.rest.v3.records import record_json

__all__ = ["Event", "Feed", "Vector", "chosen", "read_vector", "vector_text"]

STREAMS_MAX: Final = 64
"""Of one user; each holds a fetch at every broker that it reads from."""
PARTITIONS_MAX: Final = 100
CHUNK_BYTES: Final = 64 * 1024
"""Of a partition that wait for the client, unless one record is larger."""
BEAT_MS: Final = 15_000
"""After so long without records an empty list comes, by which a lost connection is noticed."""
COMMITTED: Final = "read_committed"
ONE_PLACE: Final = re.compile(r"([0-9]{1,9}):([0-9]{1,19})")
PARTITION: Final = re.compile(r"[0-9]{1,10}")
EARLIEST, LATEST = "earliest", "latest"
DIGITS_MAX: Final = 18
"""Of milliseconds, which stay below 2^63."""
Vector = dict[int, int]
"""The next offset, by partition."""


class Event(NamedTuple):
    """A record, or `ready`, `skipped` or `failed`."""

    vector: str
    """Where it goes on behind this one."""
    name: str
    data: object


class _Asked(NamedTuple):
    """What a stream begins with."""

    topic: str
    starts: Vector
    skipped: Mapping[int, tuple[int, int]]
    """Offsets that were asked for and are gone, and where it goes on instead."""
    format: str


class Feed:
    """What comes from the brokers."""

    def __init__(
        self, scope: Scope, tasks: Tasks, connection: AsyncConnection, asked: _Asked
    ) -> None:
        self.failure: str | None = None
        self.position: Vector = dict(asked.starts)
        self._scope = scope
        self._asked = asked
        self._tasks = tasks
        self._connection = connection
        self._waiting: deque[tuple[list[ConsumerRecord], int, int, Promise[None]]] = deque()
        self._arrived: Promise[None] | None = None
        self._running: list[Task] = []
        self._readings: list[AsyncReading] = []

    @classmethod
    async def of(cls, scope: Scope, tasks: Tasks, request: Request) -> Feed:
        """Of the topic in the path, from where the query has it begin; or a refusal."""
        await scope.links(request)
        if scope.streams >= STREAMS_MAX:
            raise HttpError(429, f"{STREAMS_MAX} streams are open: close one of them")
        asked = await _asked(scope, request)
        return cls(scope, tasks, await scope.clients.connection(), asked)

    async def events(self) -> AsyncGenerator[list[Event], None]:
        """Without an end, unless reading fails; an empty list after a while without any."""
        self._begin()
        try:
            yield [self._event("ready", {}), *self._skipped()]
            while self.failure is None:
                yield await self._next()
            yield [self._event("failed", {"message": self.failure})]
        finally:
            self._end()

    def wake(self) -> None:
        """Let an empty list come now."""
        if self._arrived is not None and not self._arrived.is_settled():
            self._arrived.keep(None)

    def _begin(self) -> None:
        self._scope.streams += 1
        for number, start in self._asked.starts.items():
            part = TopicPartition(self._asked.topic, number)
            self._running.append(self._tasks.spawn(f"events of {part}", self._follow(part, start)))

    def _end(self) -> None:
        self._scope.streams -= 1
        for reading in self._readings:
            reading.close()
        for task in self._running:
            task.cancel()

    def _skipped(self) -> list[Event]:
        return [
            self._event("skipped", {"partition_id": number, "from": wanted, "to": found})
            for number, (wanted, found) in self._asked.skipped.items()
        ]

    def _event(self, name: str, data: object) -> Event:
        return Event(vector_text(self.position), name, data)

    async def _next(self) -> list[Event]:
        """Of one chunk, as soon as there is one."""
        if not self._waiting:
            self._arrived = self._tasks.promise()
            try:
                async with self._tasks.deadline(BEAT_MS):
                    await self._arrived.wait()
            except TimeoutError:
                return []
            finally:
                self._arrived = None
        if not self._waiting:
            return []
        records, partition, end, taken = self._waiting.popleft()
        taken.keep(None)
        found = []
        for record in records:
            is_last = record is records[-1]
            self.position[partition] = end if is_last else record.offset + 1
            found.append(self._event("record", record_json(record, self._asked.format)))
        return found

    async def _follow(self, part: TopicPartition, start: int) -> None:
        reading = self._connection.read(part, start, ENDLESS, COMMITTED, CHUNK_BYTES)
        self._readings.append(reading)
        try:
            async for chunk in reading:
                records = [
                    one for found in records_of(chunk, check_checksums=True) for one in found
                ]
                if records:
                    await self._hand_over(records, part.partition, chunk.end)
        except MoldauError as error:
            self.failure = str(error)
            self.wake()

    async def _hand_over(self, records: list[ConsumerRecord], partition: int, end: int) -> None:
        taken: Promise[None] = self._tasks.promise()
        self._waiting.append((records, partition, end, taken))
        self.wake()
        await taken.wait()


async def _asked(scope: Scope, request: Request) -> _Asked:
    view = await scope.topic(request.parameters["topic_name"])
    data_format = (request.one("format") or "BINARY").upper()
    if data_format not in READERS:
        raise bad_request(f"format is one of {', '.join(READERS)}")
    numbers = chosen(request.query.get("partition_id", ()), len(view.partitions))
    parts = [TopicPartition(view.name, number) for number in numbers]
    connection = await scope.clients.connection()
    first = await connection.earliest(parts)
    last = await connection.latest(parts, COMMITTED)
    begins = await _begins(connection, request.one("from") or LATEST, first, last)
    known = read_vector(request.headers.get("last-event-id", "") or request.one("offsets") or "")
    starts, skipped = {}, {}
    for part in parts:
        wanted = known.get(part.partition, begins[part])
        starts[part.partition] = max(wanted, first[part])
        if wanted < first[part]:
            skipped[part.partition] = wanted, first[part]
    return _Asked(view.name, starts, skipped, data_format)


async def _begins(
    connection: AsyncConnection,
    begin: str,
    first: dict[TopicPartition, int],
    last: dict[TopicPartition, int],
) -> dict[TopicPartition, int]:
    """By a word or a time; the end where no record is that late."""
    if begin in (EARLIEST, LATEST):
        return first if begin == EARLIEST else last
    found = await connection.at_time(dict.fromkeys(first, _moment(begin)))
    starts = {part: offset for part, offset in found.items() if offset is not None}
    return {**last, **starts}


def _moment(text: str) -> int:
    is_number = text.isascii() and text.isdecimal() and len(text) <= DIGITS_MAX
    try:
        return time_ms(int(text) if is_number else text)
    except HttpError as error:
        raise bad_request(f"from is {EARLIEST}, {LATEST} or a time: {error}") from None


def chosen(given: object, count: int) -> list[int]:
    """The partitions that a query names, or all."""
    texts = [str(text) for text in given] if isinstance(given, list) else []
    numbers = [int(text) for text in texts if PARTITION.fullmatch(text)]
    if len(numbers) < len(texts) or any(number >= count for number in numbers):
        raise bad_request(f"partition_id is 0 to {count - 1}")
    found = sorted(set(numbers)) or list(range(count))
    if len(found) > PARTITIONS_MAX:
        raise bad_request(f"a stream reads up to {PARTITIONS_MAX} partitions: name partition_id")
    return found


def read_vector(text: str) -> Vector:
    """`0:13,1:7`; empty for nothing, 400 for what is none."""
    found: Vector = {}
    for one in text.split(",") if text else ():
        match = ONE_PLACE.fullmatch(one)
        if match is None:
            raise bad_request("Last-Event-ID has partition:offset, with commas between, as events")
        found[int(match[1])] = int(match[2])
    return found


def vector_text(vector: Vector) -> str:
    return ",".join(f"{partition}:{offset}" for partition, offset in vector.items())
