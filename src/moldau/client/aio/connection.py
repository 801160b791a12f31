"""A client that reads: topics, offsets, records, and offsets kept for a group."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Self

from moldau.client.aio.driver import Driver
from moldau.client.aio.fetching import Fetching, Inbox
from moldau.client.aio.pool import Pool
from moldau.client.aio.world import ClientWorld
from moldau.client.core.fetching.chunk import Chunk
from moldau.client.core.fetching.reading import Reading
from moldau.client.core.ground import Ground
from moldau.client.core.group_offsets import commit_offsets, fetch_offsets
from moldau.client.core.metadata import learn_topics, list_topics
from moldau.client.core.offset_lookups import (
    EARLIEST,
    LATEST,
    NOT_FOUND,
    Isolation,
    look_up_offsets,
)
from moldau.client.settings import ClientSettings
from moldau.client.topic_partition import TopicPartition

__all__ = ["AsyncConnection", "AsyncReading"]


class AsyncReading:
    """The chunks of a partition, one after another: `async for chunk in reading`."""

    def __init__(self, fetching: Fetching | None, reading: Reading) -> None:
        self._fetching = fetching
        self._inbox: Inbox | None = None if fetching is None else fetching.begin(reading)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Chunk:
        chunk = await self.take()
        if chunk is None:
            raise StopAsyncIteration
        return chunk

    async def take(self) -> Chunk | None:
        """The next chunk; None when there is no more."""
        if self._fetching is None or self._inbox is None:
            return None
        return await self._fetching.take(self._inbox)

    def close(self) -> None:
        """No more of it is wanted."""
        if self._fetching is not None and self._inbox is not None:
            self._fetching.leave_off(self._inbox)
        self._inbox = None


class AsyncConnection:
    """Lives on one loop; close it there."""

    def __init__(self, settings: ClientSettings, world: ClientWorld) -> None:
        self.settings = settings
        self._world = world
        self._ground = Ground(settings, world.random)
        self._pool = Pool(world, self._ground)
        self._driver = Driver(world, self._pool, settings.default_api_timeout_ms)
        self._fetchings = {
            isolation: Fetching(world, self._ground, self._pool, self._driver, isolation)
            for isolation in Isolation
        }

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    async def topics(self, pattern: re.Pattern[str] | str | None = None) -> dict[str, list[int]]:
        """All topics but internal ones, or those whose whole name the pattern matches."""
        wanted = None if pattern is None else re.compile(pattern)
        found = await self._driver.hold(list_topics(self._ground, self._world.now_ms()))
        return {
            topic.name: list(topic.leaders)
            for topic in sorted(found, key=lambda topic: topic.name)
            if not topic.is_internal and (wanted is None or wanted.fullmatch(topic.name))
        }

    async def partitions(self, topics: Iterable[str]) -> dict[str, list[int]]:
        """As they are now; `UnknownTopicError` for one that is not there."""
        names = list(dict.fromkeys(topics))
        if not names:
            return {}
        dialogue = learn_topics(self._ground, names, self._world.now_ms())
        return {topic.name: list(topic.leaders) for topic in await self._driver.hold(dialogue)}

    async def earliest(self, parts: Iterable[TopicPartition]) -> dict[TopicPartition, int]:
        """Where the logs begin."""
        return await self._look_up(dict.fromkeys(parts, EARLIEST), Isolation.READ_UNCOMMITTED)

    async def latest(
        self, parts: Iterable[TopicPartition], isolation: Isolation = Isolation.READ_UNCOMMITTED
    ) -> dict[TopicPartition, int]:
        """Where they end: the high watermark, or the last stable offset."""
        return await self._look_up(dict.fromkeys(parts, LATEST), isolation)

    async def at_time(
        self, parts_to_ms: Mapping[TopicPartition, int]
    ) -> dict[TopicPartition, int | None]:
        """The first offset at or after each time; None where no record is that late.

        Times before 1970 are taken for it: below 0 are names of places.
        """
        times = {part: max(time_ms, 0) for part, time_ms in parts_to_ms.items()}
        found = await self._look_up(times, Isolation.READ_UNCOMMITTED)
        return {part: None if offset == NOT_FOUND else offset for part, offset in found.items()}

    def read(
        self, part: TopicPartition, start: int, end: int, isolation: Isolation, max_bytes: int
    ) -> AsyncReading:
        """The records from `start` up to, but without, `end`, in chunks of some `max_bytes`."""
        reading = Reading(part, start, end, max_bytes)
        return AsyncReading(None if reading.is_done else self._fetchings[isolation], reading)

    async def commit(
        self, group: str, offsets: Mapping[TopicPartition, int], metadata: str = ""
    ) -> None:
        """Keep offsets, each being the next to read, under the name of a group without members."""
        dialogue = commit_offsets(self._ground, group, offsets, metadata, self._world.now_ms())
        await self._driver.hold(dialogue)

    async def committed(
        self, group: str, parts: Iterable[TopicPartition]
    ) -> dict[TopicPartition, int | None]:
        """What is kept under that name; None where there is nothing."""
        dialogue = fetch_offsets(self._ground, group, list(parts), self._world.now_ms())
        return await self._driver.hold(dialogue)

    def close(self) -> None:
        for fetching in self._fetchings.values():
            fetching.close()
        self._pool.close()

    async def _look_up(
        self, wanted: Mapping[TopicPartition, int], isolation: Isolation
    ) -> dict[TopicPartition, int]:
        dialogue = look_up_offsets(self._ground, wanted, isolation, self._world.now_ms())
        return await self._driver.hold(dialogue)
