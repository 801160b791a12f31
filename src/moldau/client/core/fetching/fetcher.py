"""Decides which broker is asked for what, and what its answers mean: a state machine.

    step(event, now_ms) → effects, and when to be stepped again at the latest

Many readings share it. Those that are wanted, and whose partitions one broker leads, are asked for
in one fetch, in one session; a broker has one fetch at a time. A reading gets one chunk each time
that it is wanted. A caller that wants the next chunk before looking into the one that came has the
request on its way while it looks: that is all there is to reading ahead.

A fetch of nothing but partitions that are read to their ends waits at the broker, and until it is
answered the broker is asked for nothing else. So while chunks of the same broker are here that the
caller has not taken, such a fetch does not wait, and is sent now and then only: what the caller
wants next is asked for at once (Java's consumer sends none meanwhile, KAFKA-17182).

Nothing that can pass by itself ends a reading: a leader that moved, a broker that is away, a
session that was dropped. They are tried again until `default.api.timeout.ms` is over without any
success. What cannot pass ends it at once, with a sentence.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple, assert_never

from moldau.client.core.cluster import Leader
from moldau.client.core.context import ClientContext
from moldau.client.core.fetching.answers import Verdict, judge_row
from moldau.client.core.fetching.broker_fetch import BrokerFetch
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
from moldau.client.core.fetching.reading import Reading
from moldau.client.core.metadata import UNKNOWN_TRIES_MAX
from moldau.client.core.offset_lookups import Isolation
from moldau.client.errors import (
    ClientError,
    OffsetGoneError,
    RefusedError,
    TimedOutError,
    UnknownTopicError,
    UnsupportedVersionError,
    refusal,
)
from moldau.errors import MoldauError
from moldau.protocol.messages.data.fetch import FetchResponse
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["Effects", "Fetcher"]


class Effects(NamedTuple):
    """The effects of a step, in order, and when the next is due."""

    effects: list[Effect]
    wake_at_ms: float | None


class Fetcher:
    """All readings of one isolation level."""

    def __init__(self, context: ClientContext, isolation: Isolation) -> None:
        self._context = context
        self._isolation = isolation
        self._readings: dict[Reading, None] = {}
        self._brokers: dict[int, BrokerFetch] = {}
        self._is_refreshing = False
        self._effects: list[Effect] = []

    def __repr__(self) -> str:
        return f"<Fetcher {self._isolation.name}: {len(self._readings)} readings>"

    def step(self, event: Event, now_ms: int) -> Effects:
        self._effects = []
        self._take(event, now_ms)
        self._give_up_late_ones(now_ms)
        wake_at_ms = self._go_on(now_ms)
        return Effects(self._effects, wake_at_ms)

    def _take(self, event: Event, now_ms: int) -> None:
        match event:
            case Want():
                self._want(event.readings, now_ms)
            case LeaveOff():
                self._forget(event.reading)
            case Answered():
                self._answered(event.node_id, event.answer, now_ms)
            case Broken():
                self._broken(event.node_id, event.error, now_ms)
            case Refreshed():
                self._refreshed(event.error, now_ms)
            case RangeFound():
                self._range_found(event, now_ms)
            case Tick():
                pass
            case _:
                assert_never(event)

    # what happens

    def _want(self, readings: Iterable[Reading], now_ms: int) -> None:
        for reading in readings:
            assert not reading.is_done, f"{reading} has come to its end"
            self._readings[reading] = None
            reading.is_wanted = True
            reading.progress_ms = now_ms
            reading.tries = reading.unknown_tries = 0

    def _forget(self, reading: Reading) -> None:
        self._readings.pop(reading, None)
        reading.is_wanted = False

    def _answered(self, node_id: int, answer: FetchResponse, now_ms: int) -> None:
        broker = self._brokers[node_id]
        asked = broker.answered(answer, now_ms)
        code = ErrorCode.read(answer.error_code)
        if code is not ErrorCode.NONE:
            for reading in asked.values():
                self._hold_back(reading, refusal(f"fetch from broker {node_id}", code), now_ms)
            return
        for reading, row in broker.rows(answer, asked):
            if reading in self._readings:
                if row.preferred_read_replica >= 0:
                    reading.replica = row.preferred_read_replica
                    reading.replica_until_ms = now_ms + self._context.settings.metadata_max_age_ms
                elif row.error_code and reading.replica is not None:
                    reading.replica = None  # the leader knows better
                    continue
                verdict = judge_row(self._context.cluster, reading, row, answer, self._isolation)
                self._obey(reading, verdict, now_ms)

    def _obey(self, reading: Reading, verdict: Verdict, now_ms: int) -> None:
        match verdict:
            case None:
                reading.tries = reading.unknown_tries = 0
            case Deliver():
                reading.is_wanted = False
                reading.tries = reading.unknown_tries = 0
                self._effects.append(verdict)
                if reading.is_done:
                    self._forget(reading)
            case Fail():
                self._fail(reading, verdict.error)
            case LookUpRange():
                reading.waits_for_range = True
                self._effects.append(verdict)
            case MoldauError():
                self._hold_back(reading, verdict, now_ms)
            case _:
                assert_never(verdict)

    def _broken(self, node_id: int, error: MoldauError, now_ms: int) -> None:
        for reading in self._brokers[node_id].broken().values():
            reading.replica = None
            if isinstance(error, UnsupportedVersionError):
                self._fail(reading, error)
                continue
            self._context.cluster.mark_stale(reading.part.topic)
            self._hold_back(reading, error, now_ms)

    def _refreshed(self, error: MoldauError | None, now_ms: int) -> None:
        self._is_refreshing = False
        for reading in list(self._readings):
            if not reading.is_idle:
                continue
            if error is not None:
                self._hold_back(reading, error, now_ms)
            elif self._context.cluster.leader(reading.part) is None:
                self._without_leader(reading, now_ms)
            else:
                self._check_topic(reading)

    def _without_leader(self, reading: Reading, now_ms: int) -> None:
        cluster, part = self._context.cluster, reading.part
        code = cluster.refused.get(part.topic, ErrorCode.LEADER_NOT_AVAILABLE)
        topic = None if part.topic in cluster.refused else cluster.topics.get(part.topic)
        if not code.retriable:
            self._fail(reading, refusal(f"topic {part.topic}", code))
        elif topic is not None and part.partition not in topic.leaders:
            reason = f"has no partition {part.partition}: it has {len(topic.leaders)}"
            self._fail(reading, UnknownTopicError(part.topic, reason))
        elif topic is None and reading.unknown_tries == UNKNOWN_TRIES_MAX:
            reason = "does not exist, or this client may not see it"
            self._fail(reading, UnknownTopicError(part.topic, reason))
        else:
            reading.unknown_tries += topic is None
            cluster.mark_stale(part.topic)
            self._hold_back(reading, refusal(str(part), code), now_ms)

    def _check_topic(self, reading: Reading) -> None:
        topic = self._context.cluster.topics[reading.part.topic]
        if reading.topic_id not in (None, topic.topic_id):
            reason = "was deleted and made again while it was read: its offsets begin anew"
            self._fail(reading, UnknownTopicError(topic.name, reason, is_another=True))

    def _range_found(self, found: RangeFound, now_ms: int) -> None:
        reading = found.reading
        reading.waits_for_range = False
        if reading not in self._readings:
            return
        if found.error is not None:
            self._hold_back(reading, found.error, now_ms)
        elif found.earliest <= reading.position <= found.latest:
            cause = RefusedError(str(reading.part), ErrorCode.OFFSET_OUT_OF_RANGE)
            self._hold_back(reading, cause, now_ms)
        else:
            error = OffsetGoneError(reading.part, reading.position, found.earliest, found.latest)
            self._fail(reading, error)

    # what is done about it

    def _hold_back(self, reading: Reading, cause: MoldauError, now_ms: int) -> None:
        """Not before some time has passed."""
        reading.cause = cause
        reading.not_before_ms = now_ms + self._context.backoff.wait_ms(reading.tries)
        reading.tries += 1

    def _fail(self, reading: Reading, error: ClientError) -> None:
        self._forget(reading)
        self._effects.append(Fail(reading, error))

    def _give_up_late_ones(self, now_ms: int) -> None:
        timeout_ms = self._context.settings.default_api_timeout_ms
        for reading in [reading for reading in self._readings if reading.is_idle]:
            if not reading.is_endless and now_ms - reading.progress_ms >= timeout_ms:
                cause = reading.cause or _not_there_yet(reading)
                what = f"reading {reading.part} from offset {reading.position}"
                self._fail(reading, TimedOutError(what, timeout_ms, cause))

    def _go_on(self, now_ms: int) -> float | None:
        """Ask for what is wanted and can be asked for; when there may be more to do."""
        cluster = self._context.cluster
        by_broker: dict[int, list[tuple[Reading, int]]] = defaultdict(list)
        stale: dict[str, None] = {}
        wakes: list[float] = []
        for reading in self._readings:
            if not reading.is_idle:
                continue
            if not reading.is_endless:
                wakes.append(reading.progress_ms + self._context.settings.default_api_timeout_ms)
            if reading.not_before_ms > now_ms:
                wakes.append(reading.not_before_ms)
                continue
            leader = cluster.leader(reading.part)
            if leader is None or not cluster.is_fresh(reading.part.topic, now_ms):
                stale[reading.part.topic] = None
            else:
                by_broker[self._source(reading, leader, now_ms)].append((reading, leader.epoch))
        for node_id, readings in by_broker.items():
            self._ask(node_id, readings, now_ms, wakes)
        if stale and not self._is_refreshing:
            self._is_refreshing = True
            self._effects.append(Refresh(tuple(stale)))
        return min(wakes, default=None)

    def _source(self, reading: Reading, leader: Leader, now_ms: int) -> int:
        """The leader, or the follower that it has named, for a while."""
        if reading.replica is None:
            return leader.node_id
        is_there = reading.replica in self._context.cluster.brokers
        if not is_there or reading.replica_until_ms <= now_ms:
            reading.replica = None
            return leader.node_id
        return reading.replica

    def _ask(
        self, node_id: int, readings: list[tuple[Reading, int]], now_ms: int, wakes: list[float]
    ) -> None:
        broker = self._brokers.setdefault(node_id, BrokerFetch(self._context, self._isolation))
        if broker.is_busy:
            return
        max_wait_ms = self._context.settings.fetch_max_wait_ms
        not_before_ms = broker.muted_until_ms
        readings, later = _first_of_each_partition(readings)
        at_ends = all(reading.is_at_end for reading, _ in readings)
        if at_ends and self._has_untaken(node_id, now_ms):
            not_before_ms = max(not_before_ms, broker.answered_ms + max_wait_ms)
            max_wait_ms = 0
        if not_before_ms > now_ms:
            wakes.append(not_before_ms)
            return
        if later:
            self._put_last(reading for reading, _ in readings)
            if not all(reading.is_at_end for reading in later):
                max_wait_ms = 0
        request = broker.ask(node_id, readings, max_wait_ms)
        self._effects.append(Send(node_id, request))

    def _put_last(self, readings: Iterable[Reading]) -> None:
        """The next turn is that of the others."""
        for reading in readings:
            self._readings[reading] = self._readings.pop(reading)

    def _has_untaken(self, node_id: int, now_ms: int) -> bool:
        """Whether chunks are here that came from this broker, and have not been taken."""
        for reading in self._readings:
            if not reading.is_wanted:
                leader = self._context.cluster.leader(reading.part)
                if leader is not None and self._source(reading, leader, now_ms) == node_id:
                    return True
        return False


def _first_of_each_partition(
    readings: list[tuple[Reading, int]],
) -> tuple[list[tuple[Reading, int]], list[Reading]]:
    """With their leader epochs; and those that have to wait for another reading of theirs."""
    first = {reading.part: (reading, epoch) for reading, epoch in reversed(readings)}
    if len(first) == len(readings):
        return readings, []
    chosen = set(first.values())
    later = [reading for reading, epoch in readings if (reading, epoch) not in chosen]
    return [one for one in readings if one in chosen], later


def _not_there_yet(reading: Reading) -> RefusedError:
    """Nothing failed, and nothing came."""
    ends = "" if reading.known_end < 0 else f", the log ends at {reading.known_end}"
    detail = f"offset {reading.position} is not there yet{ends}"
    return RefusedError(str(reading.part), ErrorCode.OFFSET_NOT_AVAILABLE, detail)
