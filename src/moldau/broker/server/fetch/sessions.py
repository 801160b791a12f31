"""What a fetcher has asked for, remembered between its fetches (KIP-227).

A client of a thousand partitions would send and get a thousand entries with each fetch, of which
few have changed. In a session it sends only what is new, and gets only what has something to say.

    (id 0, epoch 0)     everything is listed; a session may be begun      full
    (any, epoch -1)     the same, and no session; one of that id ends     sessionless
    (id, epoch n)       n is one more than last time: only changes        incremental

In an incremental answer a partition stands if it has records, an error, a diverging epoch or a
preferred replica, or if its high watermark or log start has moved since it was last sent. What
gave records moves to the end, so that no partition starves behind a busy one.

Sessions are bounded in number (`max.incremental.fetch.session.cache.slots`, at start); which of
them has to go for another is the business of `server.fetch_session_shard`. They are bounded in
memory, too (`max.incremental.fetch.session.cache.bytes`), by the same rules: who is worth less
gives way, or there is no room. And there is none for a session with many partitions that this
broker does not know: each of its fetches is answered with all their errors, so there would be
nothing to remember. A client that gets no session fetches without, as it does from Kafka when all
slots are taken; a client whose session is closed gets that error, and begins another.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from copy import copy
from itertools import islice
from typing import Any, TypeVar

from moldau.broker.server.fetch.attention import TRUST_MS, Attention
from moldau.broker.server.fetch.fetched import (
    Fetched,
    FetchPartition,
    PartitionData,
    TopicKey,
)
from moldau.broker.server.fetch.session_shard import SessionShard
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.randomness import Random
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.wire.error_codes import ErrorCode

NO_SESSION = 0
FIRST_EPOCH = 0
FINAL_EPOCH = -1
EPOCH_MAX = 0x7FFFFFFF
SLOTS = 1000
"""Kafka's default for `max.incremental.fetch.session.cache.slots`."""
PARTITION_BYTES = 450
"""What a session takes for each partition: 400 to 445 as measured."""
BYTES_MAX = 128 * 1024 * 1024
"""Our default for all sessions together: 298,000 partitions."""
PART = 256
"""Partitions of a topic that are taken over before others may go on."""
UNKNOWN_MAX = 1_000
"""Partitions of one session that this broker does not know: topics that were just created."""
UNKNOWN = frozenset({ErrorCode.UNKNOWN_TOPIC_ID, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION})
SHARDS = 8
IDS_OF_SHARD = EPOCH_MAX // SHARDS
TOPIC_IDS_FROM = 13

PartitionKey = tuple[TopicKey, int]
PartitionAnswer = tuple[Fetched, PartitionData]
"""The response of one partition."""


@dataclass(slots=True, eq=False)
class Session:
    """One fetcher's memory."""

    session_id: int
    is_privileged: bool
    """A follower's."""
    uses_topic_ids: bool
    created_ms: int
    used_ms: int
    partitions: dict[PartitionKey, Fetched]
    attention: Attention
    """What of them a consumer's fetch has to look at."""
    epoch: int = FIRST_EPOCH + 1
    """The next request's."""
    size: int = 0
    """How many partitions it had when it was last used: the cache is ordered by it."""
    when_over: Callable[[Session], None] = lambda _: None
    catches_up: bool = False
    """Whether its last answer was large: so will be the next, most likely."""

    def end(self) -> None:
        """It has lost its place."""
        self.when_over(self)
        self.attention.end()

    def update(self, request: FetchRequest) -> None:
        """Take over what is listed, forget what is given up."""
        self._take_over(request.topics)
        self._give_up(request.forgotten_topics_data)

    def updating(self, request: FetchRequest) -> Generator[None, None, None]:
        """The same for a request that may be long."""
        for topic in _cut(request.topics):
            self._take_over((topic,))
            yield
        for forgotten in _cut(request.forgotten_topics_data):
            self._give_up((forgotten,))
            yield

    def _take_over(self, topics: Iterable[FetchRequest.FetchTopic]) -> None:
        for topic, asked in asked_partitions(topics, self.uses_topic_ids):
            known = self.partitions.get((topic, asked.partition))
            if known is None:
                known = self.partitions[topic, asked.partition] = Fetched(topic, asked)
                self.attention.add(known)
            else:
                known.ask(asked)
                self.attention.ask_again(known)

    def _give_up(self, topics: Iterable[FetchRequest.ForgottenTopic]) -> None:
        for forgotten in topics:
            key = forgotten.topic_id if self.uses_topic_ids else forgotten.topic
            for index in forgotten.partitions:
                known = self.partitions.pop((key, index), None)
                if known is not None:
                    self.attention.forget(known)

    def note_told(
        self, fetched: Fetched, high_watermark: int, log_start_offset: int, has_records: bool
    ) -> None:
        """An answer says this; what gave records moves to the end."""
        fetched.high_watermark, fetched.log_start_offset = high_watermark, log_start_offset
        if has_records:
            self._move_to_end(fetched)

    def _move_to_end(self, fetched: Fetched) -> None:
        key = fetched.topic, fetched.index
        if self.partitions.get(key) is fetched:
            del self.partitions[key]
            self.partitions[key] = fetched
            self.attention.move_to_end(fetched)

    def select(self, answers: Iterable[PartitionAnswer]) -> Iterator[PartitionAnswer]:
        """Those answers that must be sent; partitions with records move to the end."""
        for fetched, data in answers:
            if not fetched.note_told(data):
                continue
            if data.records:
                self._move_to_end(fetched)
            yield fetched, data


@dataclass(slots=True)
class FetchContext:
    """One fetch: which partitions it is about, and what becomes of the answers."""

    listed: list[Fetched]
    """What a full fetch asks for."""
    error: ErrorCode = ErrorCode.NONE
    session: Session | None = None
    begins_session: bool = False
    epoch: int = FIRST_EPOCH
    """The session's after this fetch; another fetch may overtake this one."""

    @property
    def partitions(self) -> Collection[Fetched]:
        """All of them, in their order."""
        return self.listed if self.session is None else self.session.partitions.values()


class FetchSessions:
    """All sessions of a broker."""

    def __init__(
        self,
        clock: Clock,
        random: Random,
        slots: int = SLOTS,
        *,
        bytes_max: int = BYTES_MAX,
        trust_ms: float = TRUST_MS,
    ) -> None:
        """Each session looks at all of its partitions every `trust_ms`."""
        self._partitions_max = bytes_max // PARTITION_BYTES
        self._clock = clock
        self._trust_ms = trust_ms
        starts = [number * IDS_OF_SHARD for number in range(SHARDS)]
        self._shards: list[SessionShard[Session]] = [
            SessionShard(random, slots // SHARDS, range(start, start + IDS_OF_SHARD))
            for start in starts
        ]
        self._turns = 0
        self.partition_count = 0
        """In all sessions together, as they were last used."""

    def __len__(self) -> int:
        return sum(len(shard.sessions) for shard in self._shards)

    @property
    def evictions(self) -> int:
        """How many had to go for others."""
        return sum(shard.evictions for shard in self._shards)

    def begin(self, request: FetchRequest, version: int) -> FetchContext:
        """Which partitions this request is about."""
        uses_topic_ids = version >= TOPIC_IDS_FROM
        if request.session_epoch in (FIRST_EPOCH, FINAL_EPOCH):
            return self._full(request, _listed(request.topics, uses_topic_ids))
        session = self._session_of(request, uses_topic_ids)
        if isinstance(session, ErrorCode):
            return FetchContext([], session)
        session.update(request)
        return self._incremental(session)

    def beginning(self, request: FetchRequest, version: int) -> Generator[None, None, FetchContext]:
        """The same for a request that may be long."""
        uses_topic_ids = version >= TOPIC_IDS_FROM
        if request.session_epoch in (FIRST_EPOCH, FINAL_EPOCH):
            listed: dict[PartitionKey, Fetched] = {}
            for topic in _cut(request.topics):
                listed.update(_listed((topic,), uses_topic_ids))
                yield
            return self._full(request, listed)
        session = self._session_of(request, uses_topic_ids)
        if isinstance(session, ErrorCode):
            return FetchContext([], session)
        yield from session.updating(request)
        if self.find(session.session_id, request.session_epoch) is not session:
            return FetchContext([], ErrorCode.INVALID_FETCH_SESSION_EPOCH)  # another was faster
        return self._incremental(session)

    def _full(self, request: FetchRequest, listed: dict[PartitionKey, Fetched]) -> FetchContext:
        self._remove(request.session_id)
        begins_session = request.session_epoch == FIRST_EPOCH
        return FetchContext(list(listed.values()), begins_session=begins_session)

    def _session_of(self, request: FetchRequest, uses_topic_ids: bool) -> Session | ErrorCode:
        session = self._shard_of(request.session_id).sessions.get(request.session_id)
        if session is None:
            return ErrorCode.FETCH_SESSION_ID_NOT_FOUND
        if session.epoch != request.session_epoch:
            return ErrorCode.INVALID_FETCH_SESSION_EPOCH
        if session.uses_topic_ids != uses_topic_ids:
            return ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR
        return session

    def _incremental(self, session: Session) -> FetchContext:
        if not session.partitions:
            self._remove(session.session_id)
            return FetchContext([])
        self.go_on(session)
        return FetchContext([], session=session, epoch=session.epoch)

    def _shard_of(self, session_id: int) -> SessionShard[Session]:
        """Where a session of this id is, if there is one."""
        return self._shards[session_id // IDS_OF_SHARD % SHARDS]

    def _remove(self, session_id: int) -> None:
        self._shard_of(session_id).remove(session_id)

    def close(self, session: Session) -> None:
        """It is over, by our own decision."""
        self._remove(session.session_id)

    def find(self, session_id: int, session_epoch: int) -> Session | None:
        """The session that goes on with this epoch."""
        session = self._shard_of(session_id).sessions.get(session_id)
        return None if session is None or session.epoch != session_epoch else session

    def go_on(self, session: Session) -> None:
        """It is used, and the next request has the next epoch."""
        session.epoch = next_epoch(session.epoch)
        grown = len(session.partitions) - session.size
        session.size += grown
        self.partition_count += grown
        now_ms = self._clock.now_ms()
        self._shard_of(session.session_id).put(session, now_ms)
        if grown > 0 and not self._has_room(session.is_privileged, session.size, 0, now_ms):
            self._remove(session.session_id)  # its next fetch gets that error

    def _has_room(self, is_privileged: bool, size: int, more: int, now_ms: int) -> bool:
        """Whether so many partitions more may be kept; sessions of less worth go for them."""
        while self.partition_count + more > self._partitions_max:
            if not any(one.makes_room(is_privileged, size, now_ms) for one in self._shards):
                return False
        return True

    def _ended(self, session: Session) -> None:
        self.partition_count -= session.size

    def finish(
        self,
        context: FetchContext,
        answers: list[PartitionAnswer],
        *,
        uses_topic_ids: bool,
        is_follower: bool,
    ) -> tuple[ErrorCode, int, list[PartitionAnswer]]:
        """Error, session id, and the answers that are sent."""
        session = context.session
        if session is None:
            session_id = self._begun(context, answers, uses_topic_ids, is_follower)
            return ErrorCode.NONE, session_id, answers
        if session.epoch != context.epoch:
            return ErrorCode.INVALID_FETCH_SESSION_EPOCH, NO_SESSION, []
        if _has_many_unknown(answers):
            self._remove(session.session_id)
            return ErrorCode.NONE, NO_SESSION, answers
        return ErrorCode.NONE, session.session_id, list(session.select(answers))

    def _begun(
        self,
        context: FetchContext,
        answers: list[PartitionAnswer],
        uses_topic_ids: bool,
        is_follower: bool,
    ) -> int:
        """The id of the session that remembers a full fetch; 0 where there is no room."""
        if not context.begins_session or _has_many_unknown(answers):
            return NO_SESSION
        now_ms = self._clock.now_ms()
        size = len(answers)
        shard = self._shards[self._turns % SHARDS]
        self._turns += 1
        has_place = shard.has_place(is_follower, size, now_ms)
        if not has_place or not self._has_room(is_follower, size, size, now_ms):
            return NO_SESSION
        for fetched, data in answers:
            fetched.note_told(data)
        partitions = {(fetched.topic, fetched.index): fetched for fetched, _ in answers}
        session = Session(
            shard.free_id(), is_follower, uses_topic_ids, now_ms, now_ms, partitions,
            Attention(partitions, self._trust_ms), size=size, when_over=self._ended,
        )  # fmt: skip
        self.partition_count += size
        shard.put(session, now_ms)
        return session.session_id


def _has_many_unknown(answers: list[PartitionAnswer]) -> bool:
    if len(answers) <= UNKNOWN_MAX:
        return False
    unknown = (one for one in answers if one[1].error_code in UNKNOWN)
    return next(islice(unknown, UNKNOWN_MAX, None), None) is not None


def next_epoch(epoch: int) -> int:
    """After the largest comes 1: 0 begins a session."""
    return 1 if epoch == EPOCH_MAX else epoch + 1


def asked_partitions(
    topics: Iterable[FetchRequest.FetchTopic], uses_topic_ids: bool
) -> Iterator[tuple[TopicKey, FetchPartition]]:
    """Each partition that is listed, with its topic."""
    for topic in topics:
        key: TopicKey = topic.topic_id if uses_topic_ids else topic.topic
        for asked in topic.partitions:
            yield key, asked


def _listed(
    topics: Iterable[FetchRequest.FetchTopic], uses_topic_ids: bool
) -> dict[PartitionKey, Fetched]:
    """What a full fetch asks for; of a partition that is named twice the last word counts."""
    return {
        (topic, asked.partition): Fetched(topic, asked)
        for topic, asked in asked_partitions(topics, uses_topic_ids)
    }


Named = TypeVar("Named", FetchRequest.FetchTopic, FetchRequest.ForgottenTopic)


def _cut(topics: Iterable[Named]) -> Iterator[Named]:
    """The same with topics of many partitions in parts."""
    for topic in topics:
        partitions: list[Any] = topic.partitions
        if len(partitions) <= PART:
            yield topic
            continue
        for start in range(0, len(partitions), PART):
            part = copy(topic)
            part.partitions = partitions[start : start + PART]
            yield part
