"""What reads the cluster: the ends of all logs again and again, and every commit as it is made."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Final

from moldau.client import AsyncAdmin, TopicPartition
from moldau.client.admin import OffsetPlace, OffsetView
from moldau.client.aio import AsyncConnection, connect
from moldau.client.core.consuming.records import records_of
from moldau.client.core.fetching.chunk import Chunk
from moldau.client.core.fetching.reading import ENDLESS
from moldau.client.errors import ClientError
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.tasks import Tasks
from moldau.programs.lag.ages import look_up_ages
from moldau.programs.lag.commits import OFFSETS_TOPIC, read_commit
from moldau.programs.lag.state import LagState, Owner

__all__ = ["LagFollower"]

log = logging.getLogger(__name__)

BACKOFF_MS: Final = 500
AGE_TIMEOUT_MS: Final = 1_000


class LagFollower:
    """Keeps one state true; started and stopped once."""

    def __init__(
        self,
        client: Mapping[str, str],
        state: LagState,
        tasks: Tasks,
        clock: Clock,
        refresh_ms: float,
    ) -> None:
        self._client = {**client, "default.api.timeout.ms": "10000"}
        self._state = state
        self._tasks = tasks
        self._clock = clock
        self._refresh_ms = refresh_ms
        self._connection: AsyncConnection
        self._behind: set[int] | None = None
        """Partitions of the offsets topic whose past is not read yet; None before a first look."""
        self._ends_of_past: dict[int, int] = {}
        """Where the partitions of the offsets topic ended when their reading began."""
        self._is_stopping = False

    @property
    def is_ready(self) -> bool:
        """Whether all is known that had been committed before the start."""
        return self._behind is not None and not self._behind

    async def run(self) -> None:
        """Until `stop`; a cluster that is away is tried again."""
        async with AsyncAdmin(self._client) as admin, connect(self._client) as self._connection:
            while not self._is_stopping:
                try:
                    await self._refresh(admin)
                    await self._tasks.sleep(self._refresh_ms)
                except ClientError as error:
                    if self._has_ended():
                        return
                    log.warning("The cluster cannot be read: %s", error)
                    await self._tasks.sleep(BACKOFF_MS)

    def stop(self) -> None:
        self._is_stopping = True

    async def _refresh(self, admin: AsyncAdmin) -> None:
        topics = list(await admin.list_topics(internal=True))
        numbers = await self._connection.partitions(topics)
        parts = [TopicPartition(name, number) for name in topics for number in numbers[name]]
        found = await admin.list_offsets(dict.fromkeys(parts, OffsetPlace.LATEST))
        ends = {part: self._end(part, found.values) for part in parts}
        self._state.saw_ends({part: end for part, end in ends.items() if end is not None})
        first = (await admin.list_offsets(dict.fromkeys(parts, OffsetPlace.EARLIEST))).values
        self._state.starts = {
            part: one.offset for part, one in first.items() if one.offset is not None
        }
        self._follow_new_partitions(numbers.get(OFFSETS_TOPIC, []))
        await self._look_at_members(admin)
        self._state.expire(self._clock.now_ms())
        await look_up_ages(self._state, self._connection, self._tasks, AGE_TIMEOUT_MS)

    def _end(self, part: TopicPartition, found: Mapping[TopicPartition, OffsetView]) -> int | None:
        """What its leader has answered; without a leader, what was the end last."""
        return found[part].offset if part in found else self._state.end(part)

    def _has_ended(self) -> bool:
        return self._is_stopping

    async def _look_at_members(self, admin: AsyncAdmin) -> None:
        views = (await admin.describe_consumer_groups(list(self._state.groups))).values
        for name, view in views.items():
            self._state.owners[name] = {
                part: Owner(member.host.removeprefix("/"), member.client_id)
                for member in view.members
                for part in member.assignment
            }

    def _follow_new_partitions(self, numbers: list[int]) -> None:
        """The topic is created with the first group, so it may not be there at the start."""
        new = set(numbers) - self._ends_of_past.keys()
        if self._behind is None:
            self._behind = set(new)
        for number in sorted(new):
            self._ends_of_past[number] = 0
            name = f"commits of {OFFSETS_TOPIC}-{number}"
            self._tasks.spawn(name, self._follow(TopicPartition(OFFSETS_TOPIC, number)))

    async def _follow(self, part: TopicPartition) -> None:
        position = 0
        while not self._is_stopping:
            try:
                position = await self._start_of(part, position)
                reading = self._connection.read(part, position, ENDLESS, "read_committed")
                try:
                    async for chunk in reading:
                        position = self._take(chunk)
                finally:
                    reading.close()
            except ClientError as error:
                if self._has_ended():
                    return
                log.warning("%s cannot be read: %s", part, error)
                await self._tasks.sleep(BACKOFF_MS)

    async def _start_of(self, part: TopicPartition, position: int) -> int:
        """From here on; commits before the end that the log has now are of the past."""
        start = (await self._connection.earliest([part]))[part]
        end = (await self._connection.latest([part], "read_committed"))[part]
        self._ends_of_past[part.partition] = end
        position = start if position > end else max(position, start)
        self._moved_to(part.partition, position)
        return position

    def _take(self, chunk: Chunk) -> int:
        """Take in what was read; returns where reading goes on."""
        end_of_past = self._ends_of_past[chunk.part.partition]
        now_ms = self._clock.now_ms()
        for records in records_of(chunk, check_checksums=True):
            for record in records:
                committed = read_commit(record.key, record.value, record.timestamp)
                if committed is not None:
                    is_new = record.offset >= end_of_past
                    self._state.saw_commit(committed, now_ms, is_new=is_new)
        self._moved_to(chunk.part.partition, chunk.end)
        return chunk.end

    def _moved_to(self, number: int, position: int) -> None:
        if self._behind and position >= self._ends_of_past[number]:
            self._behind.discard(number)
