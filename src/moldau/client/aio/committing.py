"""Commits of one consumer, one after the other: none overtakes another, awaited or not."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from moldau.client.aio.driver import Driver
from moldau.client.aio.world import ClientWorld
from moldau.client.core.committed_offset import CommittedOffset
from moldau.client.core.consuming.places import Places
from moldau.client.core.context import ClientContext
from moldau.client.core.group_member import Membership
from moldau.client.core.group_offsets import commit_offsets
from moldau.client.errors import ClientError, ClosedError
from moldau.client.topic_partition import TopicPartition
from moldau.platform.ports.tasks import Promise, Task

__all__ = ["Committing", "OnCommit"]

Kept: TypeAlias = Mapping[TopicPartition, CommittedOffset]
Offsets: TypeAlias = Mapping[TopicPartition, int]
OnCommit: TypeAlias = Callable[[Offsets, ClientError | None], object]
"""Called with what was to be kept, and why it is not."""


class _Commit(NamedTuple):
    """Waits for its turn, or is on its way."""

    offsets: Kept
    read_in: Mapping[TopicPartition, bytes]
    on_commit: OnCommit | None


class _Finished(NamedTuple):
    """Its call-back is to be called."""

    on_commit: OnCommit
    offsets: Offsets
    error: ClientError | None


class Committing:
    """Of one consumer."""

    def __init__(
        self,
        world: ClientWorld,
        context: ClientContext,
        driver: Driver,
        places: Places,
        member_of: Callable[[], Membership],
    ) -> None:
        self._world = world
        self._context = context
        self._driver = driver
        self._places = places
        self._member_of = member_of
        self._queue: deque[_Commit] = deque()
        self._task: Task | None = None
        self._idle: list[Promise[None]] = []
        self._finished: deque[_Finished] = deque()
        self.on_kept: Callable[[Offsets], object] | None = None
        """Called with what the coordinator has kept."""

    def __repr__(self) -> str:
        return f"<Committing: {len(self._queue)} wait>"

    async def commit(
        self,
        offsets: Kept | None,
        metadata: str = "",
        of: Collection[TopicPartition] | None = None,
    ) -> None:
        """These, or what was consumed of some partitions or of all."""
        await self.all_done()
        one = self._commit_of(offsets, metadata, of)
        if one.offsets:
            await self._send(one)

    def begin(
        self, offsets: Kept | None, metadata: str = "", on_commit: OnCommit | None = None
    ) -> None:
        """The same without waiting, after those that were begun before."""
        one = self._commit_of(offsets, metadata, on_commit=on_commit)
        if not one.offsets and on_commit is None:
            return
        self._queue.append(one)
        if self._task is None:
            self._task = self._world.tasks.spawn("commits", self._run())

    async def all_done(self) -> None:
        """All that were begun have arrived or failed."""
        while self._queue:
            idle: Promise[None] = self._world.tasks.promise()
            self._idle.append(idle)
            await idle.wait()

    def finished(self) -> Iterator[_Finished]:
        """Those whose end is to be reported, each once; from any thread."""
        while self._finished:
            yield self._finished.popleft()

    def stop(self) -> None:
        """Now, whatever is on its way."""
        if self._task is not None:
            self._task.cancel()
        while self._queue:
            self._end(self._queue.popleft(), ClosedError("the consumer"))

    async def _run(self) -> None:
        try:
            while self._queue:
                error: ClientError | None = None
                try:
                    await self._send(self._queue[0])
                except ClientError as failure:
                    error = failure
                self._end(self._queue.popleft(), error)
        finally:
            self._task = None
            idle, self._idle = self._idle, []
            for one in idle:
                one.keep(None)

    def _commit_of(
        self,
        offsets: Kept | None,
        metadata: str,
        of: Collection[TopicPartition] | None = None,
        on_commit: OnCommit | None = None,
    ) -> _Commit:
        """`metadata` goes with what was consumed; offsets that are given have their own.

        Given ones count for whatever topic has the name; consumed ones for the topic that was read.
        """
        if offsets is not None:
            return _Commit(offsets, {}, on_commit)
        consumed = self._places.uncommitted(of)
        noted = {part: one._replace(metadata=metadata) for part, one in consumed.items()}
        return _Commit(noted, self._places.read_in(noted), on_commit)

    def _end(self, one: _Commit, error: ClientError | None) -> None:
        if one.on_commit is not None:
            self._finished.append(_Finished(one.on_commit, _numbers(one.offsets), error))

    async def _send(self, one: _Commit) -> None:
        member, now_ms = self._member_of(), self._world.now_ms()
        dialogue = commit_offsets(
            self._context, member.group, one.offsets, now_ms, self._member_of, one.read_in
        )
        kept = await self._driver.hold(dialogue)
        took_ms = self._world.now_ms() - now_ms
        self._context.meter.time("coordinator.commit.latency", took_ms)
        numbers = _numbers(kept)
        for part, offset in numbers.items():
            if part in self._places.places:
                self._places.committed[part] = offset
        if self.on_kept is not None:
            self.on_kept(numbers)


def _numbers(offsets: Kept) -> Offsets:
    return {part: kept.offset for part, kept in offsets.items()}
