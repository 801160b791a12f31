"""A live tail: records as they are appended, as events that a browser reads (server-sent events).

It is bounded in each way: records a turn, so that a page is not flooded and the broker not read
faster than the page takes them; time, after which the page connects again; and the number of tails.
Where records come faster than they are shown, the rest is left out and counted. Each event names
the offsets that come next, so that a page whose connection was lost goes on where it was.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator
from typing import Final

from moldau.client import ConsumerRecord, TopicPartition
from moldau.client.aio import AsyncConnection
from moldau.client.aio.connection import AsyncReading
from moldau.client.core.consuming.records import records_of
from moldau.client.core.fetching.reading import ENDLESS
from moldau.errors import MoldauError
from moldau.platform.ports.tasks import Task
from moldau.programs.console.api.operations import FORMAT_PARAMETERS, Operation, Parameter
from moldau.programs.console.api.refusals import no_partition
from moldau.programs.console.formats.offered import Chosen
from moldau.programs.console.reach import Reach
from moldau.programs.console.topics.places import places_of, text_of
from moldau.programs.console.values.values import shown_record
from moldau.programs.http.json_bodies import json_bytes
from moldau.programs.http.messages import HttpError, Request, Response

__all__ = ["EVENTS", "Tails", "event", "event_of"]

EVENTS: Final = "text/event-stream"
TURN_MS: Final = 250
RECORDS_A_TURN: Final = 50
BYTES_A_TURN: Final = 4 * 1024 * 1024
"""Of keys and values that wait; a single record may be more."""
TAILS_MAX: Final = 32
TURNS_MAX: Final = 4 * 60 * 15
"""A quarter of an hour; the browser then connects again."""
TURNS_BETWEEN_BEATS: Final = 20
"""An event without records, by which a lost connection is noticed."""
CHUNK_BYTES: Final = 1024 * 1024
PARTITIONS_MAX: Final = 100


class Tails:
    """All that are open."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._open = 0

    def operations(self) -> list[Operation]:
        query = (
            Parameter("partition", "integer", "only this one"),
            Parameter("after", "string", "go on from these offsets, such as 0:12,1:7"),
            *FORMAT_PARAMETERS,
        )
        path = "/api/topics/{topic}/tail"
        return [Operation("GET", path, self.tail, "New records", query, media_type=EVENTS)]

    async def tail(self, request: Request) -> Response:
        if self._open >= TAILS_MAX:
            raise HttpError(429, f"{TAILS_MAX} live tails are open: close one of them")
        chosen = self._reach.chosen(request)
        view = await self._reach.topic(request.parameters["topic"])
        wanted = request.one("partition")
        parts = [
            TopicPartition(view.name, one.partition)
            for one in view.partitions
            if not wanted or wanted == str(one.partition)
        ]
        if not parts:
            raise no_partition(view.name, wanted or "", len(view.partitions))
        if len(parts) > PARTITIONS_MAX:
            raise HttpError(400, f"Choose a partition: a live tail reads {PARTITIONS_MAX} at most")
        connection = await self._reach.clients.connection()
        before = request.one("after") or request.headers.get("last-event-id")
        starts = await connection.latest(parts)
        if before:
            first = await connection.earliest(parts)
            starts = {**starts, **places_of(before, view.name, first, starts)}
        return Response(
            media_type=EVENTS,
            headers={"Cache-Control": "no-store"},
            pieces=self._events(view.name, _Feed(self._reach, connection, starts), chosen),
        )

    async def _events(self, topic: str, feed: _Feed, chosen: Chosen) -> AsyncIterator[bytes]:
        self._open += 1
        feed.begin()
        try:
            yield event("ready", {})
            for turn in range(TURNS_MAX):
                await self._reach.tasks.sleep(TURN_MS)
                found, missed, places = feed.taken()
                is_beat = turn % TURNS_BETWEEN_BEATS == 0
                failure = feed.failure or (await self._why_gone(topic) if is_beat else None)
                if failure is not None:
                    yield event("failed", {"message": failure})
                    return
                if found or is_beat:
                    masks = self._reach.settings.masks
                    readings = await self._reach.readings(topic, found, chosen)
                    shown = [shown_record(one, masks, readings) for one in found]
                    yield event("records", {"records": shown, "missed": missed}, places)
        finally:
            self._open -= 1
            feed.end()

    async def _why_gone(self, topic: str) -> str | None:
        """A reader goes on asking for a topic that is deleted, until its patience ends."""
        try:
            await self._reach.topic(topic)
        except HttpError as gone:
            return str(gone)
        except MoldauError:
            return None  # a broker that cannot be asked may come back
        return None


class _Feed:
    """What comes from the brokers, up to a turn's worth."""

    def __init__(
        self, reach: Reach, connection: AsyncConnection, starts: dict[TopicPartition, int]
    ) -> None:
        self.failure: str | None = None
        self._reach = reach
        self._connection = connection
        self._places = dict(starts)
        self._waiting: deque[ConsumerRecord] = deque()
        self._waiting_bytes = 0
        self._missed = 0
        self._tasks: list[Task] = []
        self._readings: list[AsyncReading] = []

    def begin(self) -> None:
        for part, start in self._places.items():
            self._tasks.append(
                self._reach.tasks.spawn(f"tail of {part}", self._follow(part, start))
            )

    def end(self) -> None:
        for reading in self._readings:
            reading.close()
        for task in self._tasks:
            task.cancel()

    def taken(self) -> tuple[list[ConsumerRecord], int, str]:
        """Records, how many more there were, and the offsets that come next."""
        found, missed = list(self._waiting), self._missed
        self._waiting.clear()
        self._waiting_bytes = self._missed = 0
        return found, missed, text_of(self._places)

    async def _follow(self, part: TopicPartition, start: int) -> None:
        reading = self._connection.read(part, start, ENDLESS, None, CHUNK_BYTES)
        self._readings.append(reading)
        try:
            async for chunk in reading:
                for records in records_of(chunk, check_checksums=True):
                    for record in records:
                        self._put(record)
                self._places[part] = chunk.end
                if len(self._waiting) >= RECORDS_A_TURN or self._waiting_bytes >= BYTES_A_TURN:
                    await self._reach.tasks.sleep(TURN_MS)  # the broker is not read faster
        except MoldauError as error:
            self.failure = str(error)

    def _put(self, record: ConsumerRecord) -> None:
        """In the place of the oldest ones, where there is no room."""
        self._waiting.append(record)
        self._waiting_bytes += _size(record)
        while len(self._waiting) > RECORDS_A_TURN or (
            self._waiting_bytes > BYTES_A_TURN and len(self._waiting) > 1
        ):
            self._waiting_bytes -= _size(self._waiting.popleft())
            self._missed += 1


def _size(record: ConsumerRecord) -> int:
    return len(record.key or b"") + len(record.value or b"")


def event(name: str, value: object, identity: str | None = None) -> bytes:
    """One of the stream; a browser that connects again sends the last identity."""
    return event_of(name, json_bytes(value), identity)


def event_of(name: str, text: bytes, identity: str | None = None) -> bytes:
    """The same of what is JSON already, on one line."""
    known = "" if identity is None else f"id: {identity}\n"
    return b"%bevent: %b\ndata: %b\n\n" % (known.encode(), name.encode(), text)
