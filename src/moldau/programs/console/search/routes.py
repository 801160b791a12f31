"""The route of searches: progress and result as events; who closes the connection cancels."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Final

from moldau.client import TopicPartition
from moldau.client.core.fetching.chunk import Chunk
from moldau.client.core.fetching.reading import ENDLESS
from moldau.client.core.producing.murmur2 import keyed_partition
from moldau.errors import MoldauError
from moldau.programs.console.api.operations import FORMAT_PARAMETERS, Operation, Parameter
from moldau.programs.console.formats.offered import Chosen
from moldau.programs.console.reach import Reach
from moldau.programs.console.search.decoded import SearchFormats
from moldau.programs.console.search.process import Plan, SearchProcess, SearchProcesses
from moldau.programs.console.search.query import Bounds
from moldau.programs.console.topics.tail import EVENTS, event, event_of
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.rest.refusals import bad_request

__all__ = ["Searches", "SearchesOfAll", "places_of"]

SEARCHES_MAX: Final = 2
"""At once and of one user: each takes a process, and a share of what the brokers can send."""
ALL_SEARCHES_MAX: Final = 4
"""Of all users: each may need all the memory that its process has."""
QUERY_MAX: Final = 10_000
FILTER_MAX: Final = 4_000
TURN_MS: Final = 100
TURNS_UNTIL_ENDED: Final = 10
TURNS_MAX: Final = 10 * 60 * 5
"""Five minutes."""
FULL_MS: Final = 10
BEGIN_MS: Final = 30_000
"""A search whose events are not read by then is over: its browser has gone."""
Ranges = dict[TopicPartition, tuple[int, int]]


class SearchesOfAll:
    """Those of one console, of all its users."""

    def __init__(self) -> None:
        self.count = 0
        self.processes = SearchProcesses()

    async def close(self) -> None:
        """End them, and return when none of their processes is left."""
        await self.processes.close()


class Searches:
    """Those of one user."""

    def __init__(self, reach: Reach, of_all: SearchesOfAll) -> None:
        self._reach = reach
        self._of_all = of_all
        self._running = 0

    def operations(self) -> list[Operation]:
        query = (
            Parameter("query", "string", 'select … from "topic" where …'),
            Parameter(
                "filter", "string", "only records that fit this condition in CEL, on `record`"
            ),
            *FORMAT_PARAMETERS,
        )
        path = "/api/search"
        return [Operation("GET", path, self.search, "Search by SQL", query, media_type=EVENTS)]

    async def search(self, request: Request) -> Response:
        text = request.one("query") or ""
        if not 0 < len(text) <= QUERY_MAX:
            raise bad_request(f"a query has 1 to {QUERY_MAX} letters")
        kept = (request.one("filter") or "").strip()
        if len(kept) > FILTER_MAX:
            raise bad_request(f"a filter has {FILTER_MAX} letters at most")
        chosen = self._reach.chosen(request)
        if (full := await self._still_full()) is not None:
            raise HttpError(429, full)
        search = await self._begun(text, kept, chosen)
        return Response(
            media_type=EVENTS,
            headers={"Cache-Control": "no-store"},
            pieces=self._events(search),
        )

    async def _begun(self, text: str, kept: str, chosen: Chosen) -> _Search:
        """In its process, which has read the query; counted from here until it is left."""
        self._running += 1
        self._of_all.count += 1
        run: SearchProcess | None = None
        try:
            run = await self._of_all.processes.start(self._ended)
            connection = await self._reach.clients.connection()
            is_checked = connection.settings.check_crcs
            settings = self._reach.settings
            masks = settings.masks
            formats = SearchFormats(settings.formats.offers, chosen, settings.usual)
            plan = await run.planned(text, masks, formats, kept, check_checksums=is_checked)
            return _Search(self._reach, run, await self._ranges(plan))
        except BaseException:
            self._ended() if run is None else run.cancel()
            raise

    def _ended(self) -> None:
        self._running -= 1
        self._of_all.count -= 1

    async def _events(self, search: _Search) -> AsyncIterator[bytes]:
        search.begin()
        try:
            for _ in range(TURNS_MAX):
                await self._reach.tasks.sleep(TURN_MS)
                yield event("progress", search.progress())
                if search.failure is not None:
                    yield event("failed", {"message": search.failure})
                    return
                if search.result is not None:
                    yield event_of("result", search.result)
                    return
            yield event("failed", {"message": "The search took too long: narrow it by offset"})
        finally:
            search.run.cancel()

    async def _still_full(self) -> str | None:
        """The same after some turns, in which one that was left just now has ended."""
        for _ in range(TURNS_UNTIL_ENDED):
            if self._full() is None:
                return None
            await self._reach.tasks.sleep(TURN_MS)
        return self._full()

    def _full(self) -> str | None:
        """Why no other search may begin, where that is so."""
        if self._running >= SEARCHES_MAX:
            return f"{SEARCHES_MAX} searches run already: wait for one, or stop it"
        if self._of_all.count >= ALL_SEARCHES_MAX:
            return f"{ALL_SEARCHES_MAX} searches of all users run already: try again in a moment"
        return None

    async def _ranges(self, plan: Plan) -> Ranges:
        topic, bounds, since_ms = plan
        view = await self._reach.topic(topic)
        parts = [TopicPartition(topic, one.partition) for one in view.partitions]
        connection = await self._reach.clients.connection()
        first, last = await connection.earliest(parts), await connection.latest(parts)
        if since_ms is not None and since_ms > 0:
            found = await connection.at_time(dict.fromkeys(parts, since_ms))
            first = {
                part: last[part] if (offset := found[part]) is None else max(first[part], offset)
                for part in parts
            }
        return places_of(bounds, first, last)


def places_of(
    bounds: Bounds, first: Mapping[TopicPartition, int], last: Mapping[TopicPartition, int]
) -> Ranges:
    """Where to read, that partition first into which Kafka's partitioner puts the key."""
    parts = [part for part in first if bounds.partition in (None, part.partition)]
    if bounds.key is not None:
        likely = keyed_partition(bounds.key.encode(), len(first))
        parts.sort(key=lambda part: part.partition != likely)
    found = {part: (max(first[part], bounds.start), min(last[part], bounds.end)) for part in parts}
    return {part: (start, end) for part, (start, end) in found.items() if start < end}


class _Search:
    """What reads for a query, and what is known of it."""

    def __init__(self, reach: Reach, run: SearchProcess, ranges: Ranges) -> None:
        self.run = run
        self.result: bytes | None = None
        """As JSON."""
        self.failure: str | None = None
        self._reach = reach
        self._ranges = ranges
        self._done = 0
        self._all = sum(end - start for start, end in ranges.values())
        self._not_begun = reach.tasks.after(BEGIN_MS, run.cancel)

    def begin(self) -> None:
        self._not_begun.cancel()
        self._reach.tasks.spawn("a query", self._answer())
        self._reach.tasks.spawn("records of a query", self._read())

    def progress(self) -> dict[str, int]:
        return {"read": min(self._done, self._all), "of": self._all}

    async def _answer(self) -> None:
        try:
            self.result = await self.run.run()
        except MoldauError as error:
            self.failure = self.failure or str(error)

    async def _read(self) -> None:
        try:
            for part, (start, end) in self._ranges.items():
                if not self.run.is_over:
                    await self._read_one(part, start, end)
        except MoldauError as error:
            self.failure = str(error)
        else:
            await self.run.feed(None)

    async def _read_one(self, part: TopicPartition, start: int, end: int) -> None:
        connection = await self._reach.clients.connection()
        before = self._done
        reading = connection.read(part, start, min(end, ENDLESS))
        try:
            async for chunk in reading:
                if not await self._fed(chunk):
                    return
                self._done = before + chunk.end - start
        finally:
            reading.close()
        self._done = before + end - start

    async def _fed(self, chunk: Chunk) -> bool:
        """Once there is room for it; False where no more is wanted."""
        while not self.run.has_room:
            if self.run.is_over:
                return False
            await self._reach.tasks.sleep(FULL_MS)
        await self.run.feed(chunk)
        return not self.run.is_over
