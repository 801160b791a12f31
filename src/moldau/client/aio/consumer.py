"""A consumer on the program's own loop."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable
from typing import TYPE_CHECKING, TypeVar

from moldau.client.aio.committing import OnCommit
from moldau.client.aio.consuming import Consuming
from moldau.client.aio.own_world import OwnWorld
from moldau.client.aio.world import ClientWorld
from moldau.client.arguments.consumer import (
    ConsumerArguments,
    count_of,
    ensure_on_commit,
    subscription_of,
)
from moldau.client.arguments.listening import Listening, RebalanceListener, listener_of
from moldau.client.arguments.places import (
    AnyPartition,
    AnyPartitions,
    AnyTime,
    OffsetGiven,
    OffsetsGiven,
    commit_of,
    committed_offset_of,
    listed_partitions,
    named_partition,
    named_partitions,
    seconds_of,
    time_ms_of,
)
from moldau.client.core.consuming.handed_out import HandedOut
from moldau.client.core.consuming.records import ConsumerRecord
from moldau.client.core.context import ClientContext
from moldau.client.core.failure import Failure
from moldau.client.core.group_member import Membership
from moldau.client.core.offset_lookups import EARLIEST, LATEST
from moldau.client.errors import ClosedError
from moldau.client.settings.client import Servers
from moldau.client.topic_partition import TopicPartition
from moldau.platform.closing import AsyncClosing

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["AsyncConsumer"]

Taken = TypeVar("Taken")

MS_PER_SECOND = 1000
LOOK_AGAIN_S = 1.0
"""How long one wait lasts for those who wait for ever."""


class AsyncConsumer(AsyncClosing):
    """Reads topics as they grow, alone or as a member of a group.

        async with AsyncConsumer("localhost:9092", group_id="billing") as consumer:
            await consumer.subscribe("orders")
            async for record in consumer:
                print(record.value)

    `servers` are HOST:PORT, a list of them, or a mapping of settings by Kafka's names; keywords are
    settings too, with underscores for dots. `key_deserializer` and `value_deserializer` are a
    function or the name of one.
    """

    def __init__(self, servers: Servers | None = None, **settings: object) -> None:
        self.given = ConsumerArguments(servers, settings)
        """What was given, checked; the blocking consumer reads with it too."""
        self.settings = self.given.settings
        self._own: OwnWorld | None = None
        self._world: ClientWorld
        self._inner: Consuming | None = None
        self._has_begun = False
        self._listening = Listening()
        self._handed = HandedOut()

    def __repr__(self) -> str:
        return f"<AsyncConsumer of {','.join(self.settings.bootstrap_servers)}>"

    def start(self) -> None:
        """Begin, on the loop that runs; `async with` does it, and `close` ends it."""
        if self._own is None:
            self._own = OwnWorld("AsyncConsumer", "moldau.Consumer")
            self.begin_in(self._own.world)

    def begin_in(self, world: ClientWorld) -> Consuming:
        """Begin in a world that the caller closes."""
        self._world = world
        self._has_begun = True
        creates = self.settings.allow_auto_create_topics
        context = ClientContext(self.settings, world.random, creates_topics=creates)
        self._inner = Consuming(world, context, self.settings)
        if self.given.interceptors is not None:
            self._inner.committing.on_kept = self.given.interceptors.on_commit
        return self._inner

    async def subscribe(
        self,
        topics: str | Iterable[str] | re.Pattern[str] | None = None,
        *,
        server_pattern: str | None = None,
        listener: RebalanceListener | None = None,
    ) -> None:
        """Share topics with the group: names, a compiled pattern, or one of the server's (RE2).

        As with Java's a pattern has to match the whole name: `orders-.*`, not `^orders-`.
        """
        wanted = subscription_of(topics, server_pattern)
        called = listener_of(listener)
        if any(wanted):
            self._listening.listener = called
            await self._consuming.subscribe(*wanted)
        else:  # as with Java's
            await self.unsubscribe()

    async def assign(self, parts: AnyPartitions) -> None:
        """Read exactly these partitions; the name of a topic stands for all of its."""
        self._consuming.assign(await self._all_of(parts))

    async def unsubscribe(self) -> None:
        """Leave the group, or let go of what was assigned."""
        inner = self._consuming
        try:
            await self._revoke_all(self.settings.default_api_timeout_ms)
        finally:
            await inner.unsubscribe()

    def assignment(self) -> set[TopicPartition]:
        """What is read at the moment."""
        return set(self._consuming.places.places)

    # records

    async def poll(self, timeout: float = 1.0) -> list[ConsumerRecord]:  # noqa: ASYNC109
        """Records that are there, `max.poll.records` at most; none after `timeout` seconds."""
        return await self.consume(self.settings.max_poll_records, timeout)

    async def consume(
        self,
        count: int,
        timeout: float = 1.0,  # noqa: ASYNC109
    ) -> list[ConsumerRecord]:
        """The same, with another limit to their number."""

        found = self.given.read(await self._records(count, timeout))
        if found.error is not None:
            self._consuming.put_back(found.offset)
            if not found.records:
                raise found.error
        self._handed.returned(found.records)
        return found.records

    async def _records(self, count: int, timeout: float) -> list[ConsumerRecord]:  # noqa: ASYNC109
        at_most = count_of(count)

        async def take(left_ms: float) -> list[ConsumerRecord]:
            return await self._consuming.records(at_most, left_ms)

        return await self._taken(take, timeout) or []

    async def __aiter__(self) -> AsyncIterator[ConsumerRecord]:
        handed = self._handed
        while True:
            records = await self._records(self.settings.max_poll_records, LOOK_AGAIN_S)
            found = self.given.read(records)
            for record in handed.iterate(found.records, found.unreadable):
                yield record
            if found.error is not None and handed.untaken == found.offset:
                raise found.error

    async def arrow(self, timeout: float | None = None) -> AsyncIterator[pa.RecordBatch]:  # noqa: ASYNC109
        """Batches of Arrow of many records, until none comes for `timeout` seconds; None: ever.

        Columns: key, value, topic, partition, offset, timestamp, headers.
        """
        decoder, handed = self.given.decoder(), self._handed
        while True:
            wait = LOOK_AGAIN_S if timeout is None else timeout
            chunk = await self._taken(lambda left_ms: self._consuming.chunk(left_ms), wait)
            if chunk is None:
                if timeout is not None:
                    return
                continue
            handed.untaken = chunk.start
            rest = decoder.decode(chunk)
            while (batch := await self._world.tasks.offload(next, rest, None)) is not None:
                handed.is_part(*decoder.range_of(batch), chunk.end)
                yield batch
            handed.untaken = None

    async def _taken(
        self,
        take: Callable[[float], Awaitable[Taken | None]],
        timeout: float,  # noqa: ASYNC109
    ) -> Taken | None:
        """What comes in time; changes of the assignment are settled on the way."""
        limit_ms = seconds_of(timeout) * MS_PER_SECOND
        self._ensure_open()
        self._listening.ensure_idle()
        self._handed.asked()
        now_ms = self._world.now_ms
        deadline_ms = now_ms() + limit_ms
        while True:
            await self._report_commits()
            await self._settle_changes()
            found = await take(max(deadline_ms - now_ms(), 0))
            if found or now_ms() >= deadline_ms:
                return found

    async def _settle_changes(self) -> None:
        inner, listening = self._consuming, self._listening
        while (change := await inner.before_change()) is not None:
            with Failure() as failure, listening.calling():
                for call, parts in listening.before(change):
                    await _called(call(parts))
            inner.settle(change)
            if failure.error is not None:
                raise failure.error
            with listening.calling():
                for call, parts in listening.after(change):
                    await _called(call(parts))

    async def _revoke_all(self, timeout_ms: float) -> None:
        """Call the listener, for the last time, for what goes with the membership."""
        listening, inner = self._listening, self._inner
        if listening.listener is None or inner is None:
            return
        calls = listening.last(await inner.before_leaving(timeout_ms))
        with listening.calling():
            for call, parts in calls:
                await _called(call(parts))

    # offsets

    async def commit(self, offsets: OffsetsGiven | None = None, metadata: str = "") -> None:
        """Keep what was returned so far, or these offsets, each being the next to read.

        `metadata` is kept beside them, and shown by tools and by an admin client. A number has no
        leader epoch; `CommittedOffset.after(record)` has the record's.
        """
        wanted = commit_of(offsets, metadata)
        await self._consuming.commit(wanted, metadata)
        self._handed.undone = None
        await self._report_commits()

    def commit_async(
        self,
        offsets: OffsetsGiven | None = None,
        metadata: str = "",
        on_commit: OnCommit | None = None,
    ) -> None:
        """The same without waiting; commits are done in the order in which they were begun.

        `on_commit(offsets, error)` is called by a later `poll`, `commit` or `close`.
        """
        ensure_on_commit(on_commit)
        wanted = commit_of(offsets, metadata)
        self._consuming.begin_commit(wanted, metadata, on_commit)
        self._handed.undone = None

    async def _report_commits(self) -> None:
        if self._inner is not None:
            for on_commit, offsets, error in self._inner.committing.finished():
                await _called(on_commit(offsets, error))

    async def committed(self, parts: AnyPartitions) -> dict[TopicPartition, int | None]:
        """What the group has kept; None where there is nothing."""
        return await self._consuming.committed(await self._all_of(parts))

    async def position(self, part: AnyPartition) -> int:
        """The offset of the next record."""
        return await self._consuming.position(named_partition(part))

    async def lag(self) -> dict[TopicPartition, int]:
        """How many offsets there are up to the end of each partition that is read."""
        parts = sorted(self.assignment())
        ends = await self._consuming.look_up(dict.fromkeys(parts, LATEST))
        return {part: max(ends[part] - await self.position(part), 0) for part in parts}

    async def beginning_offsets(self, parts: AnyPartitions) -> dict[TopicPartition, int]:
        """The first offset of each partition."""
        return await self._consuming.look_up(dict.fromkeys(await self._all_of(parts), EARLIEST))

    async def end_offsets(self, parts: AnyPartitions) -> dict[TopicPartition, int]:
        """Where they end, for a reader of this isolation."""
        return await self._consuming.look_up(dict.fromkeys(await self._all_of(parts), LATEST))

    # places

    def seek(self, part: AnyPartition, offset: OffsetGiven) -> None:
        """Go on at this offset; with a leader epoch the leader is asked with the next poll whether
        its log still has what was read before.
        """
        self._consuming.seek(named_partition(part), committed_offset_of(offset))

    def seek_to_time(self, time: AnyTime, parts: Iterable[AnyPartition] | None = None) -> None:
        """Go on at the first record that is not older; by default in every partition."""
        time_ms = max(time_ms_of(time), 0)
        for part in self._chosen(parts):
            self._consuming.seek_time(part, time_ms)

    def seek_to_beginning(self, parts: Iterable[AnyPartition] | None = None) -> None:
        """Go on where the logs begin."""
        for part in self._chosen(parts):
            self._consuming.seek_time(part, EARLIEST)

    def seek_to_end(self, parts: Iterable[AnyPartition] | None = None) -> None:
        """Go on with what is appended from now on."""
        for part in self._chosen(parts):
            self._consuming.seek_time(part, LATEST)

    def pause(self, parts: Iterable[AnyPartition] | None = None) -> None:
        """Return nothing of these until `resume`; the membership stays as it is."""
        for part in self._chosen(parts):
            self._consuming.pause(part, is_paused=True)

    def resume(self, parts: Iterable[AnyPartition] | None = None) -> None:
        """Go on where they were paused."""
        for part in self._chosen(parts):
            self._consuming.pause(part, is_paused=False)

    def paused(self) -> set[TopicPartition]:
        """What is paused at the moment."""
        return {place.part for place in self._consuming.places.places.values() if place.is_paused}

    @property
    def deserializes(self) -> bool:
        """Whether keys or values are returned as a deserializer makes them."""
        return self.given.deserializes

    @property
    def membership(self) -> Membership:
        """Who this is to its group, for `send_offsets` of a producer."""
        return self._consuming.membership

    async def close(self, timeout: float = 30.0) -> None:  # noqa: ASYNC109
        """Commit what was returned, leave the group, and end."""
        limit_ms = seconds_of(timeout) * MS_PER_SECOND
        self._put_back(self._handed.take_untaken())
        inner, own = self._inner, self._own
        if inner is None:
            return
        deadline_ms = self._world.now_ms() + limit_ms
        try:
            await self._revoke_all(limit_ms)
        finally:
            try:
                await inner.close(max(deadline_ms - self._world.now_ms(), 0))
                await self._report_commits()
            finally:
                self._inner = self._own = None
                if own is not None:
                    await own.close()
                if self.given.interceptors is not None:
                    self.given.interceptors.close()

    def _chosen(self, parts: Iterable[AnyPartition] | None) -> Collection[TopicPartition]:
        if parts is None:
            return list(self._consuming.places.places)
        return listed_partitions(parts)

    async def _all_of(self, parts: AnyPartitions) -> list[TopicPartition]:
        found: list[TopicPartition] = []
        for part in named_partitions(parts):
            if isinstance(part, TopicPartition):
                found.append(part)
            else:
                numbers = await self._consuming.partitions(part)
                found += [TopicPartition(part, number) for number in numbers]
        return list(dict.fromkeys(found))

    @property
    def _consuming(self) -> Consuming:
        """What is asked; what an iteration has ahead is put back before."""
        inner = self._ensure_open()
        self._put_back(self._handed.take_untaken())
        return inner

    def _ensure_open(self) -> Consuming:
        if self._inner is None:
            raise ClosedError("the consumer", has_begun=self._has_begun)
        return self._inner

    def _put_back(self, offset: int | None) -> None:
        """The user has not taken what was returned last from this offset on."""
        if offset is not None and self._inner is not None:
            self._inner.put_back(offset)

    def _has_failed(self) -> None:
        """What was returned last is not done: it comes again."""
        self._put_back(self._handed.take_undone())


async def _called(answer: object) -> None:
    """Listeners may be coroutines."""
    if isinstance(answer, Awaitable):
        await answer
