"""Runs fetchers: carries out their requests, and hands their chunks to their readers."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import assert_never

from moldau.client.aio.driver import Driver
from moldau.client.aio.pool import Lane, Pool
from moldau.client.aio.world import ClientWorld
from moldau.client.core.context import ClientContext
from moldau.client.core.dialogue import Ask, Dialogue
from moldau.client.core.fetching.chunk import Chunk
from moldau.client.core.fetching.events import (
    Answered,
    Broken,
    Deliver,
    Effect,
    Event,
    Fail,
    LeaveOff,
    LookUpRange,
    RangeFound,
    Refresh,
    Refreshed,
    Send,
    Tick,
    Want,
)
from moldau.client.core.fetching.fetcher import Fetcher
from moldau.client.core.fetching.reading import Reading
from moldau.client.core.metadata import refresh_now
from moldau.client.core.offset_lookups import EARLIEST, LATEST, Isolation, look_up_offsets
from moldau.client.errors import ClientError, ClosedError, UnresolvedError
from moldau.client.topic_partition import TopicPartition
from moldau.platform.ports.tasks import Promise, Timer
from moldau.protocol.messages.data.fetch import FetchResponse

__all__ = ["AHEAD_MAX", "Fetching", "Inbox"]

AHEAD_MAX = 2
"""Chunks of a reading that are there and not taken. With one alone, a reader that takes it in less
time than a fetch needs would wait for half of it; more would only fill memory."""


class Inbox:
    """Where the chunks of a reading arrive; one task waits at it."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.chunks: deque[Chunk] = deque()
        self.error: ClientError | None = None
        self.waiter: Promise[None] | None = None

    @property
    def wants_more(self) -> bool:
        """Whether another chunk is to be fetched, and is not yet."""
        reading, has_room = self.reading, len(self.chunks) < AHEAD_MAX
        return has_room and self.error is None and not reading.is_wanted and not reading.is_done

    def wake(self) -> None:
        if self.waiter is not None:
            self.waiter.keep(None)


class Fetching:
    """The readings of one isolation level."""

    def __init__(
        self,
        world: ClientWorld,
        context: ClientContext,
        pool: Pool,
        driver: Driver,
        isolation: Isolation,
    ) -> None:
        self._world = world
        self._context = context
        self._pool = pool
        self._driver = driver
        self._fetcher = Fetcher(context, isolation)
        self._inboxes: dict[Reading, Inbox] = {}
        self._timer: Timer | None = None
        self._is_closed = False

    def begin(self, readings: Iterable[Reading]) -> list[Inbox]:
        """The first fetch of each broker leaves at once, for all of these that it leads."""
        if self._is_closed:
            raise ClosedError
        inboxes = [Inbox(reading) for reading in readings]
        self._inboxes.update((inbox.reading, inbox) for inbox in inboxes)
        self._want_more(inboxes)
        return inboxes

    async def take(self, inbox: Inbox) -> Chunk | None:
        """The next chunk, None after the last; or the error that ended the reading."""
        while not inbox.chunks:
            if inbox.error is not None:
                raise inbox.error
            if inbox.reading.is_done:
                return None
            inbox.waiter = self._world.tasks.promise()
            await inbox.waiter.wait()
        chunk = inbox.chunks.popleft()
        self._want_more([inbox])
        return chunk

    def leave_off(self, inbox: Inbox) -> None:
        self._inboxes.pop(inbox.reading, None)
        self._post(LeaveOff(inbox.reading))

    def close(self) -> None:
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
        for inbox in self._inboxes.values():
            inbox.error = inbox.error or ClosedError()
            inbox.wake()

    def _want_more(self, inboxes: Iterable[Inbox]) -> None:
        wanted = tuple(inbox.reading for inbox in inboxes if inbox.wants_more)
        if wanted:
            self._post(Want(wanted))

    def _post(self, event: Event) -> None:
        if self._is_closed:
            return
        effects, wake_at_ms = self._fetcher.step(event, self._world.now_ms())
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if wake_at_ms is not None:
            wait_ms = max(wake_at_ms - self._world.now_ms(), 0)
            self._timer = self._world.tasks.after(wait_ms, self._tick)
        for effect in effects:
            self._do(effect)
        self._want_more(
            self._inboxes[effect.reading] for effect in effects if isinstance(effect, Deliver)
        )

    def _tick(self) -> None:
        self._timer = None
        self._post(Tick())

    def _do(self, effect: Effect) -> None:
        spawn = self._world.tasks.spawn
        match effect:
            case Send():
                spawn(f"fetch-{effect.node_id}", self._send(effect))
            case Refresh():
                spawn("refresh", self._refresh(effect))
            case LookUpRange():
                spawn(f"range-{effect.reading.part}", self._look_up_range(effect.reading))
            case Deliver():
                inbox = self._inboxes[effect.reading]
                inbox.chunks.append(effect.chunk)
                inbox.wake()
            case Fail():
                inbox = self._inboxes[effect.reading]
                inbox.error = effect.error
                inbox.wake()
            case _:
                assert_never(effect)

    async def _send(self, send: Send) -> None:
        began_ms = self._world.now_ms()
        try:
            answer = await self._pool.ask(Ask(send.request, send.node_id), Lane.FETCHES)
        except ClientError as error:
            self._post(Broken(send.node_id, error))
            return
        assert isinstance(answer, FetchResponse), f"{answer!r} answers no fetch"
        took_ms = self._world.now_ms() - began_ms
        self._context.meter.time("fetch.manager.fetch.latency", took_ms)
        self._post(Answered(send.node_id, answer))

    async def _refresh(self, effect: Refresh) -> None:
        try:
            error = await self._driver.hold(refresh_now(self._context, effect.topics))
        except UnresolvedError as unresolved:
            error = unresolved
        self._post(Refreshed(error))

    async def _look_up_range(self, reading: Reading) -> None:
        part = reading.part
        try:
            earliest, latest = [
                (await self._driver.hold(self._look_up(part, place)))[part]
                for place in (EARLIEST, LATEST)
            ]
        except ClientError as error:
            self._post(RangeFound(reading, error=error))
            return
        self._post(RangeFound(reading, earliest, latest))

    def _look_up(self, part: TopicPartition, place: int) -> Dialogue[dict[TopicPartition, int]]:
        now_ms = self._world.now_ms()
        return look_up_offsets(self._context, {part: place}, Isolation.READ_UNCOMMITTED, now_ms)
