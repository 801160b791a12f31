"""Runs a consumer: its membership, its places, and the fetches of what it may read."""

from __future__ import annotations

import logging
import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress

from moldau.client.aio.committing import Committing, OnCommit
from moldau.client.aio.driver import Driver
from moldau.client.aio.fetching import Fetching, Inbox
from moldau.client.aio.membership import MembershipRunner
from moldau.client.aio.pool import Lane, Pool
from moldau.client.aio.telemetry import TelemetryRunner
from moldau.client.aio.topic_watch import TopicWatch
from moldau.client.aio.under_way import UnderWay
from moldau.client.aio.world import ClientWorld
from moldau.client.core.committed_offset import CommittedOffset
from moldau.client.core.consuming.beginnings import find_beginnings, look_up
from moldau.client.core.consuming.classic import classic_membership
from moldau.client.core.consuming.epochs import epoch_membership
from moldau.client.core.consuming.group_state import (
    Change,
    GroupState,
    MemberDialogue,
    drawn_member_id,
)
from moldau.client.core.consuming.places import Place, Places
from moldau.client.core.consuming.records import ConsumerRecord
from moldau.client.core.consuming.recovery import recover
from moldau.client.core.consuming.returned import Returned
from moldau.client.core.consuming.subscription import Subscription
from moldau.client.core.context import ClientContext
from moldau.client.core.fetching.chunk import Chunk
from moldau.client.core.group_member import Membership
from moldau.client.core.group_offsets import fetch_offsets
from moldau.client.core.metadata import find_topics
from moldau.client.core.offset_lookups import Isolation
from moldau.client.errors import (
    ClientError,
    ClosedError,
    CommitFailedError,
    ConcurrentUseError,
    FencedError,
    NameTakenError,
)
from moldau.client.settings.consumer import ConsumerSettings
from moldau.client.topic_partition import TopicPartition
from moldau.platform.ports.tasks import Promise
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["Consuming"]

log = logging.getLogger(__name__)


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
        self._isolation = Isolation[settings.isolation_level.upper()]
        self._fetching = Fetching(world, context, self._pool, self._driver, self._isolation)
        self._inboxes: dict[TopicPartition, Inbox] = {}
        self._turn: deque[TopicPartition] = deque()
        self.places = Places()
        self._returned = Returned(self.places, check_checksums=settings.check_crcs)
        context.meter.gauges["coordinator.assigned.partitions"] = lambda: len(self.places.places)
        self.state = GroupState(settings.group_id or "", settings.group_instance_id)
        groups = Driver(world, self._pool, limit_ms, Lane.GROUPS)
        self.runner = MembershipRunner(world, groups, self.state)
        self._subscription = Subscription(settings, self.state, world.now_ms())
        self._watch = TopicWatch(
            world, context, self._driver, self._subscription, self.state, self.runner.wake
        )
        self._looking = UnderWay(world, "beginnings")
        self.committing = Committing(world, context, self._driver, self.places, self._committer)
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
        self._begin_anew()
        self._subscription.subscribe(topics, pattern, server_pattern)
        if pattern is not None:
            await self._watch.look()
        if not self.runner.is_running:
            self.state.is_leaving, self.state.polled_ms = False, self._world.now_ms()
            self.runner.start(self._dialogue())
        self.runner.wake()

    def assign(self, parts: Collection[TopicPartition]) -> None:
        """Read exactly these, whatever others read."""
        self._ensure_open()
        self._subscription.assign(parts, is_member=self.runner.is_running)
        self._measure()
        self._stop_reading([part for part in self.places.places if part not in parts])
        self.places.add(parts)

    def _measure(self) -> None:
        if self._settings.enable_metrics_push:
            self._telemetry.start()

    async def unsubscribe(self) -> None:
        """Leave the group, or let go of what was assigned."""
        self._subscription.clear()
        if self.runner.is_running:
            self.places.consume()
            await self._commit_consumed()
            await self.runner.leave()
        self._forget_membership()

    def _begin_anew(self) -> None:
        """After a failure that another subscription may mend, such as a wrong pattern."""
        error = self.runner.error
        if isinstance(error, FencedError) and not isinstance(error, NameTakenError):
            raise error  # or it would take the name back
        if error is not None:
            self._forget_membership()

    def _forget_membership(self) -> None:
        self.runner.change = self.runner.error = None
        self.state.is_settled = True
        self.state.owned = frozenset()
        self._stop_reading(list(self.places.places))

    def _dialogue(self) -> MemberDialogue:
        if not self._settings.is_epoch_protocol:
            return classic_membership(self._context, self._settings, self.state)
        member_id = self.state.member_id or drawn_member_id(self._world.random)
        return epoch_membership(self._context, self._settings, self.state, member_id)

    # changes

    async def before_change(self) -> Change | None:
        """What is to be settled: with a loss nothing is committed, else what was consumed is."""
        self._ensure_member()
        self.places.consume()
        change = self.runner.change
        if change is None:
            return None
        if change.revoked and not change.is_loss and self._subscription.commits_by_itself:
            await self._commit_consumed(change.revoked)
        return change

    def settle(self, change: Change) -> None:
        """After the user's listener, for what went, and before it, for what comes.

        Another change may have taken its place while the listener was called.
        """
        if change is not self.runner.change:
            return
        self._stop_reading(change.revoked)
        self.places.add(change.assigned)
        self.runner.settled()

    async def before_leaving(self, timeout_ms: float) -> Change:
        """What goes with the membership; it is lost where that has failed, or is about to."""
        if self._subscription.is_manual:
            return Change()
        self.places.consume()
        is_loss = self._is_lost
        if not is_loss:
            with suppress(TimeoutError):
                async with self._world.tasks.deadline(timeout_ms):
                    await self._commit_consumed()
        return Change(frozenset(self.places.places), is_loss=is_loss)

    def _stop_reading(self, parts: Collection[TopicPartition]) -> None:
        for place in self.places.remove(list(parts)):
            self._leave_off(place)
        self._returned.forget(parts)

    def _leave_off(self, place: Place) -> None:
        inbox = self._inboxes.pop(place.part, None)
        if inbox is not None:
            self._fetching.leave_off(inbox)
        place.end_reading()
        if place.part in self._turn:
            self._turn.remove(place.part)

    # records

    async def records(self, count_max: int, timeout_ms: float) -> list[ConsumerRecord]:
        """At most so many; none when the time is over, or when there is a change to settle."""
        with self._alone():
            return self._returned.take(count_max) if await self._has_some(timeout_ms) else []

    async def chunk(self, timeout_ms: float) -> Chunk | None:
        """What came for some partition, or is left of that; its position is behind it."""
        with self._alone():
            return self._returned.take_all() if await self._has_some(timeout_ms) else None

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """As with Java's consumer: two that read at once would each have some of the records."""
        if self._is_asked:
            raise ConcurrentUseError("the consumer")
        self._is_asked, self.state.polled_ms = True, None
        try:
            yield
        finally:
            self._is_asked, self.state.polled_ms = False, self._world.now_ms()

    async def _has_some(self, timeout_ms: float) -> bool:
        """Whether something is there to be returned, in time."""
        self._asked_for_more()
        return self._returned.has_more or await self._next_chunk(timeout_ms) is not None

    def put_back(self, offset: int) -> None:
        """The user has not taken what was returned last from this offset on: it comes again."""
        self._returned.put_back(offset)

    async def _next_chunk(self, timeout_ms: float) -> Chunk | None:
        """From the next partition that has one."""
        deadline_ms = self._world.now_ms() + timeout_ms
        while not self._has_news():
            if not await self._has_begun(deadline_ms):
                return None
            chunk = await self._ready()
            if chunk is not None:
                self._returned.begin(chunk)
                return chunk
            now_ms = self._world.now_ms()
            if now_ms >= deadline_ms:
                return None
            self._watch.look_if_due(now_ms)
            if not self.places.readable():
                await self._wait(min(deadline_ms - now_ms, self._subscription.idle_ms(now_ms)))
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

    def _has_news(self) -> bool:
        return self.runner.change is not None or self.runner.error is not None

    def _asked_for_more(self) -> None:
        """What was returned before is done with."""
        self._ensure_open()
        self._subscription.ensure_reads()
        self.places.consume()
        now_ms = self._world.now_ms()
        if self._subscription.commit_is_due(now_ms):
            self.committing.begin(None)  # what fails is made good by the next one
        self._watch.look_if_due(now_ms)

    async def _begin_reading(self) -> None:
        """Find out where to begin, and have everything fetched that may be."""
        while self.places.unknown():
            await self._looking.wait(self._find_beginnings)
        max_bytes = self._settings.max_partition_fetch_bytes
        readings = [
            place.begin_reading(max_bytes)
            for place in self.places.readable()
            if place.position is not None
        ]
        for inbox in self._fetching.begin(readings):
            self._inboxes[inbox.reading.part] = inbox
            self._turn.append(inbox.reading.part)

    async def _find_beginnings(self) -> None:
        """Of all that are unknown now; the user may seek elsewhere meanwhile."""
        wanted = self.places.wanted()
        now_ms, wall_ms = self._world.now_ms(), self._world.clock.now_ms()
        dialogue = find_beginnings(self._context, self._settings, wanted, now_ms, wall_ms)
        self.places.begin_at(wanted, await self._driver.hold(dialogue))

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
        dialogue = recover(
            self._context,
            self._settings,
            place.part,
            error,
            self._world.now_ms(),
            self._world.clock.now_ms(),
            is_assigned_by_group=not self._subscription.is_manual,
        )
        position = await self._driver.hold(dialogue)
        if position is not None:
            place.move(position)

    async def _wait(self, duration_ms: float) -> None:
        """Until something may be there, or the time is over."""
        waiter: Promise[None] = self._world.tasks.promise()
        for inbox in self._inboxes.values():
            inbox.waiter = waiter
        self.runner.listener = waiter
        try:
            async with self._world.tasks.deadline(duration_ms):
                await waiter.wait()
        except TimeoutError:
            return
        finally:
            self.runner.listener = None
        self._ensure_open()

    # offsets

    async def commit(
        self, offsets: Mapping[TopicPartition, CommittedOffset] | None, metadata: str = ""
    ) -> None:
        """These, or everything that was returned."""
        self._ensure_open()
        self._group()
        self._ensure_not_lost()
        if offsets is None:
            self.places.consume()
        await self.committing.commit(offsets, metadata)

    def begin_commit(
        self,
        offsets: Mapping[TopicPartition, CommittedOffset] | None,
        metadata: str,
        on_commit: OnCommit | None,
    ) -> None:
        """The same without waiting."""
        self._ensure_open()
        self._group()
        self._ensure_not_lost()
        if offsets is None:
            self.places.consume()
        self.committing.begin(offsets, metadata, on_commit)

    def _committer(self) -> Membership:
        return self.state.membership if self.runner.is_running else Membership(self._group())

    async def _commit_consumed(self, parts: Collection[TopicPartition] | None = None) -> None:
        """Nothing where the membership is lost: others go on with the group's partitions."""
        if not self._subscription.commits_by_itself or self._is_lost:
            return
        try:
            await self.committing.commit(None, of=parts)
        except (CommitFailedError, ClientError) as error:
            log.warning("%s", error)

    async def committed(
        self, parts: Collection[TopicPartition]
    ) -> dict[TopicPartition, int | None]:
        dialogue = fetch_offsets(
            self._context, self._subscription.group, parts, self._world.now_ms()
        )
        return await self._driver.hold(dialogue)

    async def look_up(self, times: Mapping[TopicPartition, int]) -> dict[TopicPartition, int]:
        """Where these times or places are; the end, where no record is that late."""
        dialogue = look_up(self._context, times, self._isolation, self._world.now_ms())
        return await self._driver.hold(dialogue)

    async def partitions(self, topic: str) -> list[int]:
        (found,) = await self._driver.hold(
            find_topics(self._context, [topic], self._world.now_ms())
        )
        return list(found.leaders)

    # places

    def place(self, part: TopicPartition) -> Place:
        """Of a partition that is read here."""
        return self.places.at(part)

    def seek(self, part: TopicPartition, wanted: CommittedOffset) -> None:
        """Go on there."""
        place = self.place(part)
        self._forget_fetched(place)
        place.move(wanted.offset, wanted.wire_epoch)

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
        self._returned.forget([place.part])

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
            self._watch.stop()
            self.committing.stop()
            self._telemetry.stop()
            self._fetching.close()
            self._pool.close()

    def _group(self) -> str:
        """Or why there is none."""
        return self._subscription.group

    def _ensure_member(self) -> None:
        """One that was fenced would commit as a stranger, to a group that may be empty by then."""
        if self.runner.error is not None:
            raise self.runner.error

    def _ensure_not_lost(self) -> None:
        """Nor does one commit that has lost its partitions, until it has joined again."""
        self._ensure_member()
        if self._is_lost:
            raise CommitFailedError(self._group(), ErrorCode.UNKNOWN_MEMBER_ID)

    @property
    def _is_lost(self) -> bool:
        """Others have its partitions: it has failed, or has yet to hand them over."""
        error, change = self.runner.error, self.runner.change
        return error is not None or (change is not None and change.is_loss)

    def _ensure_open(self) -> None:
        if self._is_closed:
            raise ClosedError("the consumer")
        self._world.ensure_here()
