"""One fetcher: a task that fetches some partitions of one leader, in a session on one connection.

    all that are due ──► fetch ──► append each, and note where to go on ──► …
                           │ lost, too late: session and connection begin anew after a pause
                           └ interrupted: added ones are fetched at once, not when the leader has
                             answered what was asked before

A leader holds a fetch that finds nothing for `replica.fetch.wait.max.ms`. A partition whose leader
has just changed may not wait so long, for its producers wait for its followers. So one that is
added ends the fetch that is under way, unless the session is large: to begin it anew costs more.
While partitions are added one after the other, as when topics are, that is not done for each: the
larger the session, the longer until it is interrupted again.

Where many answers in a row had nothing, and none of the logs is behind, the leader is asked to hold
the next ones longer: it answers all the same as soon as there is a byte, so only idle brokers have
less to do.
"""

from __future__ import annotations

import logging
from typing import Final

from moldau.broker.replica.fetching import Divergence
from moldau.broker.runtime.replication.answer_reader import AnswerReader
from moldau.broker.runtime.replication.answers import Demand, PartitionAnswer, demand_of
from moldau.broker.runtime.replication.ends import ask_ends
from moldau.broker.runtime.replication.fetch_session import FetchSession
from moldau.broker.runtime.replication.followed import Followed, PartitionKey
from moldau.broker.runtime.replication.pauses import Pauses
from moldau.broker.runtime.replication.ports import Channel, FetchSettings, FollowerWorld
from moldau.broker.runtime.replication.taking import Taken, Taking
from moldau.errors import KafkaError, NetworkError
from moldau.platform.ports.tasks import Timer
from moldau.platform.wakeable_sleep import WakeableSleep
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["Fetcher"]

log = logging.getLogger(__name__)

INTERRUPTED_MAX: Final = 1_000
"""Partitions of a session that is begun anew where one is added."""
RELISTED_NS: Final = 250_000
"""For each partition of a session that was begun anew, before it is again: 250 ms for 1,000, where
both sides need about 10 us to list one."""
QUIET_ANSWERS: Final = 10
"""So many without news in a row, and nothing is expected: with the default, after five seconds."""
QUIET_WAIT_MS: Final = 2_000
"""How long a leader may hold a fetch then."""
NS_PER_MS: Final = 1_000_000
UNREACHED_TRIES: Final = 10
"""A leader that has ended is followed by another before; so many take some seconds."""
ABOUT_SESSIONS: Final = frozenset(
    {
        ErrorCode.FETCH_SESSION_ID_NOT_FOUND,
        ErrorCode.INVALID_FETCH_SESSION_EPOCH,
        ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR,
    }
)
"""After these the session begins anew, at once."""
UNREACHABLE: Final = (NetworkError, TimeoutError, KafkaError)


class Fetcher:
    """Fetches from one leader."""

    def __init__(self, leader_id: int, world: FollowerWorld, taking: Taking) -> None:
        self.leader_id = leader_id
        self.failures = 0
        """Fetches that went wrong since the last one that did not."""
        self._world = world
        self._taking = taking
        self._session = FetchSession()
        self._all: dict[PartitionKey, Followed] = {}
        self._added: dict[PartitionKey, Followed] = {}
        self._delayed: dict[PartitionKey, Followed] = {}
        self._channel: Channel | None = None
        self._pauses = Pauses()
        self._sleep = WakeableSleep(world.tasks)
        self._quiet_answers = 0
        """Those in a row that had no news."""
        self._diverged: list[tuple[Followed, Divergence]] = []
        """By the answer that is being read, as are the following."""
        self._outside: list[Followed] = []
        self._within: list[tuple[Followed, PartitionAnswer]] = []
        self._is_asking = False
        self._is_interrupted = False
        self._interruptible_ns = 0
        """Not interrupted before."""
        self._interrupting: Timer | None = None
        """What interrupts the fetch that is under way then."""
        self._is_stopping = False

    def __repr__(self) -> str:
        return f"Fetcher(from {self.leader_id}, {len(self._all)} partitions)"

    def __len__(self) -> int:
        return len(self._all)

    @property
    def max_lag(self) -> int:
        """The records that the partition furthest behind lacks."""
        return max((followed.lag for followed in self._all.values()), default=0)

    @property
    def failed_count(self) -> int:
        """Partitions of which nothing is fetched in this epoch any more."""
        return sum(followed.is_failed for followed in self._all.values())

    # What it is to fetch.

    def follow(self, followed: Followed) -> None:
        """Fetch this one from now on, at once."""
        self.unfollow(followed.key)
        self._all[followed.key] = self._added[followed.key] = followed
        self._quiet_answers = 0
        self._interrupt()
        self._sleep.wake()

    def unfollow(self, key: PartitionKey) -> None:
        """Not this one any more; an answer that is under way will not find it."""
        for known in (self._all, self._added, self._delayed):
            known.pop(key, None)
        self._session.leave(key)

    def ask_again(self) -> None:
        """Send soon how far the logs are, where the leader holds a fetch for long."""
        if self._quiet_answers >= QUIET_ANSWERS:
            self._quiet_answers = 0
            self._interrupt()

    def stop(self) -> None:
        """End soon."""
        self._is_stopping = True
        if self._channel is not None:
            self._channel.close()
        self._sleep.wake()

    def _interrupt(self) -> None:
        """End the fetch that is under way: now, or when it may be."""
        size = len(self._session.wanted)
        if not self._is_asking or self._is_interrupted or size > INTERRUPTED_MAX:
            return
        now_ns = self._world.clock.monotonic_ns()
        if now_ns < self._interruptible_ns:
            wait_ms = (self._interruptible_ns - now_ns) / NS_PER_MS
            if self._interrupting is None:
                self._interrupting = self._world.tasks.after(wait_ms, self._interrupt_late)
            return
        self._interruptible_ns = now_ns + size * RELISTED_NS
        self._is_interrupted = True
        assert self._channel is not None
        self._channel.close()

    def _interrupt_late(self) -> None:
        self._interrupting = None
        self._interrupt()

    def _spare(self) -> None:
        """What is asked next lists all that was to be: it need not be interrupted."""
        if self._interrupting is not None:
            self._interrupting.cancel()
            self._interrupting = None

    # The loop.

    async def run(self) -> None:
        """Fetch until it is stopped."""
        while not self._is_stopping:
            await self._admit()
            self._bring_back()
            self._hold_back()
            if self._session.wanted:
                await self._fetch()
            else:
                await self._rest(self._until_due_ms())
        self._spare()
        self._disconnect()

    async def _admit(self) -> None:
        """Those that were added begin where their log ends."""
        while self._added:
            key, followed = self._added.popitem()
            is_ready = await self._taking.cut_unknown(followed)
            if self._all.get(key) is not followed:
                continue
            if is_ready:
                self._session.change(followed)
            else:
                self._fail(followed)

    def _bring_back(self) -> None:
        """Those whose pause is over."""
        if self._delayed:
            now_ms = self._now_ms()
            for key, followed in list(self._delayed.items()):
                if followed.delayed_until_ms <= now_ms:
                    del self._delayed[key]
                    self._session.change(followed)

    def _hold_back(self) -> None:
        """Leave out those that are throttled and behind, while too much has come of them."""
        replicas = self._world.replicas
        wait_ms = replicas.from_leaders.wait_ms()
        if not wait_ms:
            return
        for followed in list(self._session.wanted.values()):
            if not followed.has_caught_up and replicas.is_throttled_here(followed.partition):
                self._delay_for(followed, wait_ms)

    async def _fetch(self) -> None:
        self._diverged, self._outside, self._within = [], [], []
        reader = AnswerReader(self._take)
        if not await self._ask(reader):
            return
        if self._session.answered(reader.error_code, reader.session_id):
            self._pauses.reset()
            self.failures = 0
            self._quiet_answers = 0 if reader.count else self._quiet_answers + 1
            await self._repair()
        elif reader.error_code not in ABOUT_SESSIONS:
            await self._pause(f"it refuses with error {reader.error_code}")

    async def _ask(self, reader: AnswerReader) -> bool:
        """Whether the leader has answered, and the answer was read; else after a pause."""
        world, settings = self._world, self._world.settings()
        channel = self._channel = self._channel or world.reach(self.leader_id)
        if channel is None:
            await self._pause("the metadata have no address of it")
            return False
        wait_ms = self._wait_ms(settings)
        node_id, epoch = world.replicas.node_id, world.broker_epoch()
        request = self._session.request(settings, node_id, epoch, wait_ms)
        self._spare()
        self._is_asking = True
        failure: Exception | None = None
        try:
            await channel.ask_with(reader, request, settings.replica_socket_timeout_ms)
        except UNREACHABLE as error:
            failure = error  # and no wait in here: a compiled one would show it to other tasks
        self._is_asking = False
        if failure is not None:
            await self._lost(failure)
            return False
        if self._is_interrupted:  # too late: the answer had come already
            self._is_interrupted, self._channel = False, None
        return True

    def _wait_ms(self, settings: FetchSettings) -> int:
        wait_ms = settings.replica_fetch_wait_max_ms
        is_quiet = self._quiet_answers >= QUIET_ANSWERS and settings.replica_fetch_min_bytes <= 1
        return max(wait_ms, QUIET_WAIT_MS) if is_quiet and not self.max_lag else wait_ms

    async def _lost(self, error: Exception) -> None:
        self._disconnect()
        if self._is_interrupted:
            self._is_interrupted = False
        elif not self._is_stopping:
            await self._pause(str(error) or "no answer in time")

    def _disconnect(self) -> None:
        self._session.reset()
        if self._channel is not None:
            self._channel.close()
            self._channel = None

    async def _pause(self, reason: str) -> None:
        """Log the first failure of a row, and one that is no accident; wait each time longer."""
        if not self.failures:
            log.info("Broker %d cannot be fetched from: %s", self.leader_id, reason)
        self.failures += 1
        if self.failures == UNREACHED_TRIES:
            log.warning(
                "Broker %d leads partitions that it does not give to this one, whose replicas stay "
                "behind: %s; see whether its advertised.listeners are reached from here",
                self.leader_id, reason,
            )  # fmt: skip
        await self._rest(self._pauses.next_ms(self._world.settings().replica_fetch_backoff_ms))

    # What has come.

    def _take(self, answer: PartitionAnswer) -> None:
        """Append what came of one partition, or note what else is to be done about it."""
        followed = self._session.wanted.get((answer.topic_id, answer.index))
        if followed is None:
            return
        demand = demand_of(answer)
        if demand is Demand.APPEND:
            self._append(followed, answer)
        elif demand is Demand.FIND_RANGE:
            self._outside.append(followed)
        elif answer.divergence is not None:
            self._diverged.append((followed, answer.divergence))
        else:
            self._refused(followed, answer.error_code)

    async def _repair(self) -> None:
        """What takes the disk, or another question."""
        if self._diverged:
            await self._cut(self._diverged)
        for followed in self._outside:
            await self._find_range(followed)
        for followed, answer in self._within:
            taken = await self._taking.begin_within(followed, answer)
            if self._all.get(followed.key) is followed:
                self._taken(followed, taken)

    def _append(self, followed: Followed, answer: PartitionAnswer) -> None:
        taken = self._taking.append(followed, answer)
        if taken is Taken.WITHIN:
            answer.records = memoryview(bytes(answer.records))  # until all of the answer is read
            self._within.append((followed, answer))
        else:
            self._taken(followed, taken)

    def _taken(self, followed: Followed, taken: Taken) -> None:
        if taken is Taken.GROWN:
            self._session.change(followed)
        elif taken is Taken.LATER:
            self._delay(followed)
        elif taken is Taken.FAILED:
            self._fail(followed)

    def _refused(self, followed: Followed, code: int) -> None:
        name = ErrorCode.read(code).name
        if code == ErrorCode.FENCED_LEADER_EPOCH:
            log.info("%r is over: its leader answered %s", followed, name)
            self._fail(followed)
            return
        log.debug("%r is refused for now: %s", followed, name)
        self._delay(followed)

    async def _cut(self, diverged: list[tuple[Followed, Divergence]]) -> None:
        cut = await self._taking.cut(diverged)
        for followed, _ in diverged:
            if self._all.get(followed.key) is not followed:
                continue
            if followed in cut:
                self._session.change(followed)
            else:
                self._delay(followed)

    async def _find_range(self, followed: Followed) -> None:
        channel, settings = self._channel, self._world.settings()
        if channel is None:
            return
        try:
            ends = await ask_ends(
                channel,
                self._world.replicas.node_id,
                followed,
                settings.replica_socket_timeout_ms,
            )
            is_ready = await self._taking.begin_in_range(followed, ends)
        except UNREACHABLE as error:
            log.info("%r has no range of its leader's log: %s", followed, error)
            is_ready = False
        if self._all.get(followed.key) is followed:
            if is_ready:
                self._session.change(followed)
            else:
                self._delay(followed)

    # Pauses.

    def _delay(self, followed: Followed) -> None:
        longest_ms = self._world.settings().replica_fetch_backoff_ms
        self._delay_for(followed, followed.pauses.next_ms(longest_ms))

    def _delay_for(self, followed: Followed, pause_ms: int) -> None:
        self._session.leave(followed.key)
        followed.delayed_until_ms = self._now_ms() + pause_ms
        self._delayed[followed.key] = followed

    def _fail(self, followed: Followed) -> None:
        """Fetch nothing of it until the metadata say something else."""
        followed.is_failed = True
        self._session.leave(followed.key)

    def _until_due_ms(self) -> int | None:
        due_ms = min((one.delayed_until_ms for one in self._delayed.values()), default=None)
        return None if due_ms is None else max(due_ms - self._now_ms(), 1)

    async def _rest(self, duration_ms: int | None) -> None:
        """Wait so long, or until there is something else to do."""
        if self._is_stopping or self._added:
            return
        await self._sleep.wait(duration_ms)

    def _now_ms(self) -> int:
        return self._world.clock.monotonic_ns() // NS_PER_MS
