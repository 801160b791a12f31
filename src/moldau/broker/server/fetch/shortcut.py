"""Fetch, as consumers in sessions send it most of the time: a record or two, or the wish for one.

A request goes on with a session, names the few partitions from which it got something, and waits
for the next record; the answer has one partition, or a few. Many consumers that read the same
partitions wait for the same records: what was read for the first of them is kept for the others,
already in the form in which it is sent.

    request ──► session goes on ──► look at what is due ──► records ──► answer
                                                    └► nothing: held until a partition wakes it,
                                                       or the time is up ──► look again ──► answer

Left to the handler are sessions that begin, end or are refused, followers, quotas, more than one
byte to wait for, partitions that are just being opened, unknown or refused topics, every error,
answers that leave as slices of files, and aborted transactions. The session has then taken over
what is listed and forgotten, which it may do twice; its epoch is as it was. A held request that
comes upon one of these is read again, for the handler's way of going on.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from moldau.broker.log.reading import Isolation
from moldau.broker.metadata.topics import Topics
from moldau.broker.replica.fetching import upper_bound
from moldau.broker.replica.partition import Partition
from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.fetch.answers import SENDFILE_FROM
from moldau.broker.server.fetch.fetched import Fetched, reader_of
from moldau.broker.server.fetch.reading import Fetching
from moldau.broker.server.fetch.sessions import FetchContext, FetchSessions, Session
from moldau.broker.server.fetch.shortcut_bytes import answer_body, partition_answer
from moldau.broker.server.shortcut import SHORT_BYTES_MAX, Postponed, Reader
from moldau.errors import MoldauError
from moldau.network.connection import Connection
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.wire.compile import decode_prefix

KEPT_MAX: Final = 64
"""Reads that are kept for others: of a few partitions at a time, and up to a megabyte."""
KEPT_MS: Final = 1_000
"""No longer, for compaction may have taken records out meanwhile."""


class Told(NamedTuple):
    """The response of one partition."""

    fetched: Fetched
    partition: Partition
    high_watermark: int
    log_start_offset: int
    size: int
    """Bytes of records."""
    encoded: bytes


class Kept(NamedTuple):
    """What was read from a partition that is led here, and where its log stood then."""

    leader_epoch: int
    high_watermark: int
    last_stable_offset: int
    log_start_offset: int
    size: int
    encoded: bytes


class HeldFetch(Postponed):
    """One that waits for records."""

    __slots__ = (
        "_shortcut", "connection", "epoch", "frame", "isolation", "max_bytes", "session",
    )  # fmt: skip

    def __init__(
        self,
        shortcut: FetchShortcut,
        connection: Connection,
        frame: bytes,
        session: Session,
        max_bytes: int,
        isolation: Isolation,
    ) -> None:
        self._shortcut = shortcut
        self.connection = connection
        self.frame = frame
        self.session = session
        self.epoch = session.epoch
        self.max_bytes = max_bytes
        self.isolation = isolation

    def may_be_enough(self, woken: Partition) -> bool:
        """Whether an answer is worth a look: records are there, or another leader."""
        fetched = self.session.attention.of(woken)
        if fetched is None or not woken.is_leader:
            return True
        return upper_bound(woken, self.isolation) != fetched.fetch_offset

    def finish(self, in_time: bool) -> None:
        self._shortcut.answer_late(self)


class FetchShortcut:
    """For one version."""

    def __init__(self, broker: Broker, version: int, read: Reader) -> None:
        self._broker = broker
        self._version = version
        self._read = read
        self._kept: dict[tuple[Partition, int, int, Isolation, bool], Kept] = {}
        self._kept_ms = 0
        """Since when the oldest of them is here."""

    # hot: 18 us to the wait and 23 behind it, where looking at 20 partitions takes 113 and 117.
    def find(
        self, connection: Connection, frame: memoryview, position: int
    ) -> bytes | Postponed | None:
        if len(frame) > SHORT_BYTES_MAX:
            return None
        broker = self._broker
        request, _ = decode_prefix(FetchRequest, self._version, frame, position)
        sessions: FetchSessions = broker.fetch_sessions
        session = sessions.find(request.session_id, request.session_epoch)
        max_bytes = min(request.max_bytes, broker.settings.fetch_max_bytes)
        if (
            session is None
            or session.catches_up
            or broker.replicas.pending
            or not 0 <= request.min_bytes <= 1 <= max_bytes
        ):
            return None
        session.update(request)
        reader = reader_of(request, self._version)
        topics = self._topics_for(connection, session)
        if reader.is_follower or topics is None:
            return None
        if request.rack_id and broker.settings.replica_selector_class is not None:
            return None
        told = self._look(session, topics, max_bytes, reader.isolation)
        if told is None:
            return None
        sessions.go_on(session)
        if not request.min_bytes or request.max_wait_ms <= 0 or any(one.size for one in told):
            return self._answer(session, topics, told)
        held = HeldFetch(self, connection, bytes(frame), session, max_bytes, reader.isolation)
        return self._hold(held, told, request.max_wait_ms)

    def _hold(self, held: HeldFetch, told: list[Told], wait_max_ms: int) -> Postponed:
        attention = held.session.attention
        for one in told:
            attention.attend(one.partition, one.fetched)
        self._broker.purgatory.hold(
            "Fetch",
            (attention,),
            until=held.may_be_enough,
            then=held.finish,
            timeout_ms=wait_max_ms,
        )
        return held

    def answer_late(self, held: HeldFetch) -> None:
        """Something has come, or the time is up."""
        session = held.session
        topics = self._topics_for(held.connection, session)
        if session.epoch == held.epoch and topics is not None:
            told = self._look(session, topics, held.max_bytes, held.isolation)
            if told is not None:
                held.later.reply(self._answer(session, topics, told))
                return
        call = self._read(held.connection, memoryview(held.frame))
        held.later.hand_over(call)
        context = FetchContext([], session=session, epoch=held.epoch)
        Fetching(call, self._broker, context).answer_late()

    def _topics_for(self, connection: Connection, session: Session) -> Topics | None:
        """The metadata's topics, if there is something to read, and a consumer may, unmeasured."""
        broker = self._broker
        image = broker.metadata.image
        if (
            session.is_privileged
            or not session.uses_topic_ids
            or not session.partitions
            or not session.attention.trust_ms
            or image.quotas.by_entity
        ):
            return None
        topics = image.topics
        allows, by_id = broker.authorizer.allows, topics.by_id
        for topic_id in session.attention.topics:
            topic = by_id.get(topic_id)  # type: ignore[arg-type]  # it uses ids
            if topic is None or not allows(connection, Operation.READ, Resource.TOPIC, topic.name):
                return None
        return topics

    def _look(
        self, session: Session, topics: Topics, max_bytes: int, isolation: Isolation
    ) -> list[Told] | None:
        """The responses of all that is due; None where the handler is needed."""
        # hot: mostly for one partition, before and after the wait.
        broker, attention = self._broker, session.attention
        find = broker.replicas.find
        told: list[Told] = []
        size, now_ms = 0, broker.clock.now_ms()
        if not 0 <= now_ms - self._kept_ms < KEPT_MS:
            self._kept, self._kept_ms = {}, now_ms
        for fetched in attention.look(now_ms, topics, isolation):
            topic = topics.by_id[fetched.topic]  # type: ignore[index]  # it uses ids
            partition: Partition | None = find(topic.name, fetched.index)
            if (
                partition is None
                or fetched.index not in topic.partitions
                or not _may_be_read(partition, fetched)
            ):
                return None
            state = partition.log.state
            high_watermark, start = state.high_watermark, state.log_start_offset
            if fetched.fetch_offset < upper_bound(partition, isolation):
                one = self._records(partition, fetched, max_bytes - size, isolation, size == 0)
                if one is None:
                    return None
                size += one.size
                told.append(one)
            elif fetched.is_told(high_watermark, start):
                attention.rest(partition, fetched)
            else:
                told.append(self._news(partition, fetched, isolation))
        return told

    def _news(self, partition: Partition, fetched: Fetched, isolation: Isolation) -> Told:
        """No records, but other numbers than the client knows."""
        state = partition.log.state
        encoded = partition_answer(
            fetched.index, state.high_watermark, state.last_stable_offset, state.log_start_offset,
            b"", is_committed=isolation is Isolation.COMMITTED,
        )  # fmt: skip
        return Told(fetched, partition, state.high_watermark, state.log_start_offset, 0, encoded)

    def _records(
        self,
        partition: Partition,
        fetched: Fetched,
        room: int,
        isolation: Isolation,
        is_first: bool,
    ) -> Told | None:
        """Read, or taken from what was read for another session."""
        state = partition.log.state
        limit = min(fetched.max_bytes, max(0, room))
        key = partition, fetched.fetch_offset, limit, isolation, is_first
        stands = (
            partition.leader_epoch, state.high_watermark, state.last_stable_offset,
            state.log_start_offset,
        )  # fmt: skip
        kept = self._kept.get(key)
        if kept is None or not partition.is_leader or kept[:4] != stands:
            kept = self._read_records(partition, fetched, limit, isolation, stands, is_first)
            if kept is None:
                return None
            if partition.is_leader:
                if len(self._kept) >= KEPT_MAX:
                    self._kept.clear()
                self._kept[key] = kept
        return Told(
            fetched, partition, kept.high_watermark, kept.log_start_offset, kept.size, kept.encoded
        )

    def _read_records(
        self,
        partition: Partition,
        fetched: Fetched,
        limit: int,
        isolation: Isolation,
        stands: tuple[int, int, int, int],
        is_first: bool,
    ) -> Kept | None:
        """From the log; None where the handler has to look at it."""
        try:
            found = partition.read(fetched.fetch_offset, limit, isolation, min_one=is_first)
            piece, size = found.slice, found.size
            if (
                piece is None
                or not found.first_batch_size <= size < SENDFILE_FROM
                or found.aborted_transactions
                or not piece.file.is_cached(piece.position, size)
            ):
                return None
            records = found.read()
        except MoldauError:
            return None
        is_committed = isolation is Isolation.COMMITTED
        encoded = partition_answer(fetched.index, *stands[1:], records, is_committed=is_committed)
        return Kept(*stands, size, encoded)

    def _answer(self, session: Session, topics: Topics, told: list[Told]) -> bytes:
        """Encode it, note what was sent, and count it."""
        traffic, by_id = self._broker.traffic, topics.by_id
        size = 0
        for one in told:
            session.note_told(one.fetched, one.high_watermark, one.log_start_offset, one.size > 0)
            size += one.size
        counts = session.attention.topics
        for topic_id, count in counts.items():
            if len(counts) > 1:
                size = sum(one.size for one in told if one.fetched.topic == topic_id)
            traffic.fetched(by_id[topic_id].name, size, count)  # type: ignore[index]  # it uses ids
        return answer_body(session.session_id, [(one.fetched.topic, one.encoded) for one in told])  # type: ignore[misc]  # the same


def _may_be_read(partition: Partition, fetched: Fetched) -> bool:
    """Whether nothing but records, or their absence, is to be sent."""
    state = partition.log.state
    epoch = fetched.leader_epoch
    return (
        partition.directory.offline_reason is None
        and (epoch < 0 or epoch == partition.leader_epoch)
        and fetched.last_fetched_epoch < 0
        and state.failure is None
        and state.log_start_offset <= fetched.fetch_offset <= state.log_end_offset
    )


def make(broker: Broker, version: int, read: Reader) -> FetchShortcut:
    return FetchShortcut(broker, version, read)
