"""The blocking face of a consumer: the same calls, forwarded to a loop in the background.

Rebalance listeners are called by the thread that asks for records, while it asks. Records are
turned into Arrow and deserialized there too, while the loop has the next fetch on its way.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from moldau.client.aio.committing import OnCommit
from moldau.client.aio.consumer import AsyncConsumer
from moldau.client.aio.consuming import Consuming
from moldau.client.arguments.consumer import count_of, subscription_of
from moldau.client.arguments.listening import Listening, RebalanceListener, listener_of
from moldau.client.arguments.places import (
    AnyPartition,
    AnyPartitions,
    AnyTime,
    OffsetGiven,
    OffsetsGiven,
    commit_of,
    seconds_of,
)
from moldau.client.core.consuming.group_state import Change
from moldau.client.core.consuming.handed_out import HandedOut
from moldau.client.core.consuming.records import ConsumerRecord
from moldau.client.core.failure import Failure, ensure_done
from moldau.client.core.group_member import Membership
from moldau.client.errors import ClosedError
from moldau.client.settings.client import Servers
from moldau.client.sync.own_loop import OwnLoop
from moldau.client.topic_partition import TopicPartition
from moldau.platform.closing import Closing

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Consumer"]

Taken = TypeVar("Taken")
Value = TypeVar("Value")
MS_PER_SECOND = 1000
LOOK_AGAIN_S = 1.0
"""How long one wait lasts for those who wait for ever."""
SLICE_MS = 250.0
"""How long one wait for records lasts: an interrupt is noticed between two."""
INSTEAD = "give a plain one, or use AsyncConsumer"


class Consumer(Closing):
    """Reads topics as they grow, alone or as a member of a group.

        with Consumer("localhost:9092", group_id="billing") as consumer:
            consumer.subscribe("orders")
            for record in consumer:
                print(record.value)

    `servers` are HOST:PORT, a list of them, or a mapping of settings by Kafka's names; keywords are
    settings too, with underscores for dots. `key_deserializer` and `value_deserializer` are a
    function or the name of one. It may be handed from thread to thread, used by one at a time.
    """

    def __init__(self, servers: Servers | None = None, **settings: object) -> None:
        self._face = AsyncConsumer(servers, **settings)
        self._given = self._face.given
        self.settings = self._face.settings
        self._listening = Listening()
        self._handed = HandedOut()
        self._loop = OwnLoop("moldau-consumer", "the consumer")
        self._inner: Consuming = self._loop.call(self._open)

    async def _open(self) -> Consuming:
        return self._face.begin_in(self._loop.world)

    def __repr__(self) -> str:
        return f"<Consumer of {','.join(self.settings.bootstrap_servers)}>"

    def __iter__(self) -> Iterator[ConsumerRecord]:
        handed = self._handed
        while True:
            records = self._records(self.settings.max_poll_records, LOOK_AGAIN_S)
            found = self._given.read(records)
            yield from handed.iterate(found.records, found.unreadable)
            if found.error is not None and handed.untaken == found.offset:
                raise found.error

    def subscribe(
        self,
        topics: str | Iterable[str] | re.Pattern[str] | None = None,
        *,
        server_pattern: str | None = None,
        listener: RebalanceListener | None = None,
    ) -> None:
        """Share topics with the group: names, a compiled pattern, or one of the server's (RE2).

        As with Java's a pattern has to match the whole name: `orders-.*`, not `^orders-`.
        """
        called, wanted = listener_of(listener), subscription_of(topics, server_pattern)
        if not any(wanted):  # as with Java's
            self.unsubscribe()
            return
        self._call(lambda: self._inner.subscribe(*wanted))
        self._listening.listener = called

    def assign(self, parts: AnyPartitions) -> None:
        """Read exactly these partitions; the name of a topic stands for all of its."""
        self._call(lambda: self._face.assign(parts))

    def unsubscribe(self) -> None:
        """Leave the group, or let go of what was assigned."""
        try:
            self._revoke_all(self.settings.default_api_timeout_ms)
        finally:
            self._call(self._face.unsubscribe)

    def assignment(self) -> set[TopicPartition]:
        """What is read at the moment."""
        return self._now(self._face.assignment)

    def poll(self, timeout: float = 1.0) -> list[ConsumerRecord]:
        """Records that are there, `max.poll.records` at most; none after `timeout` seconds."""
        return self.consume(self.settings.max_poll_records, timeout)

    def consume(self, count: int, timeout: float = 1.0) -> list[ConsumerRecord]:
        """The same, with another limit to their number."""
        found = self._given.read(self._records(count_of(count), timeout))
        if found.error is not None:
            self._now(lambda: self._inner.put_back(found.offset))
            if not found.records:
                raise found.error
        self._handed.returned(found.records)
        return found.records

    def _records(self, count: int, timeout: float) -> list[ConsumerRecord]:
        return self._taken(lambda left_ms: self._inner.records(count, left_ms), timeout) or []

    def arrow(self, timeout: float | None = None) -> Iterator[pa.RecordBatch]:
        """Batches of Arrow of many records, until none comes for `timeout` seconds; None: ever.

        Columns: key, value, topic, partition, offset, timestamp, headers.
        """
        decoder, handed = self._given.decoder(), self._handed
        while True:
            wait = LOOK_AGAIN_S if timeout is None else timeout
            chunk = self._taken(self._inner.chunk, wait)
            if chunk is None:
                if timeout is not None:
                    return
                continue
            handed.untaken = chunk.start
            for batch in decoder.decode(chunk):
                handed.is_part(*decoder.range_of(batch), chunk.end)
                yield batch
            handed.untaken = None

    def commit(self, offsets: OffsetsGiven | None = None, metadata: str = "") -> None:
        """Keep what was returned so far, or these offsets, each being the next to read.

        `metadata` is kept beside them, and shown by tools and by an admin client. A number has no
        leader epoch; `CommittedOffset.after(record)` has the record's.
        """
        wanted = commit_of(offsets, metadata)
        self._call(lambda: self._inner.commit(wanted, metadata))
        self._handed.undone = None
        self._report_commits()

    def commit_async(
        self,
        offsets: OffsetsGiven | None = None,
        metadata: str = "",
        on_commit: OnCommit | None = None,
    ) -> None:
        """The same without waiting; commits are done in the order in which they were begun.

        `on_commit(offsets, error)` is called by a later `poll`, `commit` or `close`, in its thread.
        """
        self._now(lambda: self._face.commit_async(offsets, metadata, on_commit))
        self._handed.undone = None

    def _report_commits(self) -> None:
        for on_commit, offsets, error in self._inner.committing.finished():
            ensure_done(on_commit(offsets, error), "on_commit", INSTEAD)

    def committed(self, parts: AnyPartitions) -> dict[TopicPartition, int | None]:
        """What the group has kept; None where there is nothing."""
        return self._call(lambda: self._face.committed(parts))

    def position(self, part: AnyPartition) -> int:
        """The offset of the next record."""
        return self._call(lambda: self._face.position(part))

    def lag(self) -> dict[TopicPartition, int]:
        """How many offsets there are up to the end of each partition that is read."""
        return self._call(self._face.lag)

    def beginning_offsets(self, parts: AnyPartitions) -> dict[TopicPartition, int]:
        """The first offset of each partition."""
        return self._call(lambda: self._face.beginning_offsets(parts))

    def end_offsets(self, parts: AnyPartitions) -> dict[TopicPartition, int]:
        """Where they end, for a reader of this isolation."""
        return self._call(lambda: self._face.end_offsets(parts))

    def seek(self, part: AnyPartition, offset: OffsetGiven) -> None:
        """Go on at this offset; with a leader epoch the leader is asked with the next poll whether
        its log still has what was read before.
        """
        self._now(lambda: self._face.seek(part, offset))

    def seek_to_time(self, time: AnyTime, parts: Iterable[AnyPartition] | None = None) -> None:
        """Go on at the first record that is not older; by default in every partition."""
        self._now(lambda: self._face.seek_to_time(time, parts))

    def seek_to_beginning(self, parts: Iterable[AnyPartition] | None = None) -> None:
        """Go on where the logs begin."""
        self._now(lambda: self._face.seek_to_beginning(parts))

    def seek_to_end(self, parts: Iterable[AnyPartition] | None = None) -> None:
        """Go on with what is appended from now on."""
        self._now(lambda: self._face.seek_to_end(parts))

    def pause(self, parts: Iterable[AnyPartition] | None = None) -> None:
        """Return nothing of these until `resume`; the membership stays as it is."""
        self._now(lambda: self._face.pause(parts))

    def resume(self, parts: Iterable[AnyPartition] | None = None) -> None:
        """Go on where they were paused."""
        self._now(lambda: self._face.resume(parts))

    def paused(self) -> set[TopicPartition]:
        """What is paused at the moment."""
        return self._now(self._face.paused)

    @property
    def deserializes(self) -> bool:
        """Whether keys or values are returned as a deserializer makes them."""
        return self._given.deserializes

    @property
    def membership(self) -> Membership:
        """Who this is to its group, for `send_offsets` of a producer."""
        return self._now(lambda: self._inner.membership)

    def close(self, timeout: float = 30.0) -> None:
        """Commit what was returned, leave the group, and end."""
        limit_ms = seconds_of(timeout) * MS_PER_SECOND
        deadline_ms = self._loop.world.now_ms() + limit_ms
        try:
            self._revoke_all(limit_ms)
        finally:
            self._end(deadline_ms)

    def _end(self, deadline_ms: float) -> None:
        untaken = self._handed.take_untaken()

        async def end() -> None:
            if untaken is not None:
                self._inner.put_back(untaken)
            await self._inner.close(max(deadline_ms - self._loop.world.now_ms(), 0))

        try:
            self._loop.close(end)
            self._report_commits()
        finally:
            if self._given.interceptors is not None:
                self._given.interceptors.close()

    def _taken(
        self, take: Callable[[float], Awaitable[Taken | None]], timeout: float
    ) -> Taken | None:
        """What comes in time; changes of the assignment are settled on the way."""
        limit_ms = seconds_of(timeout) * MS_PER_SECOND
        self._listening.ensure_idle()
        self._handed.asked()
        now_ms = self._loop.world.now_ms
        deadline_ms = now_ms() + limit_ms
        while True:
            self._report_commits()
            self._settle_changes()
            left_ms = min(max(deadline_ms - now_ms(), 0), SLICE_MS)
            found = self._call(partial(_awaited, take, left_ms))
            if found or now_ms() >= deadline_ms:
                return found

    def _settle_changes(self) -> None:
        listening = self._listening
        while (change := self._call(self._inner.before_change)) is not None:
            with Failure() as failure, listening.calling():
                for call, parts in listening.before(change):
                    _called(call(parts))
            self._now(partial(self._inner.settle, change))
            if failure.error is not None:
                raise failure.error
            with listening.calling():
                for call, parts in listening.after(change):
                    _called(call(parts))

    def _revoke_all(self, timeout_ms: float) -> None:
        """Call the listener, for the last time, for what goes with the membership."""
        if self._listening.listener is None:
            return
        change = Change()
        with suppress(ClosedError):  # after a fork nothing is left to be revoked
            change = self._call(lambda: self._inner.before_leaving(timeout_ms))
        calls = self._listening.last(change)
        with self._listening.calling():
            for call, parts in calls:
                _called(call(parts))

    def _now(self, action: Callable[[], Value]) -> Value:
        """Do it on the loop, which is where all of it lives."""

        async def act() -> Value:
            return action()

        return self._call(act)

    def _call(self, work: Callable[[], Coroutine[Any, Any, Value]]) -> Value:
        """Run it on the loop; what an iteration has ahead is put back before."""
        untaken = self._handed.take_untaken()
        if untaken is None:
            return self._loop.call(work)

        async def put_back_first() -> Value:
            self._inner.put_back(untaken)
            return await work()

        return self._loop.call(put_back_first)

    def _has_failed(self) -> None:
        """What was returned last is not done: it comes again."""
        self._handed.untaken = self._handed.take_undone()


def _called(answer: object) -> None:
    ensure_done(answer, "a method of the listener", INSTEAD)


async def _awaited(take: Callable[[float], Awaitable[Value]], left_ms: float) -> Value:
    return await take(left_ms)
