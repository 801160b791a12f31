"""Records as they are committed, as events that a browser reads (server-sent events).

    GET /v3/clusters/-/topics/orders/records?from=earliest

    id: 0:13,1:7
    event: record
    data: {"partition_id":0,"offset":12,…}

The id of an event has the offset of each partition at which it goes on behind that event. A browser
that has lost its connection shows the last one (`Last-Event-ID`), and any proxy goes on from there:
nothing is kept between connections, so no record is left out or comes twice. As much is read as the
client takes.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import AsyncIterator, Mapping
from typing import Final, NamedTuple

from moldau.client import ConsumerRecord, TopicPartition
from moldau.client.aio import AsyncConnection
from moldau.client.aio.connection import AsyncReading
from moldau.client.core.consuming.records import records_of
from moldau.client.core.fetching.reading import ENDLESS
from moldau.errors import MoldauError
from moldau.platform.ports.tasks import Promise, Task, Tasks
from moldau.programs.http.json_bodies import json_bytes
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.rest.formats import READERS
from moldau.programs.rest.refusals import bad_request
from moldau.programs.rest.scope import Scope
from moldau.programs.rest.v3.records import record_json
from moldau.programs.rest.v3.topics import TOPIC

__all__ = ["EventRoutes", "Vector", "read_vector", "vector_text"]

EVENTS: Final = "text/event-stream"
STREAMS_MAX: Final = 64
"""Of one user; each holds a fetch at every broker that it reads from."""
PARTITIONS_MAX: Final = 100
CHUNK_BYTES: Final = 64 * 1024
"""Of a partition that wait for the client, unless one record is larger."""
BEAT_MS: Final = 15_000
"""After so long without records a comment is sent, by which a lost connection is noticed."""
BEAT: Final = b":\n\n"
COMMITTED: Final = "read_committed"
ONE_PLACE: Final = re.compile(r"([0-9]{1,9}):([0-9]{1,19})")
STARTS: Final = ("earliest", "latest")
Vector = dict[int, int]
"""The next offset, by partition."""


class _Asked(NamedTuple):
    """What a stream begins with."""

    topic: str
    starts: Vector
    skipped: Mapping[int, tuple[int, int]]
    """Offsets that were asked for and are gone, and where it goes on instead."""
    format: str


class EventRoutes:
    """See the head of the file."""

    def __init__(self, scope: Scope, tasks: Tasks) -> None:
        self._scope = scope
        self._tasks = tasks
        self._open = 0

    def routes(self) -> list[Route]:
        return [Route("GET", f"{TOPIC}/records", self.stream)]

    async def stream(self, request: Request) -> Response:
        await self._scope.links(request)
        if self._open >= STREAMS_MAX:
            raise HttpError(429, f"{STREAMS_MAX} streams are open: close one of them")
        asked = await self._asked(request)
        connection = await self._scope.clients.connection()
        feed = _Feed(self._tasks, connection, asked)
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return Response(media_type=EVENTS, headers=headers, pieces=self._events(feed, asked))

    async def _asked(self, request: Request) -> _Asked:
        view = await self._scope.topic(request.parameters["topic_name"])
        data_format = (request.one("format") or "BINARY").upper()
        if data_format not in READERS:
            raise bad_request(f"format is one of {', '.join(READERS)}")
        begin = request.one("from") or "latest"
        if begin not in STARTS:
            raise bad_request(f"from is one of {', '.join(STARTS)}")
        numbers = _chosen(request.query.get("partition_id", ()), len(view.partitions))
        parts = [TopicPartition(view.name, number) for number in numbers]
        connection = await self._scope.clients.connection()
        first = await connection.earliest(parts)
        last = await connection.latest(parts, COMMITTED)
        known = read_vector(
            request.headers.get("last-event-id", "") or request.one("offsets") or ""
        )
        starts, skipped = {}, {}
        for part in parts:
            default = first[part] if begin == "earliest" else last[part]
            wanted = known.get(part.partition, default)
            starts[part.partition] = max(wanted, first[part])
            if wanted < first[part]:
                skipped[part.partition] = wanted, first[part]
        return _Asked(view.name, starts, skipped, data_format)

    async def _events(self, feed: _Feed, asked: _Asked) -> AsyncIterator[bytes]:
        self._open += 1
        feed.begin()
        try:
            yield _event("ready", vector_text(feed.position), {})
            for number, (wanted, found) in asked.skipped.items():
                text = {"partition_id": number, "from": wanted, "to": found}
                yield _event("skipped", vector_text(feed.position), text)
            while feed.failure is None:
                pieces = await feed.next_events()
                yield pieces or BEAT
            yield _event("failed", vector_text(feed.position), {"message": feed.failure})
        finally:
            self._open -= 1
            feed.end()


class _Feed:
    """What comes from the brokers; a chunk of each partition waits for the client at most."""

    def __init__(self, tasks: Tasks, connection: AsyncConnection, asked: _Asked) -> None:
        self.failure: str | None = None
        self.position: Vector = dict(asked.starts)
        self._asked = asked
        self._tasks = tasks
        self._connection = connection
        self._waiting: deque[tuple[list[ConsumerRecord], int, int, Promise[None]]] = deque()
        self._arrived: Promise[None] | None = None
        self._running: list[Task] = []
        self._readings: list[AsyncReading] = []

    def begin(self) -> None:
        for number, start in self._asked.starts.items():
            part = TopicPartition(self._asked.topic, number)
            self._running.append(self._tasks.spawn(f"events of {part}", self._follow(part, start)))

    def end(self) -> None:
        for reading in self._readings:
            reading.close()
        for task in self._running:
            task.cancel()

    async def next_events(self) -> bytes:
        """Of one chunk, as soon as there is one; empty after a while without."""
        if not self._waiting:
            self._arrived = self._tasks.promise()
            try:
                async with self._tasks.deadline(BEAT_MS):
                    await self._arrived.wait()
            except TimeoutError:
                return b""
            finally:
                self._arrived = None
        if not self._waiting:
            return b""
        records, partition, end, taken = self._waiting.popleft()
        taken.keep(None)
        pieces = []
        for record in records:
            is_last = record is records[-1]
            self.position[partition] = end if is_last else record.offset + 1
            shown = record_json(record, self._asked.format)
            pieces.append(_event("record", vector_text(self.position), shown))
        return b"".join(pieces)

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
            self._wake()

    async def _hand_over(self, records: list[ConsumerRecord], partition: int, end: int) -> None:
        taken: Promise[None] = self._tasks.promise()
        self._waiting.append((records, partition, end, taken))
        self._wake()
        await taken.wait()

    def _wake(self) -> None:
        if self._arrived is not None and not self._arrived.is_settled():
            self._arrived.keep(None)


def _chosen(given: object, count: int) -> list[int]:
    """The partitions that a query names, or all."""
    texts = [str(text) for text in given] if isinstance(given, list) else []
    numbers = [int(text) for text in texts if text.isascii() and text.isdecimal()]
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


def _event(name: str, vector: str, value: object) -> bytes:
    """JSON has no line ends."""
    return b"id: %b\nevent: %b\ndata: %b\n\n" % (vector.encode(), name.encode(), json_bytes(value))
