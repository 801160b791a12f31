"""Reading for one fetch, now or when enough is there.

    read all ──► enough bytes, an error, nothing to wait for ──► answer
             └─► held until enough is there, or the time is up ──► read again ──► answer

The limits are Kafka's: the answer as a whole has at most `max_bytes`, each partition at most its
own maximum; but the first batch of the first partition that has any is whole, however large, so
that every reader gets on. What is returned of a log is a slice of its file, which the connection
sends without reading it; small slices are read, for that costs less. What is not in the page cache
is read beside the loop first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from moldau.broker.log.reading import FetchResult, Isolation
from moldau.broker.log.segment.file_slice import FileSlice
from moldau.broker.replica.fetching import Divergence, empty_result, find_divergence, upper_bound
from moldau.broker.replica.leading import FollowerEnds, check_replica
from moldau.broker.replica.nearest import nearest_replica
from moldau.broker.replica.partition import Partition
from moldau.broker.replica.refusals import code_of
from moldau.broker.runtime.purgatory import Watched
from moldau.broker.security.access import CLUSTER_NAME, Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import LATER, Answer, Call
from moldau.broker.server.fetch.answers import (
    SENDFILE_FROM,
    TopicAnswer,
    answer_of,
    by_topic,
    joined,
    refused,
)
from moldau.broker.server.fetch.attention import Attention
from moldau.broker.server.fetch.fetched import (
    FOLLOWERS_SERVE_FROM,
    UNKNOWN,
    Fetched,
    PartitionData,
    reader_of,
)
from moldau.broker.server.fetch.sessions import TOPIC_IDS_FROM, FetchContext, PartitionAnswer
from moldau.broker.server.later import answer_later
from moldau.broker.server.leaders import SENDS_LEADER, address_of, leader_hint
from moldau.errors import KafkaError, MoldauError
from moldau.protocol.messages.data.fetch import FetchRequest, FetchResponse
from moldau.protocol.wire.error_codes import ErrorCode

HINTS_FROM = 16


class Fetching:
    """One fetch on its way through the partitions."""

    def __init__(
        self,
        call: Call,
        broker: Broker,
        context: FetchContext,
        beside: list[TopicAnswer] | None = None,
    ) -> None:
        """The responses `beside` what this reads are known already."""
        assert isinstance(call.request, FetchRequest)
        self._beside = beside or []
        self._call = call
        self._broker = broker
        self._context = context
        self._request: FetchRequest = call.request
        self._reader = reader_of(call.request, call.version)
        self._max_bytes = min(call.request.max_bytes, broker.settings.fetch_max_bytes)
        self._min_bytes = min(call.request.min_bytes, self._max_bytes)
        self._names: dict[str | bytes, str | KafkaError] = {}
        self._must_answer = False
        self._size = 0
        self._watched: dict[Partition, Fetched] = {}
        self._cold: list[tuple[PartitionData, FileSlice]] = []
        self._held_back: set[Partition] = set()
        self._spreads = broker.settings.replica_selector_class is not None
        """Whether consumers read from followers, which must then learn soon what is replicated."""
        self._rack = self._rack_of_consumer() if self._spreads else ""
        self._is_read_again = False
        """A fetch that is held says once how far its follower was: when it came."""
        self._attention: Attention | None = None
        """Says which partitions to look at; followers look at all, to tell how far they are."""
        session = context.session
        if session is not None and session.attention.trust_ms and not self._reader.is_follower:
            self._attention = session.attention

    def _rack_of_consumer(self) -> str:
        serves = self._call.version >= FOLLOWERS_SERVE_FROM and not self._reader.is_follower
        return self._request.rack_id if serves else ""

    def run(self) -> Answer:
        """The answer, or LATER if there is too little to read."""
        answers = self._read_all()
        self._is_read_again = True
        if self._is_enough():
            return self._conclude(answers)
        self._broker.purgatory.hold(
            "Fetch",
            self._to_watch(),
            until=self._may_be_enough,
            then=lambda _: self.answer_late(),
            timeout_ms=self._request.max_wait_ms,
        )
        return LATER

    def _to_watch(self) -> Iterable[Watched]:
        """What wakes this fetch: each partition, or the session that minds them."""
        attention = self._attention
        if attention is None:
            return self._watched
        for partition, fetched in self._watched.items():
            attention.attend(partition, fetched)
        return (attention,)

    def answer_late(self) -> None:
        """Something has come, or the time is up."""
        answer = self._conclude(self._read_all())
        if answer is not LATER:
            self._call.answer(answer)

    def _conclude(self, answers: list[tuple[Fetched, PartitionData]]) -> Answer:
        """Answer now, or when the disk has brought what is not in the page cache."""
        if self._cold:
            return answer_later(self._call, self._broker, self._warm(answers))
        return self._finish(answers)

    async def _warm(self, answers: list[tuple[Fetched, PartitionData]]) -> Answer:
        """Read cold slices beside the loop, so that sending them will not wait for the disk."""
        for data, piece in self._cold:
            batches = await self._broker.tasks.offload(piece.read)
            if len(piece) < SENDFILE_FROM:
                data.records = batches
        return self._finish(answers)

    def _is_enough(self) -> bool:
        return (
            self._must_answer
            or self._size >= self._min_bytes
            or self._request.max_wait_ms <= 0
            or not self._context.partitions
        )

    def _may_be_enough(self, woken: Partition) -> bool:
        """Whether an answer is worth a look; one byte is as soon there as the watermark moves."""
        attention = self._attention
        fetched = self._watched.get(woken) if attention is None else attention.of(woken)
        if fetched is None:
            return True
        bound = upper_bound(woken, self._reader.isolation)
        if woken in self._held_back:
            self._read_all()
            return self._is_enough()
        is_changed = not woken.is_leader or bound < fetched.fetch_offset
        if is_changed or (self._min_bytes <= 1 and bound > fetched.fetch_offset):
            return True
        self._read_all()
        return self._is_enough()

    def _read_all(self) -> list[tuple[Fetched, PartitionData]]:
        self._must_answer = bool(self._beside)
        self._size = 0
        self._watched = {}
        self._cold = []
        self._held_back = set()
        self._names = {}
        answers: list[tuple[Fetched, PartitionData]] = []
        nameless: list[tuple[Fetched, PartitionData]] = []
        unknown: list[tuple[Fetched, PartitionData]] = []
        for fetched in self._to_look_at():
            # hot: for each partition of each fetch.
            name = self._names.get(fetched.topic) or self._resolve(fetched.topic)
            if isinstance(name, KafkaError):
                told = nameless if name.code == ErrorCode.UNKNOWN_TOPIC_ID else unknown
                told.append((fetched, refused(fetched.index, name.code)))
            elif self._is_unknown(name, fetched.index):
                code = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
                unknown.append((fetched, refused(fetched.index, code)))
            else:
                answers.append((fetched, self._read(name, fetched)))
        if nameless or unknown:
            self._must_answer = True
        return answers + nameless + unknown  # in Kafka's order

    def _to_look_at(self) -> Iterable[Fetched]:
        attention = self._attention
        if attention is None:
            return self._context.partitions
        for topic in attention.topics:
            if isinstance(self._resolve(topic), KafkaError):
                attention.distrust()
        topics = self._broker.metadata.image.topics
        return attention.look(self._broker.clock.now_ms(), topics, self._reader.isolation)

    def _read(self, name: str, fetched: Fetched) -> PartitionData:
        try:
            partition = self._partition(name, fetched)
            if fetched.last_fetched_epoch >= 0 or self._rack:
                instead = self._instead_of_records(partition, fetched)
                if instead is not None:
                    return instead
            found = self._records(partition, fetched)
            if self._reader.is_follower:
                found = self._for_follower(partition, fetched, found)
        except MoldauError as error:
            self._must_answer = True
            return self._refused(name, fetched.index, code_of(error))
        piece = found.slice
        if piece is None and self._attention is not None and self._rests(fetched, found):
            self._attention.rest(partition, fetched)
        else:
            self._watched[partition] = fetched
        self._size += found.size
        is_cold = piece is not None and not piece.file.is_cached(piece.position, piece.size)
        data = answer_of(fetched.index, found, is_cold=is_cold)
        if piece is not None and is_cold:
            self._cold.append((data, piece))
        return data

    def _instead_of_records(self, partition: Partition, fetched: Fetched) -> PartitionData | None:
        """The answer for a log that has parted from this one, or for who shall ask elsewhere."""
        offset, epoch = fetched.fetch_offset, fetched.last_fetched_epoch
        divergence = None if epoch < 0 else find_divergence(partition, offset, epoch)
        if divergence is not None:
            return self._diverges(partition, fetched, divergence)
        return self._nearest(partition, fetched) if self._rack and partition.is_leader else None

    def _nearest(self, partition: Partition, fetched: Fetched) -> PartitionData | None:
        """The answer that sends a consumer to a replica in its rack, if there is a better one."""
        brokers = self._broker.metadata.image.cluster.brokers

        def rack_of(broker_id: int) -> str | None:
            known = brokers.get(broker_id)
            return None if known is None or known.fenced else known.rack

        near = nearest_replica(partition, fetched.fetch_offset, self._rack, rack_of)
        if near is None:
            return None
        self._must_answer = True
        data = answer_of(fetched.index, empty_result(partition, fetched.fetch_offset))
        data.preferred_read_replica = near
        return data

    def _rests(self, fetched: Fetched, found: FetchResult) -> bool:
        """Whether nothing is to be read, and nothing to be sent."""
        is_committed = self._reader.isolation is Isolation.COMMITTED
        bound = found.last_stable_offset if is_committed else found.high_watermark
        return fetched.fetch_offset >= bound and fetched.is_told(
            found.high_watermark, found.log_start_offset
        )

    def _partition(self, name: str, fetched: Fetched) -> Partition:
        replicas = self._broker.replicas
        if self._reader.leader_only:
            partition = replicas.leader(name, fetched.index, fetched.leader_epoch)
        else:
            partition = replicas.partition(name, fetched.index)
            if fetched.leader_epoch >= 0:
                partition.check_epoch(fetched.leader_epoch)
        assert isinstance(partition, Partition)
        if self._reader.is_follower:
            check_replica(partition, self._reader.replica_id, fetched.leader_epoch)
        return partition

    def _for_follower(
        self, partition: Partition, fetched: Fetched, found: FetchResult
    ) -> FetchResult:
        """Learn how far it is, now that its log is known to be a beginning of this one."""
        offset = fetched.fetch_offset
        if not self._is_read_again:
            ends = FollowerEnds(offset, fetched.replica_start_offset)
            broker_epoch = self._request.replica_state.replica_epoch
            self._broker.replicas.note_fetch(partition, self._reader.replica_id, ends, broker_epoch)
            found.high_watermark = partition.high_watermark
        if self._spreads and UNKNOWN < fetched.high_watermark < found.high_watermark:
            self._must_answer = True
        return empty_result(partition, offset) if self._holds_back(partition) else found

    def _records(self, partition: Partition, fetched: Fetched) -> FetchResult:
        """Within the limits; only the first partition with records may go beyond them."""
        isolation, offset = self._reader.isolation, fetched.fetch_offset
        room = max(0, self._max_bytes - self._size)
        max_bytes = min(fetched.max_bytes, room)
        min_one = self._size == 0
        found = partition.read(offset, max_bytes, isolation, min_one=min_one)
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

    def _diverges(
        self, partition: Partition, fetched: Fetched, divergence: Divergence
    ) -> PartitionData:
        self._must_answer = True
        found = empty_result(partition, fetched.fetch_offset)
        data = answer_of(fetched.index, found)
        data.diverging_epoch = PartitionData.EpochEndOffset(
            epoch=divergence.epoch, end_offset=divergence.end_offset
        )
        return data

    def _resolve(self, topic: str | bytes) -> str | KafkaError:
        """The topic's name, or why it may not be fetched; looked up once."""
        found = self._names[topic] = self._name_of(topic)
        return found

    def _name_of(self, topic: str | bytes) -> str | KafkaError:
        topics = self._broker.metadata.image.topics
        if isinstance(topic, bytes):
            known = topics.by_id.get(topic)
            if known is None:
                return KafkaError(ErrorCode.UNKNOWN_TOPIC_ID)
            name: str = known.name
        else:
            name = topic
        if not self._may_read(name):
            return KafkaError(ErrorCode.TOPIC_AUTHORIZATION_FAILED)
        if name not in topics.by_name:
            return KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
        return name

    def refusal_of_unknown(self, fetched: Fetched) -> PartitionData | None:
        """The error of a partition that this broker does not have; None for others."""
        name = self._names.get(fetched.topic) or self._resolve(fetched.topic)
        if isinstance(name, KafkaError):
            return refused(fetched.index, name.code)
        if self._is_unknown(name, fetched.index):
            return refused(fetched.index, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
        return None

    def _is_unknown(self, name: str, index: int) -> bool:
        return index not in self._broker.metadata.image.topics.by_name[name].partitions

    def _may_read(self, name: str) -> bool:
        allows = self._broker.authorizer.allows
        if self._reader.is_follower:
            operation = Operation.CLUSTER_ACTION
            return allows(self._call, operation, Resource.CLUSTER, CLUSTER_NAME)
        return allows(self._call, Operation.READ, Resource.TOPIC, name)

    def _refused(self, name: str, index: int, code: int) -> PartitionData:
        data = refused(index, code)
        data.aborted_transactions = None
        if code in SENDS_LEADER and self._call.version >= HINTS_FROM:
            hint = leader_hint(self._broker.metadata.image, name, index)
            data.current_leader = PartitionData.LeaderIdAndEpoch(
                leader_id=hint.leader_id, leader_epoch=hint.leader_epoch
            )
        return data

    def _finish(self, answers: list[tuple[Fetched, PartitionData]]) -> FetchResponse:
        if not self._reader.is_follower and not self._may_leave(answers):
            session = self._context.session
            session_id = 0 if session is None else session.session_id
            return FetchResponse(error_code=0, session_id=session_id, responses=[])
        if self._reader.is_follower:
            self._count_throttled(answers)
        if self._context.session is not None:
            self._context.session.catches_up = self._size >= SENDFILE_FROM
        error, session_id, told = self._broker.fetch_sessions.finish(
            self._context,
            answers,
            uses_topic_ids=self._call.version >= TOPIC_IDS_FROM,
            is_follower=self._reader.is_follower,
        )
        topics = joined(by_topic(told), self._beside)
        response = FetchResponse(error_code=error, session_id=session_id, responses=topics)
        if self._call.version >= HINTS_FROM:
            self._tell_addresses(response, told)
        return response

    def _may_leave(self, answers: list[tuple[Fetched, PartitionData]]) -> bool:
        """Count what a consumer takes, unless its quota keeps it back."""
        quotas, traffic = self._broker.quotas, self._broker.traffic
        if quotas is not None and not quotas.fetched(self._call, self._size):
            return False
        for fetched, data in answers:
            name = self._names.get(fetched.topic)
            if not isinstance(name, str):
                continue
            if data.error_code:
                traffic.fetch_failed(name)
            else:
                traffic.fetched(name, len(data.records or b""))
        if self._attention is not None:
            self._count_unseen(self._attention.topics, answers)
        return True

    def _count_unseen(
        self, topics: Mapping[str | bytes, int], answers: list[tuple[Fetched, PartitionData]]
    ) -> None:
        """Partitions that need no look are fetched all the same."""
        unseen = dict(topics)
        for fetched, _ in answers:
            if fetched.topic in unseen:
                unseen[fetched.topic] -= 1
        for topic, count in unseen.items():
            name = self._names.get(topic)
            if isinstance(name, str) and count > 0:
                self._broker.traffic.fetched(name, 0, count)

    def _count_throttled(self, answers: list[tuple[Fetched, PartitionData]]) -> None:
        """What followers are sent counts for their throttle, as far as that minds the topics."""
        replicas = self._broker.replicas
        for fetched, data in answers:
            name = self._names.get(fetched.topic)
            if not data.records or not isinstance(name, str):
                continue
            partition = replicas.find(name, fetched.index)
            if partition is not None and replicas.is_throttled(partition):
                replicas.throttles.to_followers.record(len(data.records))

    def _tell_addresses(self, response: FetchResponse, told: list[PartitionAnswer]) -> None:
        leaders = {
            data.current_leader.leader_id for _, data in told if data.error_code in SENDS_LEADER
        }
        for broker_id in sorted(leaders - {-1}):
            address = address_of(self._broker.metadata.image, broker_id, self._call.listener)
            if address is not None:
                response.node_endpoints.append(FetchResponse.NodeEndpoint(**address._asdict()))
