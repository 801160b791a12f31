"""A client that reads: topics, offsets, records, and offsets kept for a group."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

from moldau.client.aio.driver import Driver
from moldau.client.aio.fetching import Fetching, Inbox
from moldau.client.aio.pool import Pool
from moldau.client.aio.world import ClientWorld
from moldau.client.arguments.places import (
    AnyPartition,
    AnyPartitions,
    AnyTime,
    OffsetsGiven,
    TimesGiven,
    committed_offsets_of,
    isolation_of,
    named_partition,
    named_partitions,
    named_topics,
    offset_of,
    pattern_of,
    times_of,
)
from moldau.client.core.context import ClientContext
from moldau.client.core.fetching.chunk import Chunk
from moldau.client.core.fetching.reading import Reading
from moldau.client.core.group_offsets import commit_offsets, fetch_offsets
from moldau.client.core.metadata import find_topics, list_topics
from moldau.client.core.offset_lookups import (
    EARLIEST,
    LATEST,
    NOT_FOUND,
    Isolation,
    look_up_offsets,
)
from moldau.client.core.ranges import OffsetRange, TopicRange, find_ranges
from moldau.client.settings.client import ClientSettings
from moldau.client.tables import COLUMNS, AnyOffset, chunk_decoder, table_of, topic_range
from moldau.client.topic_partition import TopicPartition

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["AsyncConnection", "AsyncReading"]


class AsyncReading:
    """The chunks of a partition, one after another: `async for chunk in reading`."""

    def __init__(self, fetching: Fetching | None, reading: Reading) -> None:
        self._fetching = fetching
        self._inbox: Inbox | None = None if fetching is None else fetching.begin([reading])[0]

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
        self._context = ClientContext(settings, world.random)
        self._pool = Pool(world, self._context)
        self._driver = Driver(world, self._pool, settings.default_api_timeout_ms)
        self._fetchings = {
            isolation: Fetching(world, self._context, self._pool, self._driver, isolation)
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
        wanted = None if pattern is None else pattern_of(pattern)
        found = await self._driver.hold(list_topics(self._context, self._world.now_ms()))
        return {
            topic.name: list(topic.leaders)
            for topic in sorted(found, key=lambda topic: topic.name)
            if not topic.is_internal and (wanted is None or wanted.fullmatch(topic.name))
        }

    async def partitions(self, topics: str | Iterable[str]) -> dict[str, list[int]]:
        """As they are now; `UnknownTopicError` for one that is not there."""
        names = named_topics(topics)
        if not names:
            return {}
        dialogue = find_topics(self._context, names, self._world.now_ms())
        return {topic.name: list(topic.leaders) for topic in await self._driver.hold(dialogue)}

    async def earliest(self, parts: AnyPartitions) -> dict[TopicPartition, int]:
        """Where the logs begin; of a topic's name, those of all its partitions."""
        wanted = await self._all_of(parts)
        return await self._look_up(dict.fromkeys(wanted, EARLIEST), Isolation.READ_UNCOMMITTED)

    async def latest(
        self, parts: AnyPartitions, isolation: Isolation | str | None = None
    ) -> dict[TopicPartition, int]:
        """Where they end: the high watermark, or the last stable offset."""
        level = self._isolation(isolation)
        return await self._look_up(dict.fromkeys(await self._all_of(parts), LATEST), level)

    async def at_time(self, times: TimesGiven) -> dict[TopicPartition, int | None]:
        """The first offset at or after each time; None where no record is that late.

        Times before 1970 are taken for it: below 0 are names of places.
        """
        wanted: dict[TopicPartition, int] = {}
        for part, time_ms in times_of(times).items():
            wanted |= dict.fromkeys(await self._all_of(part), max(time_ms, 0))
        found = await self._look_up(wanted, Isolation.READ_UNCOMMITTED)
        return {part: None if offset == NOT_FOUND else offset for part, offset in found.items()}

    def read(
        self,
        part: AnyPartition,
        start: int,
        end: int,
        isolation: Isolation | str | None = None,
        max_bytes: int | None = None,
    ) -> AsyncReading:
        """The records from `start` up to, but without, `end`, in chunks of some `max_bytes`."""
        size = self.settings.chunk_bytes if max_bytes is None else max_bytes
        reading = Reading(named_partition(part), offset_of(start), offset_of(end), size)
        fetching = self._fetchings[self._isolation(isolation)]
        return AsyncReading(None if reading.is_done else fetching, reading)

    async def read_table(
        self,
        topic: str,
        *,
        partitions: int | Iterable[int] | None = None,
        start: AnyOffset | None = None,
        end: AnyOffset | None = None,
        start_time: AnyTime | None = None,
        end_time: AnyTime | None = None,
        columns: str | Sequence[str] = COLUMNS,
        isolation: Isolation | str | None = None,
    ) -> pa.Table:
        """The records of a topic as one table, partition by partition, in the order of offsets.

        It begins at the earliest record and ends where the logs end when it is called; with
        `partitions`, `start`, `end`, `start_time` and `end_time` it is a part of that.
        """
        decoder = chunk_decoder(columns, self.settings)
        wanted = topic_range(topic, partitions, (start, start_time), (end, end_time))
        batches = []
        async for chunk in self._chunks(await self.ranges(wanted, isolation), isolation):
            batches += await self._world.tasks.offload(decoder.decode_all, chunk)
        return table_of(batches, columns)

    async def ranges(
        self, wanted: TopicRange, isolation: Isolation | str | None = None
    ) -> dict[TopicPartition, OffsetRange]:
        """From where to where each partition is to be read."""
        level = self._isolation(isolation)
        dialogue = find_ranges(self._context, wanted, level, self._world.now_ms())
        return await self._driver.hold(dialogue)

    async def commit(self, group: str, offsets: OffsetsGiven, metadata: str = "") -> None:
        """Keep offsets, each being the next to read, under the name of a group without members."""
        wanted = committed_offsets_of(offsets, metadata)
        dialogue = commit_offsets(self._context, group, wanted, self._world.now_ms())
        await self._driver.hold(dialogue)

    async def committed(self, group: str, parts: AnyPartitions) -> dict[TopicPartition, int | None]:
        """What is kept under that name; None where there is nothing."""
        wanted = await self._all_of(parts)
        dialogue = fetch_offsets(self._context, group, wanted, self._world.now_ms())
        return await self._driver.hold(dialogue)

    def close(self) -> None:
        for fetching in self._fetchings.values():
            fetching.close()
        self._pool.close()

    async def _chunks(
        self,
        ranges: Mapping[TopicPartition, OffsetRange],
        isolation: Isolation | str | None,
    ) -> AsyncIterator[Chunk]:
        for part, (start, end) in ranges.items():
            reading = self.read(part, start, end, isolation)
            try:
                async for chunk in reading:
                    yield chunk
            finally:
                reading.close()

    async def _all_of(self, parts: AnyPartitions) -> list[TopicPartition]:
        """Partitions as they are, and those of the topics that are named."""
        named = named_partitions(parts)
        topics = await self.partitions([name for name in named if isinstance(name, str)])
        found: dict[TopicPartition, None] = {}
        for part in named:
            if isinstance(part, str):
                found |= dict.fromkeys(TopicPartition(part, number) for number in topics[part])
            else:
                found[part] = None
        return list(found)

    def _isolation(self, given: Isolation | str | None) -> Isolation:
        return isolation_of(self.settings.isolation_level if given is None else given)

    async def _look_up(
        self, wanted: Mapping[TopicPartition, int], isolation: Isolation
    ) -> dict[TopicPartition, int]:
        dialogue = look_up_offsets(self._context, wanted, isolation, self._world.now_ms())
        return await self._driver.hold(dialogue)
