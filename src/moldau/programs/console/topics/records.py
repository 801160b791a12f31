"""Records of a topic, a page at a time: back from the end, or on from an offset or a time.

A page is at most so many records and so many bytes, however many partitions the topic has, and
names the offsets at which the page after it and the page before it begin. Nothing is kept between
requests. The page goes by time where it has several partitions, as far as records are near.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from heapq import merge
from itertools import islice
from typing import Final, NamedTuple

from moldau.client import ConsumerRecord, TopicPartition
from moldau.client.core.consuming.records import records_of
from moldau.programs.console.api.forms import whole_number
from moldau.programs.console.api.operations import FORMAT_PARAMETERS, Operation, Parameter
from moldau.programs.console.api.refusals import no_partition
from moldau.programs.console.reach import Reach
from moldau.programs.console.topics.places import Offsets, places_of, text_of
from moldau.programs.console.topics.unseen import COMMITTED, Unseen
from moldau.programs.console.values.values import shown_record
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.rest.bodies import reply
from moldau.programs.rest.refusals import bad_request

__all__ = ["RecordPages"]

COUNT: Final = 50
COUNT_MAX: Final = 500
BYTES_MAX: Final = 8 * 1024 * 1024
"""Of keys and values that are read for a page; a single record may be more."""
WIDER: Final = 8
WINDOWS_MAX: Final = 16
"""How many windows of a partition are read for its last records."""
PARTS: Final = ("key", "value")
NO_RECORD: Final = (
    "{} has no record at the offset {}; it has some from {} to below {}, and Messages shows them"
)


class _Page(NamedTuple):
    """The page of records that is asked for."""

    parts: list[TopicPartition]
    first: Offsets
    last: Offsets
    unseen: Unseen
    limit: int

    @property
    def room(self) -> int:
        """Bytes of each partition."""
        return BYTES_MAX // len(self.parts)


class _Wanted(NamedTuple):
    """What is read of one partition."""

    part: TopicPartition
    start: int
    end: int
    limit: int
    room: int
    """Bytes of keys and values."""


class _Window(NamedTuple):
    """Records of one partition between two offsets."""

    records: list[ConsumerRecord]
    is_whole: bool = True
    """False where more records are behind them than there was room for."""


class RecordPages:
    """See the head of the file."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    def operations(self) -> list[Operation]:
        topic = "/api/topics/{topic}/records"
        one = f"{topic}/{{partition}}/{{offset}}"
        return [
            Operation("GET", topic, self.page, "A page of records", QUERY),
            Operation(
                "GET",
                f"{one}/{{part}}",
                self.download,
                "The key or the value of one record, whole",
                media_type="application/octet-stream",
            ),
        ]

    async def page(self, request: Request) -> Response:
        chosen = self._reach.chosen(request)
        page = await self._asked(request)
        newer = await self._newer(request, page)
        if newer is None:
            here = {**page.last, **_places(request.one("before"), page)}
            records = await self._older_page(page, here)
        else:
            here = newer
            records = await self._newer_page(page, here)
        masks, topic = self._reach.settings.masks, page.parts[0].topic
        readings = await self._reach.readings(topic, records, chosen)
        return reply(
            {
                "records": [
                    shown_record(one, masks, readings) | {"unseen": page.unseen.of(one)}
                    for one in records
                ],
                "older": text_of({**here, **_lowest(records)}),
                "newer": text_of({**here, **_behind(records)}),
                "start": text_of(page.first),
                "end": text_of(page.last),
            }
        )

    async def download(self, request: Request) -> Response:
        topic, part = request.parameters["topic"], request.parameters["part"]
        if part not in PARTS:
            raise bad_request("a record has a key and a value to download")
        number = await self._partition(topic, request.parameters["partition"])
        offset = _offset(request.parameters["offset"])
        record = await self._record(TopicPartition(topic, number), offset)
        data = record.key if part == "key" else record.value
        data = self._reach.settings.masks.applied(topic, part, data)
        if data is None:
            raise HttpError(404, f"The record has no {part}; Messages shows what it has")
        name = f"{number}-{offset}.{part}"  # the topic's name is not for a header
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(data, media_type="application/octet-stream", headers=headers)

    async def _partition(self, topic: str, text: str) -> int:
        view = await self._reach.topic(topic)
        numbers = {str(one.partition): one.partition for one in view.partitions}
        if text not in numbers:
            raise no_partition(topic, text, len(numbers))
        return numbers[text]

    async def _record(self, part: TopicPartition, offset: int) -> ConsumerRecord:
        connection = await self._reach.clients.connection()
        first, last = (
            (await connection.earliest([part]))[part],
            (await connection.latest([part]))[part],
        )
        is_there = first <= offset < last
        unseen, wanted = Unseen({part: first}), _Wanted(part, offset, offset + 1, 1, BYTES_MAX)
        found = await self._read(unseen, wanted) if is_there else None
        if found is None or not found.records:
            raise HttpError(404, NO_RECORD.format(part, offset, first, last))
        return found.records[0]

    async def _asked(self, request: Request) -> _Page:
        view = await self._reach.topic(request.parameters["topic"])
        count = whole_number(request, "count", COUNT, COUNT_MAX)
        numbers = [one.partition for one in view.partitions]
        wanted = request.one("partition")
        if wanted:
            if wanted not in map(str, numbers):
                raise no_partition(view.name, wanted, len(numbers))
            numbers = [int(wanted)]
        parts = [TopicPartition(view.name, number) for number in numbers]
        connection = await self._reach.clients.connection()
        first, last = await connection.earliest(parts), await connection.latest(parts)
        unseen = Unseen(await connection.latest(parts, COMMITTED))
        return _Page(parts, first, last, unseen, count)

    async def _newer(self, request: Request, page: _Page) -> Offsets | None:
        """Where reading forward begins; None where it goes back."""
        after, time = request.one("after"), request.one("time")
        if after is not None:
            return {**page.first, **({} if after == "start" else _places(after, page))}
        if time is None:
            return None
        if not (time.isascii() and time.isdecimal() and len(time) < 16):
            raise bad_request("time is in milliseconds since 1970")
        connection = await self._reach.clients.connection()
        found = await connection.at_time(dict.fromkeys(page.parts, int(time)))
        places = {part: offset for part, offset in found.items() if offset is not None}
        return {**page.last, **places}

    async def _newer_page(self, page: _Page, places: Offsets) -> list[ConsumerRecord]:
        found = []
        for part in page.parts:
            end = page.last[part]
            if places[part] < end:
                wanted = _Wanted(part, places[part], end, page.limit, page.room)
                window = await self._read(page.unseen, wanted)
                found.append(window.records)
        return list(islice(merge(*found, key=_order), page.limit))

    async def _older_page(self, page: _Page, places: Offsets) -> list[ConsumerRecord]:
        found = []
        for part in page.parts:
            last = await self._last_before(part, page.first[part], places[part], page)
            found.append(last[::-1])
        return list(islice(merge(*found, key=_order, reverse=True), page.limit))[::-1]

    async def _last_before(
        self, part: TopicPartition, first: int, end: int, page: _Page
    ) -> list[ConsumerRecord]:
        """The last ones, in a window of offsets that ends there.

        It is widened where compaction has left nothing in it, and begins later where its records
        are too large to be read at once.
        """
        start, best = max(first, end - page.limit), []
        for _ in range(WINDOWS_MAX):
            if start >= end:
                break
            wanted = _Wanted(part, start, end, end - start, page.room)
            found, is_whole = await self._read(page.unseen, wanted)
            if not is_whole:
                best, first = found, found[-1].offset + 1
                start = max(first, end - len(found))
            elif found or start == first:
                best = found or best
                break
            else:
                start = max(first, end - WIDER * (end - start))
        return best[-page.limit :]

    async def _read(self, unseen: Unseen, wanted: _Wanted) -> _Window:
        """As many as the room has bytes for, and at least one."""
        found: list[ConsumerRecord] = []
        room = wanted.room
        async with aclosing(self._each(unseen, wanted)) as each:
            async for record in each:
                room -= len(record.key or b"") + len(record.value or b"")
                if room < 0 and found:
                    return _Window(found, is_whole=False)
                found.append(record)
                if len(found) >= wanted.limit:
                    break
        return _Window(found)

    async def _each(self, unseen: Unseen, wanted: _Wanted) -> AsyncGenerator[ConsumerRecord, None]:
        connection = await self._reach.clients.connection()
        part, room = wanted.part, wanted.room
        for start, end, isolation in unseen.ranges(part, wanted.start, wanted.end):
            reading = connection.read(part, start, end, isolation, room)
            try:
                async for chunk in reading:
                    for records in records_of(unseen.whole(chunk), check_checksums=True):
                        for record in records:
                            yield record
            finally:
                reading.close()


def _places(text: str | None, page: _Page) -> Offsets:
    if not text or text == "end":
        return {}
    return places_of(text, page.parts[0].topic, page.first, page.last)


def _offset(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise bad_request(f"{text} is no offset: write a whole number from 0")
    return int(text)


def _order(record: ConsumerRecord) -> tuple[int, int]:
    """Between partitions; within one it goes by offset, so that no page leaves a record out."""
    return record.timestamp, record.partition


def _lowest(records: list[ConsumerRecord]) -> Offsets:
    found: Offsets = {}
    for one in records:
        part = TopicPartition(one.topic, one.partition)
        found[part] = min(found.get(part, one.offset), one.offset)
    return found


def _behind(records: list[ConsumerRecord]) -> Offsets:
    found: Offsets = {}
    for one in records:
        part = TopicPartition(one.topic, one.partition)
        found[part] = max(found.get(part, 0), one.offset + 1)
    return found


QUERY: Final[tuple[Parameter, ...]] = (
    Parameter("partition", "integer", "only this one"),
    Parameter("count", "integer", f"{COUNT} unless given, at most {COUNT_MAX}"),
    Parameter("before", "string", "offsets below which the page lies: 0:12,1:7; the end"),
    Parameter("after", "string", "offsets from which it goes on; `start` is the beginning"),
    Parameter("time", "integer", "the first records that are not older, in ms since 1970"),
    *FORMAT_PARAMETERS,
)
