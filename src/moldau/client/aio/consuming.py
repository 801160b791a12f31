"""Runs a consumer: its membership, its places, and the fetches of what it may read."""

from __future__ import annotations

import logging
import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager

from moldau.client.aio.committing import Committing, OnCommit
from moldau.client.aio.driver import Driver
from moldau.client.aio.fetching import Fetching, Inbox
from moldau.client.aio.membership import MembershipRunner
from moldau.client.aio.pool import Lane, Pool
from moldau.client.aio.telemetry import TelemetryRunner
from moldau.client.aio.under_way import UnderWay
from moldau.client.aio.world import ClientWorld
from moldau.client.core.consuming.beginnings import find_beginnings, look_up, reset_time
from moldau.client.core.consuming.classic import classic_membership
from moldau.client.core.consuming.epochs import epoch_membership
from moldau.client.core.consuming.group_state import Change, GroupState, MemberDialogue
from moldau.client.core.consuming.places import Place, Places
from moldau.client.core.consuming.records import ConsumerRecord
from moldau.client.core.consuming.unread import Unread
from moldau.client.core.context import ClientContext
from moldau.client.core.fetching.chunk import Chunk
from moldau.client.core.fetching.reading import ENDLESS, Reading
from moldau.client.core.group_member import Membership
from moldau.client.core.group_offsets import fetch_offsets
from moldau.client.core.metadata import learn_topics, list_topics, refresh_now
from moldau.client.core.offset_lookups import Isolation
from moldau.client.errors import (
    ClientError,
    ClosedError,
    CommitFailedError,
    ConcurrentUseError,
    InvalidArgumentError,
    LogTruncatedError,
    OffsetGoneError,
    UnknownTopicError,
)
from moldau.client.settings.consumer import ConsumerSettings
from moldau.client.topic_partition import TopicPartition
from moldau.platform.ports.tasks import Promise

__all__ = ["Consuming"]

log = logging.getLogger(__name__)
RETRY_MS = 200
"""After a topic that is gone."""


class Consuming:
    """The loop's part of one consumer; its callers ask for changes, then for records."""

    def __init__(
        self, world: ClientWorld, context: ClientContext, settings: ConsumerSettings
    ) -> None:
        self._world = world
        self._context = context
        self._settings = settings
        self._pool = Pool(world, context)
        limit_ms = settings.default_api_timeout_ms
        self._driver = Driver(world, self._pool, limit_ms)
        about = {"client_rack": settings.client_rack, "group_id": settings.group_id}
        about["group_instance_id"] = settings.group_instance_id
        self._telemetry = TelemetryRunner(world, context, self._pool, "consumer", about)
        isolation = Isolation[settings.isolation_level.upper()]
        self._isolation = isolation
        self._fetching = Fetching(world, context, self._pool, self._driver, isolation)
        self._inboxes: dict[TopicPartition, Inbox] = {}
        self._turn: deque[TopicPartition] = deque()
        self._unread: Unread | None = None
        """Of the chunk that was returned last, or a part of it."""
        self.places = Places()
        context.meter.gauges["coordinator.assigned.partitions"] = lambda: len(self.places.places)
        self.state = GroupState(settings.group_id or "", settings.group_instance_id)
        groups = Driver(world, self._pool, limit_ms, Lane.GROUPS)
        self.runner = MembershipRunner(world, groups, self.state)
        self._pattern: re.Pattern[str] | None = None
        self._looked_ms = 0
        self._committed_ms = world.now_ms()
        self._looking = UnderWay(world, "beginnings")
        self.committing = Committing(world, context, self._driver, self.places, self._committer)
        self._is_manual = False
        self._is_asked = False
        self._is_closed = False

    # what is read

    @property
    def membership(self) -> Membership:
        """As commits and transactions name it."""
        self._group()
        return self.state.membership

    async def subscribe(
        self, topics: Iterable[str], pattern: re.Pattern[str] | None, server_pattern: str | None
    ) -> None:
        """Share these topics with the group."""
        self._ensure_open()
        self._group()
        self._measure()
        if self._is_manual:
            raise InvalidArgumentError(
                "this consumer was assigned partitions: unsubscribe before it subscribes to topics"
            )
        if server_pattern is not None and not self._settings.is_epoch_protocol:
            raise InvalidArgumentError(
                "patterns of the server need group.protocol=consumer: give a re.compile() instead"
            )
        self._pattern = pattern
        self.state.topics, self.state.server_pattern = frozenset(topics), server_pattern
        if pattern is not None:
            await self._look_around()
        if not self.runner.is_running:
            self.state.is_leaving = False
            self.runner.start(self._dialogue())
        self.runner.wake()

    def assign(self, parts: Collection[TopicPartition]) -> None:
        """Read exactly these, whatever others read."""
        self._ensure_open()
        if self.runner.is_running:
            raise InvalidArgumentError(
                "this consumer subscribes to topics: unsubscribe before it is assigned partitions"
            )
        self._measure()
        self._is_manual = bool(parts)
        self._stop_reading([part for part in self.places.places if part not in parts])
        self.places.add(parts)

    def _measure(self) -> None:
        if self._settings.enable_metrics_push:
            self._telemetry.start()

    async def unsubscribe(self) -> None:
        """Leave the group, or let go of what was assigned."""
        self._is_manual, self._pattern = False, None
        self.state.topics, self.state.server_pattern = frozenset(), None
        if self.runner.is_running:
            self.places.consume()
            await self._commit_consumed()
            await self.runner.leave()
        self.runner.change = None
        self.state.owned = frozenset()
        self._stop_reading(list(self.places.places))

    def _dialogue(self) -> MemberDialogue:
        if not self._settings.is_epoch_protocol:
            return classic_membership(self._context, self._settings, self.state)
        member_id = self.state.member_id or self._drawn_id()
        return epoch_membership(self._context, self._settings, self.state, member_id)

    def _drawn_id(self) -> str:
        """Members make up their ids themselves (KIP-1082)."""
        digits = self._world.random.randbytes(16).hex()
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))

    # changes

    async def before_change(self) -> Change | None:
        """What is to be settled: with a loss nothing is committed, else what was consumed is."""
        if self.runner.error is not None:
            raise self.runner.error
        self.places.consume()
        change = self.runner.change
        if change is None:
            return None
        if change.revoked and not change.is_loss and self._settings.enable_auto_commit:
            await self._commit_consumed(change.revoked)
        return change

    def settle(self, change: Change) -> None:
        """After the user's listener, for what went, and before it, for what comes."""
        self._stop_reading(change.revoked)
        self.places.add(change.assigned)
        self.runner.settled()

    def _stop_reading(self, parts: Collection[TopicPartition]) -> None:
        for place in self.places.remove(list(parts)):
            self._leave_off(place)
        if self._unread is not None and self._unread.chunk.part in parts:
            self._unread = None

    def _leave_off(self, place: Place) -> None:
        inbox = self._inboxes.pop(place.part, None)
        if inbox is not None:
            self._fetching.leave_off(inbox)
        place.reading = None
        if place.part in self._turn:
            self._turn.remove(place.part)

    # records

    async def records(self, count_max: int, timeout_ms: float) -> list[ConsumerRecord]:
        """At most so many; none when the time is over, or when there is a change to settle."""
        with self._alone():
            return self._some(count_max) if await self._has_some(timeout_ms) else []

    def _some(self, count_max: int) -> list[ConsumerRecord]:
        if self._unread is None:  # its partition has gone meanwhile
            return []
        found = self._unread.take(count_max)
        place = self.places.places[self._unread.chunk.part]
        place.advance(self._unread.position, self._unread.epoch)
        return found

    async def chunk(self, timeout_ms: float) -> Chunk | None:
        """What came for some partition, or is left of that; its position is behind it."""
        with self._alone():
            if not await self._has_some(timeout_ms) or self._unread is None:
                return None
        rest = self._unread.take_all()
        self.places.places[rest.part].advance(rest.end, rest.last_epoch)
        return rest

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """As with Java's consumer: two that read at once would each have some of the records."""
        if self._is_asked:
            raise ConcurrentUseError("the consumer")
        self._is_asked = True
        try:
            yield
        finally:
            self._is_asked = False

    async def _has_some(self, timeout_ms: float) -> bool:
        """Whether something is there to be returned, in time."""
        if self._unread is None or self._unread.is_over:
            return await self._next_chunk(timeout_ms) is not None
        await self._asked_for_more()
        return True

    def put_back(self, offset: int) -> None:
        """The user has not taken what was returned last from this offset on: it comes again."""
        place = None if self._unread is None else self.places.places.get(self._unread.chunk.part)
        if self._unread is not None and place is not None:
            self._unread.put_back(offset)
            place.advance(offset, self._unread.epoch)

    async def _next_chunk(self, timeout_ms: float) -> Chunk | None:
        """From the next partition that has one."""
        await self._asked_for_more()
        deadline_ms = self._world.now_ms() + timeout_ms
        while not self._has_news():
            if not await self._has_begun(deadline_ms):
                return None
            chunk = await self._ready()
            if chunk is not None:
                place, checks = self.places.places[chunk.part], self._settings.check_crcs
                self._unread = Unread(chunk, check_checksums=checks, epoch=place.epoch)
                place.position = chunk.start
                return chunk
            left_ms = deadline_ms - self._world.now_ms()
            if left_ms <= 0:
                return None
            if not self._has_idle() and not await self._wait(left_ms):
                return None
        return None

    async def _has_begun(self, deadline_ms: float) -> bool:
        """Whether it is known in time where to begin; else that goes on for the next poll."""
        left_ms = max(deadline_ms - self._world.now_ms(), 0)
        if not self.places.unknown():
            await self._begin_reading()
            return True
        try:
            async with self._world.tasks.deadline(left_ms):
                await self._begin_reading()
        except TimeoutError:
            return False
        return True

    def _has_idle(self) -> bool:
        """Whether a reading has ended, and goes on elsewhere."""
        places = self.places.places.values()
        return any(place.reading is None and not place.is_paused for place in places)

    def _has_news(self) -> bool:
        return self.runner.change is not None or self.runner.error is not None

    async def _asked_for_more(self) -> None:
        """What was returned before is done with."""
        self._ensure_open()
        subscribed = self.state.topics or self.state.server_pattern or self._pattern
        if not self._is_manual and not subscribed:
            raise InvalidArgumentError(
                "this consumer reads nothing: subscribe it to topics, or assign partitions to it"
            )
        self.places.consume()
        now_ms = self._world.now_ms()
        interval_ms = self._settings.auto_commit_interval_ms
        has_group = self._settings.group_id is not None and self._settings.enable_auto_commit
        if has_group and now_ms - self._committed_ms >= interval_ms:
            self._committed_ms = now_ms
            self.committing.begin(None)  # what fails is made good by the next one
        is_old = now_ms - self._looked_ms >= self._settings.metadata_max_age_ms
        if is_old and (self.state.topics or self._pattern is not None):
            await self._look_around()

    async def _look_around(self) -> None:
        """Topics that match a pattern, and partitions that were added."""
        self._looked_ms = self._world.now_ms()
        if self._pattern is None:
            names = sorted(self.state.topics)
            await self._driver.hold(refresh_now(self._context, names))
            return
        found = await self._driver.hold(list_topics(self._context, self._looked_ms))
        pattern = self._pattern
        names = [one.name for one in found if not one.is_internal and pattern.fullmatch(one.name)]
        self.state.topics = frozenset(names)
        self.runner.wake()

    async def _begin_reading(self) -> None:
        """Find out where to begin, and have everything fetched that may be."""
        while self.places.unknown():
            await self._looking.wait(self._find_beginnings)
        for place in self.places.places.values():
            if place.reading is None and not place.is_paused and place.position is not None:
                size = self._settings.max_partition_fetch_bytes
                place.reading = Reading(place.part, place.position, ENDLESS, size)
                place.reading.last_epoch = place.epoch
                self._inboxes[place.part] = self._fetching.begin(place.reading)
                self._turn.append(place.part)

    async def _find_beginnings(self) -> None:
        """Of all that are unknown now; the user may seek elsewhere meanwhile."""
        unknown = self.places.unknown()
        wanted = {place.part: place.seek_time for place in unknown}
        now_ms, wall_ms = self._world.now_ms(), self._world.clock.now_ms()
        dialogue = find_beginnings(self._context, self._settings, wanted, now_ms, wall_ms)
        found = await self._driver.hold(dialogue)
        for place in unknown:
            if place.position is None and place.seek_time == wanted[place.part]:
                place.move(found[place.part].offset, found[place.part].wire_epoch)

    async def _ready(self) -> Chunk | None:
        """A chunk that is there, of the partitions in turn."""
        for _ in range(len(self._turn)):
            part = self._turn[0]
            self._turn.rotate(-1)
            inbox = self._inboxes[part]
            if inbox.chunks:
                chunk = await self._fetching.take(inbox)
                assert chunk is not None, "there is one"
                return chunk
            if inbox.error is not None:
                await self._recover(self.places.places[part], inbox.error)
        return None

    async def _recover(self, place: Place, error: ClientError) -> None:
        """What ended a reading: go on elsewhere, or raise it."""
        self._leave_off(place)
        match error:
            case LogTruncatedError():
                self._reset(place, error)
                place.move(error.end_offset)
            case OffsetGoneError():
                time = self._reset(place, error)
                now_ms = self._world.now_ms()
                dialogue = look_up(self._context, {place.part: time}, self._isolation, now_ms)
                place.move((await self._driver.hold(dialogue))[place.part])
            case UnknownTopicError() if not self._is_manual:
                await self._world.tasks.sleep(RETRY_MS)
            case _:
                raise error

    def _reset(self, place: Place, error: OffsetGoneError | LogTruncatedError) -> int:
        if self._settings.auto_offset_reset.lower() == "none":
            raise error
        return reset_time(self._settings, place.part, self._world.clock.now_ms())

    async def _wait(self, duration_ms: float) -> bool:
        """Until something may be there; False when the time is over."""
        waiter: Promise[None] = self._world.tasks.promise()
        for inbox in self._inboxes.values():
            inbox.waiter = waiter
        self.runner.listener = waiter
        try:
            async with self._world.tasks.deadline(duration_ms):
                await waiter.wait()
        except TimeoutError:
            return False
        finally:
            self.runner.listener = None
        self._ensure_open()
        return True

    # offsets

    async def commit(
        self, offsets: Mapping[TopicPartition, int] | None, metadata: str = ""
    ) -> None:
        """These, or everything that was returned."""
        self._ensure_open()
        self._group()
        if offsets is None:
            self.places.consume()
        await self.committing.commit(offsets, metadata)

    def begin_commit(
        self,
        offsets: Mapping[TopicPartition, int] | None,
        metadata: str,
        on_commit: OnCommit | None,
    ) -> None:
        """The same without waiting."""
        self._ensure_open()
        self._group()
        if offsets is None:
            self.places.consume()
        self.committing.begin(offsets, metadata, on_commit)

    def _committer(self) -> Membership:
        return self.state.membership if self.runner.is_running else Membership(self._group())

    async def _commit_consumed(self, parts: Collection[TopicPartition] | None = None) -> None:
        if self._settings.group_id is None or not self._settings.enable_auto_commit:
            return
        try:
            await self.committing.commit(None, of=parts)
        except (CommitFailedError, ClientError) as error:
            log.warning("%s", error)

    async def committed(
        self, parts: Collection[TopicPartition]
    ) -> dict[TopicPartition, int | None]:
        dialogue = fetch_offsets(self._context, self._group(), parts, self._world.now_ms())
        return await self._driver.hold(dialogue)

    async def look_up(self, times: Mapping[TopicPartition, int]) -> dict[TopicPartition, int]:
        """Where these times or places are; the end, where no record is that late."""
        dialogue = look_up(self._context, times, self._isolation, self._world.now_ms())
        return await self._driver.hold(dialogue)

    async def partitions(self, topic: str) -> list[int]:
        (found,) = await self._driver.hold(
            learn_topics(self._context, [topic], self._world.now_ms())
        )
        return list(found.leaders)

    # places

    def place(self, part: TopicPartition) -> Place:
        """Of a partition that is read here."""
        place = self.places.places.get(part)
        if place is None:
            raise InvalidArgumentError(f"{part} is not assigned to this consumer")
        return place

    def seek(self, part: TopicPartition, offset: int) -> None:
        """Go on there."""
        place = self.place(part)
        self._forget_fetched(place)
        place.move(offset)

    def seek_time(self, part: TopicPartition, time: int) -> None:
        """Go on at a time or a place of the log, which is looked up with the next poll."""
        place = self.place(part)
        self._forget_fetched(place)
        place.seek(time)

    def pause(self, part: TopicPartition, *, is_paused: bool) -> None:
        place = self.place(part)
        if is_paused and not place.is_paused:
            self._forget_fetched(place)
        place.is_paused = is_paused

    async def position(self, part: TopicPartition) -> int:
        """The next offset that is returned."""
        place = self.place(part)
        if place.position is None:
            await self._begin_reading()
        assert place.position is not None, "it has been found out"
        return place.position

    def _forget_fetched(self, place: Place) -> None:
        self._looking.forget_error()
        self._leave_off(place)
        if self._unread is not None and self._unread.chunk.part == place.part:
            self._unread = None

    # the end

    async def close(self, timeout_ms: float) -> None:
        """Commit what was returned, leave the group, and let go of everything."""
        if self._is_closed:
            return
        try:
            async with self._world.tasks.deadline(timeout_ms):
                self.places.consume()
                await self._commit_consumed()
                await self.committing.all_done()
                await self.runner.leave()
                await self._telemetry.end()
        except TimeoutError:
            pass
        finally:
            self._is_closed = True
            self._looking.stop()
            self.committing.stop()
            self._telemetry.stop()
            self._fetching.close()
            self._pool.close()

    def _group(self) -> str:
        if self._settings.group_id is None:
            raise InvalidArgumentError(
                "this consumer has no group: give it one by group_id=, or assign partitions to it"
            )
        return self._settings.group_id

    def _ensure_open(self) -> None:
        if self._is_closed:
            raise ClosedError("the consumer")
        self._world.ensure_here()
