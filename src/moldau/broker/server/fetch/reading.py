"""Reading for one fetch, now or when enough is there.

    read all ──► enough bytes, an error, nothing to wait for ──► answer
             └─► held until enough is there, or the time is up ──► read again ──► answer

The limits are Kafka's: the answer as a whole has at most `max_bytes`, each partition at most its
own maximum; but the first batch of the first partition that has any is whole, however large, so
that every reader gets on. What is returned of a log is a slice of its file, which the connection
sends without reading it; small slices are read, for that costs less, and kept for others. What is
not in the page cache is read beside the loop first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from moldau.broker.log.encryption_port import KeyUnavailableError
from moldau.broker.log.reading import FetchResult, Isolation
from moldau.broker.log.segment.file_slice import EncryptedSlice, FileSlice
from moldau.broker.replica.fetching import empty_result, find_divergence, upper_bound
from moldau.broker.replica.leading import FollowerEnds, check_replica
from moldau.broker.replica.nearest import nearest_replica
from moldau.broker.replica.partition import Partition
from moldau.broker.replica.refusals import code_of
from moldau.broker.runtime.purgatory import Watched
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import LATER, Answer, Call
from moldau.broker.server.fetch.answers import (
    FLAT_FROM,
    SENDFILE_FROM,
    TopicAnswer,
    by_topic,
    flat_answer,
    joined,
    response_of,
)
from moldau.broker.server.fetch.due_partitions import DuePartitions
from moldau.broker.server.fetch.fetched import (
    FOLLOWERS_SERVE_FROM,
    UNKNOWN,
    Fetched,
    PartitionResponse,
    TopicKey,
    reader_of,
)
from moldau.broker.server.fetch.reader import TOPIC_IDS_FROM, AskedFetch, ReadFetch
from moldau.broker.server.fetch.sessions import FetchContext
from moldau.broker.server.fetch.topics import FetchedTopics
from moldau.broker.server.later import answer_later
from moldau.broker.server.leaders import SENDS_LEADER, address_of, leader_hint
from moldau.errors import CorruptRecordError, MoldauError
from moldau.protocol.messages.data.fetch import FetchRequest, FetchResponse
from moldau.protocol.wire.error_codes import ErrorCode

HINTS_FROM: Final = 16
COMMITTED: Final = Isolation.COMMITTED
NO_ERROR: Final = 0
UNKNOWN_TOPIC_ID: Final = int(ErrorCode.UNKNOWN_TOPIC_ID)


class Fetching:
    """One fetch on its way through the partitions."""

    __slots__ = (
        "_beside", "_broker", "_call", "_cold", "_context", "_due", "_has_quotas", "_held_back",
        "_is_read_again", "_max_bytes", "_min_bytes", "_must_answer", "_now_ms", "_rack", "_reader",
        "_request", "_size", "_spreads", "_topics", "_watched",
    )  # fmt: skip

    def __init__(
        self,
        call: Call[FetchRequest],
        broker: Broker,
        context: FetchContext,
        beside: list[TopicAnswer] | None = None,
    ) -> None:
        """The responses `beside` what this reads are known already."""
        request = asked_of(call)
        self._beside = beside or []
        self._call = call
        self._broker = broker
        self._context = context
        self._request: AskedFetch = request
        self._reader = reader_of(request, call.version)
        self._max_bytes = min(request.max_bytes, broker.settings.fetch_max_bytes)
        if broker.metadata.image.quotas.by_entity:
            self._keep_within_quota()
        self._min_bytes = min(request.min_bytes, self._max_bytes)
        self._topics = FetchedTopics(call, broker, is_follower=self._reader.is_follower)
        self._now_ms = 0
        self._has_quotas = False
        self._must_answer = False
        self._size = 0
        self._watched: dict[Partition, Fetched] = {}
        self._cold: list[PartitionResponse] = []
        self._held_back: set[Partition] = set()
        self._spreads = broker.settings.replica_selector_class is not None
        """Whether consumers read from followers, which must then learn soon what is replicated."""
        self._rack = self._rack_of_consumer() if self._spreads else ""
        self._is_read_again = False
        """A fetch that is held reports its follower's end once: when it came."""
        self._due: DuePartitions | None = None
        """Which partitions to look at; of followers all, for each reports their end."""
        session = context.session
        if session is not None and session.due.check_all_ms and not self._reader.is_follower:
            self._due = session.due

    def _keep_within_quota(self) -> None:
        """An answer that no quota could ever let pass would keep its consumer waiting for ever."""
        quotas = self._broker.quotas
        if quotas is not None and not self._reader.is_follower:
            self._max_bytes = int(min(self._max_bytes, quotas.fetch_bytes_max(self._call)))

    def _rack_of_consumer(self) -> str:
        serves = self._call.version >= FOLLOWERS_SERVE_FROM and not self._reader.is_follower
        return self._request.rack_id if serves else ""

    # hot: once for each fetch, before the wait and behind it.
    def run(self) -> Answer:
        """The answer, or LATER if there is too little to read."""
        responses = self._read_all()
        self._is_read_again = True
        if self._is_enough():
            return self._conclude(responses)
        self._broker.purgatory.hold(
            "Fetch",
            self._to_watch(),
            until=self._may_be_enough,
            then=self._answer_late,
            timeout_ms=self._request.max_wait_ms,
        )
        return LATER

    def _to_watch(self) -> Iterable[Watched[Partition]]:
        """What wakes this fetch: each partition, or the session that watches them."""
        due = self._due
        if due is None:
            return self._watched
        for partition, fetched in self._watched.items():
            due.follow(partition, fetched)
        return (due,)

    def _answer_late(self, in_time: bool) -> None:
        """Something has come, or the time is up."""
        answer = self._conclude(self._read_all())
        if answer is not LATER:
            self._call.answer(answer)

    def _conclude(self, responses: list[PartitionResponse]) -> Answer:
        """Answer now, or when the disk has brought what is not in the page cache."""
        if self._cold:
            return answer_later(self._call, self._broker, self._warm(responses))
        return self._finish(responses)

    async def _warm(self, responses: list[PartitionResponse]) -> Answer:
        """Read cold slices beside the loop, so that sending them will not wait for the disk.

        Encrypted ones that are large are read there too, for decrypting takes its time.
        """
        for one in self._cold:
            piece = one.records
            assert isinstance(piece, FileSlice), "what is cold was not read"
            try:
                batches: bytes = await self._broker.tasks.offload(piece.read)
            except (KeyUnavailableError, CorruptRecordError) as error:
                one.refuse(code_of(error))
                continue
            if isinstance(piece, EncryptedSlice):
                one.take(batches)
            elif len(piece) < SENDFILE_FROM:
                one.records = batches
        return self._finish(responses)

    def _is_enough(self) -> bool:
        return (
            self._must_answer
            or self._size >= self._min_bytes
            or self._request.max_wait_ms <= 0
            or not self._context.partitions
        )

    def _may_be_enough(self, woken: Partition) -> bool:
        """Whether an answer is worth a look; one byte is as soon there as the watermark moves."""
        due = self._due
        fetched = self._watched.get(woken) if due is None else due.of(woken)
        if fetched is None:
            return True
        bound, offset = upper_bound(woken, self._reader.isolation), fetched.fetch_offset
        if woken in self._held_back:
            self._read_all()
            return self._is_enough()
        is_changed = not woken.is_leader or bound < offset
        if is_changed or (self._min_bytes <= 1 and bound > offset):
            return True
        if due is not None and bound == offset and _is_as_expected(woken, fetched):
            return False
        self._read_all()
        return self._is_enough()

    def _read_all(self) -> list[PartitionResponse]:
        self._must_answer = bool(self._beside)
        self._size = 0
        self._watched = {}
        self._cold = []
        self._held_back = set()
        self._now_ms = self._broker.clock.now_ms()
        topics, image = self._topics, self._broker.metadata.image
        topics.look_again(image.topics)
        self._has_quotas = bool(image.quotas.by_entity)
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
        if nameless or unknown:
            self._must_answer = True
            return responses + nameless + unknown  # in Kafka's order
        return responses

    def _to_look_at(self) -> Iterable[Fetched]:
        due = self._due
        if due is None:
            return self._context.partitions
        topics = self._topics
        for topic in due.topics:
            if not isinstance(topics.find(topic), str):
                due.make_all_due()
        return due.look(self._now_ms, topics.at, self._reader.isolation)

    def _read(self, fetched: Fetched) -> PartitionResponse:
        name = self._topics.known_name(fetched.topic) or ""
        try:
            partition = self._partition(name, fetched)
            if fetched.last_fetched_epoch >= 0 or self._rack:
                instead = self._instead_of_records(partition, fetched)
                if instead is not None:
                    return instead
            if self._reader.is_follower:
                response = self._for_follower(partition, fetched)
            else:
                response = self._for_consumer(partition, fetched)
        except MoldauError as error:
            self._must_answer = True
            return self._refused(name, fetched, code_of(error))
        due = self._due
        if response.size == 0 and due is not None and self._is_caught_up(response):
            due.mark_idle(partition, fetched)
        else:
            self._watched[partition] = fetched
        self._size += response.size
        return response

    def _instead_of_records(
        self, partition: Partition, fetched: Fetched
    ) -> PartitionResponse | None:
        """The answer for a log that has parted from this one, or for who shall ask elsewhere."""
        offset, epoch = fetched.fetch_offset, fetched.last_fetched_epoch
        divergence = None if epoch < 0 else find_divergence(partition, offset, epoch)
        if divergence is not None:
            self._must_answer = True
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
        self._must_answer = True
        response = response_of(fetched, empty_result(partition, fetched.fetch_offset))
        response.preferred_replica = near
        return response

    def _is_caught_up(self, response: PartitionResponse) -> bool:
        """Whether nothing is to be read, and nothing to be sent."""
        is_committed = self._reader.isolation is COMMITTED
        bound = response.last_stable_offset if is_committed else response.high_watermark
        fetched = response.fetched
        return fetched.fetch_offset >= bound and fetched.is_reported(
            response.high_watermark, response.log_start_offset
        )

    def _partition(self, name: str, fetched: Fetched) -> Partition:
        replicas = self._broker.replicas
        partition: Partition
        if self._reader.leader_only:
            partition = replicas.leader(name, fetched.index, fetched.leader_epoch)
        else:
            partition = replicas.partition(name, fetched.index)
            if fetched.leader_epoch >= 0:
                partition.check_epoch(fetched.leader_epoch)
        if self._reader.is_follower:
            check_replica(partition, self._reader.replica_id, fetched.leader_epoch)
        return partition

    def _for_follower(self, partition: Partition, fetched: Fetched) -> PartitionResponse:
        """Learn how far it is, now that its log is known to be a beginning of this one."""
        offset = fetched.fetch_offset
        found = self._records(partition, fetched)
        if not self._is_read_again:
            ends = FollowerEnds(offset, fetched.replica_start_offset)
            assert isinstance(self._request, FetchRequest), "followers send more than is read fast"
            broker_epoch = self._request.replica_state.replica_epoch
            self._broker.replicas.note_fetch(partition, self._reader.replica_id, ends, broker_epoch)
            found.high_watermark = partition.high_watermark
        if self._spreads and UNKNOWN < fetched.high_watermark < found.high_watermark:
            self._must_answer = True
        if self._holds_back(partition):
            found = empty_result(partition, offset)
        return self._response(fetched, found)

    def _for_consumer(self, partition: Partition, fetched: Fetched) -> PartitionResponse:
        """What was read for another, or is read now and kept for others if it is little."""
        # hot: for each partition of each fetch.
        isolation, offset = self._reader.isolation, fetched.fetch_offset
        if offset >= upper_bound(partition, isolation):
            return self._response(fetched, self._records(partition, fetched))
        reads = self._broker.fetch_reads
        is_committed = isolation is COMMITTED
        key = partition, offset, self._limit(fetched), is_committed, self._size == 0
        kept = reads.find(key, self._now_ms)
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
            self._cold.append(response)
        return response

    def _limit(self, fetched: Fetched) -> int:
        """Most bytes of a partition; the first batch of a fetch may be larger."""
        room: int = max(0, self._max_bytes - self._size)
        return min(fetched.max_bytes, room)

    def _records(self, partition: Partition, fetched: Fetched) -> FetchResult:
        """Within the limits; only the first partition with records may go beyond them."""
        isolation, offset = self._reader.isolation, fetched.fetch_offset
        min_one = self._size == 0
        found = partition.read(offset, self._limit(fetched), isolation, min_one=min_one)
        if not min_one and 0 < found.size < found.first_batch_size:
            # Not even one batch is whole: readers would take that for corruption.
            return empty_result(partition, offset)
        return found

    def _holds_back(self, partition: Partition) -> bool:
        """Whether a follower that is throttled has to do without this partition for a while."""
        if not self._broker.replicas.holds_back(partition, self._reader.replica_id):
            return False
        self._held_back.add(partition)
        return True

    def refusal_of_unknown(self, fetched: Fetched) -> PartitionResponse | None:
        """The error of a partition that this broker does not have; None for others."""
        return self._topics.refusal(fetched)

    def _refused(self, name: str, fetched: Fetched, code: int) -> PartitionResponse:
        response = PartitionResponse(fetched, error_code=code)
        if code in SENDS_LEADER and self._call.version >= HINTS_FROM:
            response.leader = leader_hint(self._broker.metadata.image, name, fetched.index)
        return response

    def _finish(self, responses: list[PartitionResponse]) -> Answer:
        is_follower, version = self._reader.is_follower, self._call.version
        if not is_follower and not self._may_leave(responses):
            session = self._context.session
            session_id = 0 if session is None else session.session_id
            return FetchResponse(error_code=0, session_id=session_id, responses=[])
        if is_follower:
            self._count_throttled(responses)
        error, session_id, sent = self._broker.fetch_sessions.finish(
            self._context,
            responses,
            uses_topic_ids=version >= TOPIC_IDS_FROM,
            is_follower=is_follower,
        )
        if error == NO_ERROR and self._can_be_flat(sent):
            return flat_answer(session_id, sent)
        topics = joined(by_topic(sent), self._beside)
        answer = FetchResponse(error_code=error, session_id=session_id, responses=topics)
        if version >= HINTS_FROM:
            self._add_node_endpoints(answer, sent)
        return answer

    def _can_be_flat(self, sent: list[PartitionResponse]) -> bool:
        """Whether all is as ordinary as can be, and the sender owes nothing."""
        if self._call.version < FLAT_FROM or self._beside:
            return False
        if self._has_quotas:
            return False
        for one in sent:  # noqa: SIM110  # a loop is compiled, a generator is called
            if not one.is_plain:
                return False
        return True

    def _may_leave(self, responses: list[PartitionResponse]) -> bool:
        """Count what a consumer takes, unless its quota keeps it back."""
        quotas = self._broker.quotas
        if self._has_quotas and quotas is not None and not quotas.fetched(self._call, self._size):
            return False
        self._count(responses)
        return True

    def _count(self, responses: list[PartitionResponse]) -> None:
        """What is taken of each topic; partitions that need no look are fetched all the same."""
        traffic, due = self._broker.traffic, self._due
        unseen: dict[TopicKey, int] = {} if due is None else due.topics.copy()
        for one in responses:
            topic = one.fetched.topic
            if topic in unseen:
                unseen[topic] -= 1
            name = self._topics.known_name(topic)
            if name is None:
                continue
            if one.error_code:
                traffic.fetch_failed(name)
            else:
                traffic.fetched(name, one.size)
        for topic, count in unseen.items():
            name = self._topics.known_name(topic)
            if name is not None and count > 0:
                traffic.fetched(name, 0, count)

    def _count_throttled(self, responses: list[PartitionResponse]) -> None:
        """What followers are sent counts for their throttle, where the topics have one."""
        replicas = self._broker.replicas
        for one in responses:
            name = self._topics.known_name(one.fetched.topic)
            if not one.size or name is None:
                continue
            partition = replicas.find(name, one.fetched.index)
            if partition is not None and replicas.is_throttled(partition):
                replicas.throttles.to_followers.record(one.size)

    def _add_node_endpoints(self, answer: FetchResponse, sent: list[PartitionResponse]) -> None:
        leaders = {one.leader.leader_id for one in sent if one.leader is not None}
        for broker_id in sorted(leaders - {-1}):
            address = address_of(self._broker.metadata.image, broker_id, self._call.listener)
            if address is not None:
                answer.node_endpoints.append(FetchResponse.NodeEndpoint(**address._asdict()))


def asked_of(call: Call[FetchRequest]) -> AskedFetch:
    """The request, as a fast reader or the decoder of messages has read it."""
    read = call.read
    if isinstance(read, ReadFetch):
        return read
    return call.request


def _is_as_expected(partition: Partition, fetched: Fetched) -> bool:
    """Whether it wakes its readers with nothing but what they may not see yet."""
    epoch = fetched.leader_epoch
    return (epoch < 0 or epoch == partition.leader_epoch) and (
        partition.directory.offline_reason is None
    )
