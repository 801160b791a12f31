"""Records by their offsets, without a consumer: a page of a partition, and a link to the next one.

Nothing is kept between requests, so any proxy answers any page. What is committed does not change,
so a page has an `ETag` of its topic's id and its offsets, and one that is full may be cached. Where
a topic is compacted a page has fewer records than offsets.

A client that accepts Arrow's stream gets the same page as columns, and the next one in the header
`Link`.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final, NamedTuple
from urllib.parse import urlencode

from moldau.client import ConsumerRecord, TopicPartition
from moldau.client.arguments.consumer import ARROW_COLUMNS, DECODER
from moldau.client.core.consuming.records import records_of
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.rest.bodies import number_in_path, reply
from moldau.programs.rest.formats import READERS
from moldau.programs.rest.links import Json, Links
from moldau.programs.rest.refusals import absent, bad_request
from moldau.programs.rest.scope import Scope
from moldau.programs.rest.times import iso_time
from moldau.programs.rest.v3.columns import ARROW, ensure_arrow
from moldau.programs.rest.v3.topics import TOPIC

__all__ = ["RecordRoutes", "record_json"]

COUNT: Final = 100
COUNT_MAX: Final = 10_000
BYTES_MAX: Final = 16 * 1024 * 1024
"""Of keys and values in a page."""
COMMITTED: Final = "read_committed"
CACHED: Final = "private, max-age=3600, immutable"
ASKED_AGAIN: Final = "private, no-cache"
BINARY: Final = "BINARY"
NOT_ACCEPTABLE: Final = 406


class _Page(NamedTuple):
    """What is asked for, and what there is of it."""

    part: TopicPartition
    topic_id: str
    start: int
    end: int
    """Behind the last offset; not above what is committed."""
    count_max: int
    format: str

    @property
    def is_full(self) -> bool:
        return self.end == self.start + self.count_max

    @property
    def etag(self) -> str:
        number = self.part.partition
        return f'W/"{self.topic_id}-{number}-{self.start}-{self.end}-{self.format}"'


class RecordRoutes:
    """See the head of the file."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def routes(self) -> list[Route]:
        return [Route("GET", f"{TOPIC}/partitions/{{partition_id}}/records", self.page)]

    async def page(self, request: Request) -> Response:
        links = await self._scope.links(request)
        is_arrow = ARROW in request.headers.get("accept", "")
        if is_arrow:
            ensure_arrow(NOT_ACCEPTABLE)
        page = await self._page(request)
        page = page._replace(format="ARROW") if is_arrow else page
        headers = {
            "ETag": page.etag,
            "Cache-Control": CACHED if page.is_full else ASKED_AGAIN,
            "Vary": "Accept",
        }
        if page.etag in request.headers.get("if-none-match", ""):
            return Response(status=304, headers=headers)
        if is_arrow:
            body, end = await self._columns(page)
            following = f'<{_link(links, page, end)}>; rel="next"'
            return Response(body, 200, ARROW, {**headers, "Link": following})
        records, end = await self._records(page)
        response = reply(_json(links, page, records, end))
        response.headers = headers
        return response

    async def _page(self, request: Request) -> _Page:
        view = await self._scope.topic(request.parameters["topic_name"])
        number = number_in_path(request, "partition_id", "Partition")
        if number >= len(view.partitions):
            raise absent(f"Partition {number}")
        data_format = (request.one("format") or BINARY).upper()
        if data_format not in READERS:
            raise bad_request(f"format is one of {', '.join(READERS)}")
        part, count = TopicPartition(view.name, number), request.number("count", COUNT)
        if not 0 < count <= COUNT_MAX:
            raise bad_request(f"count is 1 to {COUNT_MAX}")
        connection = await self._scope.clients.connection()
        first = (await connection.earliest([part]))[part]
        last = (await connection.latest([part], COMMITTED))[part]
        start = request.number("offset", first)
        if not first <= start <= last:
            raise HttpError(404, f"{part} has offsets from {first} to {last}, and not {start}")
        return _Page(part, view.topic_id, start, min(start + count, last), count, data_format)

    async def _records(self, page: _Page) -> tuple[list[ConsumerRecord], int]:
        """With the offset at which the next page begins."""
        found: list[ConsumerRecord] = []
        left = BYTES_MAX
        connection = await self._scope.clients.connection()
        reading = connection.read(page.part, page.start, page.end, COMMITTED, BYTES_MAX)
        try:
            async for chunk in reading:
                for records in records_of(chunk, check_checksums=True):
                    for record in records:
                        left -= len(record.key or b"") + len(record.value or b"")
                        if left < 0 and found:
                            return found, record.offset
                        found.append(record)
        finally:
            reading.close()
        return found, page.end

    async def _columns(self, page: _Page) -> tuple[bytes, int]:
        """The same as a stream of Arrow; whole chunks of a fetch."""
        arrow = import_module(DECODER)
        decoder = arrow.ChunkDecoder(ARROW_COLUMNS, check_checksums=True)
        connection = await self._scope.clients.connection()
        reading = connection.read(page.part, page.start, page.end, COMMITTED, BYTES_MAX)
        found, size, end = [], 0, page.end
        try:
            async for chunk in reading:
                some = decoder.decode_all(chunk)
                found += some
                size += sum(batch.nbytes for batch in some)
                if size >= BYTES_MAX:
                    end = chunk.end
                    break
        finally:
            reading.close()
        body: bytes = arrow.stream_of(found, ARROW_COLUMNS)
        return body, end


def _link(links: Links, page: _Page, offset: int) -> str:
    topic, number = page.part
    here = links.to("topics", topic, "partitions", number, "records")
    shape: dict[str, object] = {"offset": offset, "count": page.count_max}
    if page.format in READERS:
        shape |= {"format": page.format.lower()}
    return f"{here}?{urlencode(shape)}"


def _json(links: Links, page: _Page, records: list[ConsumerRecord], end: int) -> Json:
    ends = {"self": _link(links, page, page.start), "next": _link(links, page, end)}
    return {
        "kind": "KafkaRecordList",
        "metadata": ends,
        "data": [record_json(record, page.format) for record in records],
    }


def record_json(record: ConsumerRecord, data_format: str) -> Json:
    headers = [
        {"name": name, "value": None if value is None else READERS[BINARY](value)}
        for name, value in record.headers
    ]
    return {
        "partition_id": record.partition,
        "offset": record.offset,
        "timestamp": iso_time(record.timestamp),
        "headers": headers,
        "key": _data(record.key, data_format),
        "value": _data(record.value, data_format),
    }


def _data(data: bytes | None, data_format: str) -> Mapping[str, object] | None:
    """In the format that is asked for; in base64 what is not of it."""
    if data is None:
        return None
    try:
        return {"type": data_format, "data": READERS[data_format](data)}
    except HttpError:
        return {"type": BINARY, "data": READERS[BINARY](data)}
