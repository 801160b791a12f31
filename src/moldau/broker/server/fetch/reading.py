"""Reading the partitions of one fetch, in one pass.

The limits are Kafka's: the answer as a whole has at most `max_bytes`, each partition at most its
own maximum; but the first batch of the first partition that has any is whole, however large, so
that every reader gets on. What is returned of a log is a slice of its file, which the connection
sends without reading it; small slices are read, for that costs less, and kept for others.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from moldau.broker.log.reading import FetchResult, Isolation
from moldau.broker.log.segment.file_slice import EncryptedSlice
from moldau.broker.replica.fetching import empty_result, find_divergence, upper_bound
from moldau.broker.replica.leading import FollowerEnds, check_replica
from moldau.broker.replica.nearest import nearest_replica
from moldau.broker.replica.partition import Partition
from moldau.broker.replica.refusals import code_of
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.fetch.answers import SENDFILE_FROM, response_of
from moldau.broker.server.fetch.due_partitions import DuePartitions
from moldau.broker.server.fetch.fetched import (
    FOLLOWERS_SERVE_FROM,
    UNKNOWN,
    Fetched,
    PartitionResponse,
    reader_of,
)
from moldau.broker.server.fetch.reader import AskedFetch, ReadFetch
from moldau.broker.server.fetch.sessions import FetchContext
from moldau.broker.server.fetch.topics import FetchedTopics
from moldau.broker.server.leaders import SENDS_LEADER, leader_hint
from moldau.errors import MoldauError
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.wire.error_codes import ErrorCode

HINTS_FROM: Final = 16
COMMITTED: Final = Isolation.COMMITTED
UNKNOWN_TOPIC_ID: Final = int(ErrorCode.UNKNOWN_TOPIC_ID)


class Pass:
    """What one pass over the partitions of a fetch has found."""

    __slots__ = ("cold", "has_quotas", "held_back", "must_answer", "now_ms", "size", "watched")

    def __init__(self, now_ms: int, *, has_quotas: bool) -> None:
        self.now_ms = now_ms
        self.has_quotas = has_quotas
        self.must_answer = False
        """Whether something is there that is sent at once, however little: an error, a hint."""
        self.size = 0
        """Bytes of records."""
        self.watched: dict[Partition, Fetched] = {}
        """What was read, and may soon have more."""
        self.cold: list[PartitionResponse] = []
        """Those whose records are not in the page cache."""
        self.held_back: set[Partition] = set()
        """Those that a throttle keeps from their follower."""


NOTHING: Final = Pass(0, has_quotas=False)
"""Before the first pass."""


class PartitionsReader:
    """Reads the partitions of one fetch, as often as it is asked to."""

    __slots__ = (
        "_broker", "_call", "_context", "_is_read_again", "_max_bytes", "_pass", "_rack",
        "_request", "_spreads", "due", "reader", "topics",
    )  # fmt: skip

    def __init__(
        self, call: Call[FetchRequest], broker: Broker, context: FetchContext, max_bytes: int
    ) -> None:
        request = asked_of(call)
        self._call = call
        self._broker = broker
        self._context = context
        self._request: AskedFetch = request
        self._max_bytes = max_bytes
        self.reader = reader_of(request, call.version)
        call.is_of_follower = self.reader.is_follower
        self.topics = FetchedTopics(call, broker, is_follower=self.reader.is_follower)
        self._spreads = broker.settings.replica_selector_class is not None
        """Whether consumers read from followers, which need the high watermark soon."""
        self._rack = self._rack_of_consumer() if self._spreads else ""
        self._is_read_again = False
        """A fetch that is held reports its follower's end once: when it came."""
        self._pass = NOTHING
        self.due: DuePartitions | None = None
        """Which partitions to look at; of followers all, for each reports their end."""
        session = context.session
        if session is not None and session.due.check_all_ms and not self.reader.is_follower:
            self.due = session.due

    def _rack_of_consumer(self) -> str:
        serves = self._call.version >= FOLLOWERS_SERVE_FROM and not self.reader.is_follower
        return self._request.rack_id if serves else ""

    def read_all(self) -> tuple[Pass, list[PartitionResponse]]:
        """The responses, in Kafka's order."""
        topics, image = self.topics, self._broker.metadata.image
        topics.look_again(image.topics)
        found = self._pass = Pass(
            self._broker.clock.now_ms(), has_quotas=bool(image.quotas.by_entity)
        )
        responses: list[PartitionResponse] = []
        nameless: list[PartitionResponse] = []
        unknown: list[PartitionResponse] = []
        for fetched in self._to_look_at():
            # hot: for each partition of each fetch.
            refusal = topics.refusal(fetched)
            if refusal is None:
                responses.append(self._read(fetched))
            elif refusal.error_code == UNKNOWN_TOPIC_ID:
                nameless.append(refusal)
            else:
                unknown.append(refusal)
        self._is_read_again = True
        if nameless or unknown:
            found.must_answer = True
            responses += nameless + unknown
        return found, responses

    def has_news(self, partition: Partition, fetched: Fetched) -> bool:
        """Whether a partition without records wakes its readers with more than what none may see.

        Decided of this one alone: a change of the metadata wakes a thousand of them, and a look at
        all for each would take seconds.
        """
        epoch = fetched.leader_epoch
        if epoch >= 0 and epoch != partition.leader_epoch:
            return True
        if partition.directory.offline_reason is not None:
            return True
        return self.reader.is_follower and self._owes_watermark(fetched, partition.high_watermark)

    def _owes_watermark(self, fetched: Fetched, high_watermark: int) -> bool:
        """Whether a follower wants it before there are records, for the consumers it serves."""
        return self._spreads and UNKNOWN < fetched.high_watermark < high_watermark

    def _to_look_at(self) -> Iterable[Fetched]:
        due = self.due
        if due is None:
            return self._context.partitions
        topics = self.topics
        for topic in due.topics:
            if not isinstance(topics.find(topic), str):
                due.make_all_due()
        return due.look(self._pass.now_ms, topics.at, self.reader.isolation)

    def _read(self, fetched: Fetched) -> PartitionResponse:
        name = self.topics.known_name(fetched.topic) or ""
        try:
            partition = self._partition(name, fetched)
            if fetched.last_fetched_epoch >= 0 or self._rack:
                instead = self._instead_of_records(partition, fetched)
                if instead is not None:
                    return instead
            if self.reader.is_follower:
                response = self._for_follower(partition, fetched)
            else:
                response = self._for_consumer(partition, fetched)
        except MoldauError as error:
            self._pass.must_answer = True
            return self._refused(name, fetched, code_of(error))
        due = self.due
        if response.size == 0 and due is not None and self._is_caught_up(response):
            due.mark_idle(partition, fetched)
        else:
            self._pass.watched[partition] = fetched
        self._pass.size += response.size
        return response

    def _instead_of_records(
        self, partition: Partition, fetched: Fetched
    ) -> PartitionResponse | None:
        """The answer where logs have diverged, or another replica is to be read."""
        offset, epoch = fetched.fetch_offset, fetched.last_fetched_epoch
        divergence = None if epoch < 0 else find_divergence(partition, offset, epoch)
        if divergence is not None:
            self._pass.must_answer = True
            response = response_of(fetched, empty_result(partition, offset))
            response.divergence = divergence
            return response
        return self._nearest(partition, fetched) if self._rack and partition.is_leader else None

    def _nearest(self, partition: Partition, fetched: Fetched) -> PartitionResponse | None:
        """The answer that sends a consumer to a replica in its rack, if there is a better one."""
        brokers = self._broker.metadata.image.cluster.brokers

        def rack_of(broker_id: int) -> str | None:
            known = brokers.get(broker_id)
            return None if known is None or known.fenced else known.rack

        near = nearest_replica(partition, fetched.fetch_offset, self._rack, rack_of)
        if near is None:
            return None
        self._pass.must_answer = True
        response = response_of(fetched, empty_result(partition, fetched.fetch_offset))
        response.preferred_replica = near
        return response

    def _is_caught_up(self, response: PartitionResponse) -> bool:
        """Whether nothing is to be read, and nothing to be sent."""
        is_committed = self.reader.isolation is COMMITTED
        bound = response.last_stable_offset if is_committed else response.high_watermark
        fetched = response.fetched
        return fetched.fetch_offset >= bound and fetched.is_reported(
            response.high_watermark, response.log_start_offset
        )

    def _partition(self, name: str, fetched: Fetched) -> Partition:
        replicas = self._broker.replicas
        partition: Partition
        if self.reader.leader_only:
            partition = replicas.leader(name, fetched.index, fetched.leader_epoch)
        else:
            partition = replicas.partition(name, fetched.index)
            if fetched.leader_epoch >= 0:
                partition.check_epoch(fetched.leader_epoch)
        if self.reader.is_follower:
            check_replica(partition, self.reader.replica_id, fetched.leader_epoch)
        return partition

    def _for_follower(self, partition: Partition, fetched: Fetched) -> PartitionResponse:
        """Note how far it is, now that its log is known to be a beginning of this one."""
        offset = fetched.fetch_offset
        found = self._records(partition, fetched)
        if not self._is_read_again:
            ends = FollowerEnds(offset, fetched.replica_start_offset)
            broker_epoch = _broker_epoch(self._request)
            self._broker.replicas.note_fetch(partition, self.reader.replica_id, ends, broker_epoch)
            found.high_watermark = partition.high_watermark
        if self._owes_watermark(fetched, found.high_watermark):
            self._pass.must_answer = True
        if self._holds_back(partition):
            found = empty_result(partition, offset)
        return self._response(fetched, found)

    def _for_consumer(self, partition: Partition, fetched: Fetched) -> PartitionResponse:
        """What was read for another, or is read now and kept for others if it is little."""
        # hot: for each partition of each fetch.
        isolation, offset = self.reader.isolation, fetched.fetch_offset
        if offset >= upper_bound(partition, isolation):
            return self._response(fetched, self._records(partition, fetched))
        reads = self._broker.fetch_reads
        is_committed = isolation is COMMITTED
        key = partition, offset, self._limit(fetched), is_committed, self._pass.size == 0
        kept = reads.find(key, self._pass.now_ms)
        if kept is None:
            found = self._records(partition, fetched)
            response = self._response(fetched, found)
            if response.size and isinstance(response.records, bytes):
                response.kept = reads.keep(key, found, response.records)
            return response
        found = kept.found
        response = PartitionResponse(
            fetched, found.high_watermark, found.last_stable_offset, found.log_start_offset,
            found.aborted_transactions, kept.records,
        )  # fmt: skip
        response.kept = kept
        return response

    def _response(self, fetched: Fetched, found: FetchResult) -> PartitionResponse:
        piece = found.slice
        is_cold = piece is not None and (
            not piece.file.is_cached(piece.position, piece.size)
            or (isinstance(piece, EncryptedSlice) and piece.size >= SENDFILE_FROM)
        )
        response = response_of(fetched, found, is_cold=is_cold)
        if is_cold:
            self._pass.cold.append(response)
        return response

    def _limit(self, fetched: Fetched) -> int:
        """Most bytes of a partition; the first batch of a fetch may be larger."""
        room: int = max(0, self._max_bytes - self._pass.size)
        return min(fetched.max_bytes, room)

    def _records(self, partition: Partition, fetched: Fetched) -> FetchResult:
        """Within the limits; only the first partition with records may go beyond them."""
        isolation, offset = self.reader.isolation, fetched.fetch_offset
        min_one = self._pass.size == 0
        found = partition.read(offset, self._limit(fetched), isolation, min_one=min_one)
        if not min_one and 0 < found.size < found.first_batch_size:
            # Not even one batch is whole: readers would take that for corruption.
            return empty_result(partition, offset)
        return found

    def _holds_back(self, partition: Partition) -> bool:
        """Whether a follower that is throttled has to do without this partition for a while."""
        if not self._broker.replicas.holds_back(partition, self.reader.replica_id):
            return False
        self._pass.held_back.add(partition)
        return True

    def _refused(self, name: str, fetched: Fetched, code: int) -> PartitionResponse:
        response = PartitionResponse(fetched, error_code=code)
        if code in SENDS_LEADER and self._call.version >= HINTS_FROM:
            response.leader = leader_hint(self._broker.metadata.image, name, fetched.index)
        return response


def asked_of(call: Call[FetchRequest]) -> AskedFetch:
    """The request, as a fast reader or the decoder of messages has read it."""
    read = call.read
    if isinstance(read, ReadFetch):
        return read
    return call.request


def _broker_epoch(request: AskedFetch) -> int:
    """A follower's, whichever has read its request."""
    if isinstance(request, ReadFetch):
        return request.replica_epoch
    return int(request.replica_state.replica_epoch)
