"""What a fetcher has asked for, remembered between its fetches (KIP-227).

A client of a thousand partitions would send and get a thousand entries with each fetch, of which
few have changed. In a session it sends only what is new, and gets only what has something to say.

    (id 0, epoch 0)     everything is listed; a session may be begun      full
    (any, epoch -1)     the same, and no session; one of that id ends     sessionless
    (id, epoch n)       n is one more than last time: only changes        incremental

In an incremental answer a partition stands if it has records, an error, a diverging epoch or a
preferred replica, or if its high watermark or log start has moved since it was last sent. What
gave records moves to the end, so that no partition waits for ever behind a busy one.

Sessions are bounded in number (`max.incremental.fetch.session.cache.slots`, at start); which of
them has to go for another is the business of `session_shard`. They are bounded in
memory, too (`max.incremental.fetch.session.cache.bytes`), by the same rules: who is worth less
gives way, or there is no room. And there is none for a session with many partitions that this
broker does not know: each of its fetches is answered with all their errors, so there would be
nothing to remember. A client that gets no session fetches without, as it does from Kafka when all
slots are taken; a client whose session is closed gets that error, and begins another.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable
from typing import Final

from moldau.broker.server.fetch.due_partitions import CHECK_ALL_MS, DuePartitions
from moldau.broker.server.fetch.fetched import Fetched, PartitionResponse
from moldau.broker.server.fetch.reader import TOPIC_IDS_FROM, AskedFetch
from moldau.broker.server.fetch.session import (
    FIRST_EPOCH,
    FetchTopic,
    PartitionKey,
    Session,
    asked_partitions,
    in_parts,
)
from moldau.broker.server.fetch.session_shard import SessionShard
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.randomness import Random
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.wire.error_codes import ErrorCode

NO_SESSION: Final = 0
FINAL_EPOCH: Final = -1
EPOCH_MAX: Final = 0x7FFFFFFF
SLOTS: Final = 1000
"""Kafka's default for `max.incremental.fetch.session.cache.slots`."""
PARTITION_BYTES: Final = 450
"""What a session takes for each partition: 400 to 445 as measured."""
BYTES_MAX: Final = 128 * 1024 * 1024
"""Our default for all sessions together: 298,000 partitions."""
LISTED_MAX: Final = 512
"""A request with more partitions, or topics, may have a million, and is answered in slices."""
UNKNOWN_MAX: Final = 1_000
"""Partitions of one session that this broker does not know: topics that were just created."""
UNKNOWN: Final = frozenset({ErrorCode.UNKNOWN_TOPIC_ID, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION})
SHARDS: Final = 8
IDS_OF_SHARD: Final = EPOCH_MAX // SHARDS


class FetchContext:
    """One fetch: which partitions it is about, and what becomes of the answers."""

    __slots__ = ("begins_session", "epoch", "error", "listed", "session")

    def __init__(
        self,
        listed: list[Fetched],
        error: ErrorCode = ErrorCode.NONE,
        session: Session | None = None,
        *,
        begins_session: bool = False,
    ) -> None:
        self.listed = listed
        """What a full fetch asks for."""
        self.error = error
        self.session = session
        self.begins_session = begins_session
        self.epoch = FIRST_EPOCH if session is None else session.epoch
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
        check_all_ms: float = CHECK_ALL_MS,
    ) -> None:
        """Each session looks at all of its partitions every `check_all_ms`."""
        self._partitions_max = bytes_max // PARTITION_BYTES
        self._clock = clock
        self._check_all_ms = check_all_ms
        starts = [number * IDS_OF_SHARD for number in range(SHARDS)]
        self._shards: list[SessionShard] = [
            SessionShard(random, slots // SHARDS, range(start, start + IDS_OF_SHARD))
            for start in starts
        ]
        self._turns = 0
        self.listed_max = LISTED_MAX
        self.partition_count = 0
        """In all sessions together, as they were last used."""

    def __len__(self) -> int:
        return sum(len(shard.sessions) for shard in self._shards)

    @property
    def evictions(self) -> int:
        """How many had to go for others."""
        return sum(shard.evictions for shard in self._shards)

    def begin(self, request: AskedFetch, version: int) -> FetchContext:
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
            for topic in in_parts(request.topics):
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

    def _full(self, request: AskedFetch, listed: dict[PartitionKey, Fetched]) -> FetchContext:
        self._remove(request.session_id)
        begins_session = request.session_epoch == FIRST_EPOCH
        return FetchContext(list(listed.values()), begins_session=begins_session)

    def _session_of(self, request: AskedFetch, uses_topic_ids: bool) -> Session | ErrorCode:
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
        return FetchContext([], session=session)

    def _shard_of(self, session_id: int) -> SessionShard:
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
        responses: list[PartitionResponse],
        *,
        uses_topic_ids: bool,
        is_follower: bool,
    ) -> tuple[ErrorCode, int, list[PartitionResponse]]:
        """Error, session id, and the responses that are sent."""
        session = context.session
        if session is None:
            session_id = self._begun(context, responses, uses_topic_ids, is_follower)
            return ErrorCode.NONE, session_id, responses
        if session.epoch != context.epoch:
            return ErrorCode.INVALID_FETCH_SESSION_EPOCH, NO_SESSION, []
        if _has_many_unknown(responses):
            self._remove(session.session_id)
            return ErrorCode.NONE, NO_SESSION, responses
        return ErrorCode.NONE, session.session_id, session.select(responses)

    def _begun(
        self,
        context: FetchContext,
        responses: list[PartitionResponse],
        uses_topic_ids: bool,
        is_follower: bool,
    ) -> int:
        """The id of the session that keeps a full fetch; 0 where there is no room."""
        if not context.begins_session or _has_many_unknown(responses):
            return NO_SESSION
        now_ms = self._clock.now_ms()
        size = len(responses)
        shard = self._shards[self._turns % SHARDS]
        self._turns += 1
        has_place = shard.has_place(is_follower, size, now_ms)
        if not has_place or not self._has_room(is_follower, size, size, now_ms):
            return NO_SESSION
        for one in responses:
            one.fetched.note_reported(one)
        partitions = {(one.fetched.topic, one.fetched.index): one.fetched for one in responses}
        session = Session(
            shard.free_id(), partitions, DuePartitions(partitions, self._check_all_ms), now_ms,
            self._ended, is_privileged=is_follower, uses_topic_ids=uses_topic_ids,
        )  # fmt: skip
        self.partition_count += size
        shard.put(session, now_ms)
        return session.session_id


def _has_many_unknown(responses: list[PartitionResponse]) -> bool:
    if len(responses) <= UNKNOWN_MAX:
        return False
    return sum([one.error_code in UNKNOWN for one in responses]) > UNKNOWN_MAX


def next_epoch(epoch: int) -> int:
    """After the largest comes 1: 0 begins a session."""
    return 1 if epoch == EPOCH_MAX else epoch + 1


def _listed(topics: Iterable[FetchTopic], uses_topic_ids: bool) -> dict[PartitionKey, Fetched]:
    """What a full fetch asks for; of a partition that is named twice the last word counts."""
    return {
        (topic, asked.partition): Fetched(topic, asked)
        for topic, asked in asked_partitions(topics, uses_topic_ids)
    }
