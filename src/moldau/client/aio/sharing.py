"""Runs a share consumer: its membership, and rounds of fetches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from moldau.client.aio.driver import Driver
from moldau.client.aio.membership import MembershipRunner
from moldau.client.aio.pool import Lane, Pool
from moldau.client.aio.world import ClientWorld
from moldau.client.arguments.consumer import Readable
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.core.consuming.group_state import GroupState
from moldau.client.core.consuming.records import ConsumerRecord
from moldau.client.core.context import ClientContext
from moldau.client.core.sharing.share_membership import share_membership
from moldau.client.core.sharing.share_reading import ShareReading
from moldau.client.errors import ClosedError, ConcurrentUseError, InvalidArgumentError
from moldau.client.settings.share import ShareSettings
from moldau.client.topic_partition import TopicPartition

__all__ = ["Sharing"]

LOOK_AGAIN_MS = 50.0
"""How often a member that has no partitions yet looks whether it has some."""
Acknowledged = Outcomes[TopicPartition, None]


class Sharing:
    """The loop's part of one share consumer."""

    def __init__(self, world: ClientWorld, settings: ShareSettings) -> None:
        self._world = world
        self._settings = settings
        creates = settings.allow_auto_create_topics
        context = ClientContext(settings, world.random, creates_topics=creates)
        self._context = context
        self._pool = Pool(world, context)
        limit_ms = settings.default_api_timeout_ms
        self._driver = Driver(world, self._pool, limit_ms, Lane.FETCHES)
        self.state = GroupState(settings.group_id, None)
        groups = Driver(world, self._pool, limit_ms, Lane.GROUPS)
        self._runner = MembershipRunner(world, groups, self.state)
        digits = world.random.randbytes(16).hex()
        parts = (digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])
        self.state.member_id = "-".join(parts)
        self.reading = ShareReading(context, settings, self.state)
        self.unseen: Acknowledged = Outcomes()
        """What became of acknowledgements that rode along with fetches."""
        self._is_asked = False
        self._is_closed = False

    def subscribe(self, topics: Iterable[str]) -> None:
        self.ensure_open()
        self.state.topics = frozenset(topics)
        if not self._runner.is_running:
            self._runner.error = None  # another subscription may mend it
            dialogue = share_membership(self._context, self.state, self.state.member_id)
            self._runner.start(dialogue)
        self._runner.wake()

    async def poll(self, timeout_ms: float) -> list[ConsumerRecord]:
        """Records that are acquired; none when the time is over."""
        self.ensure_open()
        with self._alone():
            return await self._polled(timeout_ms)

    async def _polled(self, timeout_ms: float) -> list[ConsumerRecord]:
        if not self.state.topics:
            raise InvalidArgumentError("this share consumer reads nothing: subscribe it to topics")
        if self._settings.is_explicit:
            self.reading.ensure_acknowledged()
        else:
            self.reading.accept_all()
        self.reading.raise_spoiled()
        return self.reading.take_kept() or await self._fetched(timeout_ms)

    async def _fetched(self, timeout_ms: float) -> list[ConsumerRecord]:
        deadline_ms = self._world.now_ms() + timeout_ms
        while True:
            if self._runner.error is not None:
                raise self._runner.error
            left_ms = deadline_ms - self._world.now_ms()
            wait_ms = max(0, min(int(left_ms), self._settings.fetch_max_wait_ms))
            found = await self._driver.hold(self.reading.fetch(wait_ms, self.unseen))
            if not found:
                self.reading.raise_spoiled()
            left_ms = deadline_ms - self._world.now_ms()
            if found or left_ms <= 0:
                return found
            if not self.state.owned:
                await self._world.tasks.sleep(min(LOOK_AGAIN_MS, left_ms))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Another poll or commit would accept what the first one is about to return."""
        if self._is_asked:
            raise ConcurrentUseError("the share consumer")
        self._is_asked = True
        try:
            yield
        finally:
            self._is_asked = False

    def keep(self, records: Iterable[ConsumerRecord]) -> None:
        """The program has not taken these: they come with the next poll."""
        self.reading.kept = [*records, *self.reading.kept]

    def returned(self, found: Readable, records: list[ConsumerRecord]) -> list[ConsumerRecord]:
        """What is returned of these: up to one that cannot be read, whose error is raised when it
        is the first.

        As with Java's consumer it is released, unless the program acknowledges it otherwise; the
        others stay acquired, and come with the next poll.
        """
        if found.error is None:
            return found.records
        rest = records[len(found.records) :]
        if not found.records:
            self.reading.release(rest[0])
            self.reading.kept = rest[1:]
            raise found.error
        self.reading.kept = rest
        return found.records

    async def commit(self) -> Acknowledged:
        """Everything that was acknowledged, now; and what became of what rode along before."""
        self.ensure_open()
        with self._alone():
            if not self._settings.is_explicit:
                self.reading.accept_all()
            sent = await self._driver.hold(self.reading.send())
        unseen, self.unseen = self.unseen, Outcomes()
        return Outcomes(unseen.values | sent.values, unseen.errors | sent.errors)

    async def close(self, timeout_ms: float) -> None:
        """Send what was acknowledged, release the rest, leave the group."""
        if self._is_closed:
            return
        try:
            async with self._world.tasks.deadline(timeout_ms):
                await self._driver.hold(self.reading.close())
                await self._runner.leave()
        except TimeoutError:
            pass
        finally:
            self._is_closed = True
            self._pool.close()

    def ensure_open(self) -> None:
        if self._is_closed:
            raise ClosedError("the share consumer")
        self._world.ensure_here()
