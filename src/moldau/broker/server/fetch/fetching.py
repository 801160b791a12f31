"""One fetch: answered now, or when enough is there.

    read all ──► enough bytes, an error, nothing to wait for ──► answer
             └─► held until enough is there, or the time is up ──► read again ──► answer

What is not in the page cache is read beside the loop first, so that sending it does not wait for
the disk.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from moldau.broker.log.encryption_port import KeyUnavailableError
from moldau.broker.log.segment.file_slice import EncryptedSlice, FileSlice
from moldau.broker.replica.fetching import upper_bound
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
)
from moldau.broker.server.fetch.fetched import (
    PartitionResponse,
    TopicKey,
    reader_of,
)
from moldau.broker.server.fetch.reader import TOPIC_IDS_FROM, AskedFetch
from moldau.broker.server.fetch.reading import HINTS_FROM, NOTHING, PartitionsReader, asked_of
from moldau.broker.server.fetch.sessions import FetchContext
from moldau.broker.server.later import answer_later
from moldau.broker.server.leaders import address_of
from moldau.errors import CorruptRecordError
from moldau.protocol.messages.data.fetch import FetchRequest, FetchResponse

NO_ERROR: Final = 0


class Fetching:
    """One fetch, from its partitions to its answer."""

    __slots__ = (
        "_beside", "_broker", "_call", "_context", "_found", "_max_wait_ms", "_min_bytes",
        "_partitions",
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
        max_bytes = _max_bytes(call, broker, request)
        self._min_bytes = min(request.min_bytes, max_bytes)
        self._max_wait_ms = request.max_wait_ms
        self._partitions = PartitionsReader(call, broker, context, max_bytes)
        self._found = NOTHING
        """By the newest pass over the partitions."""

    # hot: once for each fetch, before the wait and behind it.
    def run(self) -> Answer:
        """The answer, or LATER if there is too little to read."""
        responses = self._read_all()
        if self._is_enough():
            return self._conclude(responses)
        self._broker.purgatory.hold(
            "Fetch",
            self._to_watch(),
            until=self._may_be_enough,
            then=self._answer_late,
            timeout_ms=self._max_wait_ms,
        )
        return LATER

    def _read_all(self) -> list[PartitionResponse]:
        self._found, responses = self._partitions.read_all()
        return responses

    def _is_enough(self) -> bool:
        found = self._found
        return (
            found.must_answer
            or found.size >= self._min_bytes
            or self._max_wait_ms <= 0
            or bool(self._beside)
            or not self._context.partitions
        )

    def _to_watch(self) -> Iterable[Watched[Partition]]:
        """What wakes this fetch: each partition, or the session that watches them."""
        due, watched = self._partitions.due, self._found.watched
        if due is None:
            return watched
        for partition, fetched in watched.items():
            due.follow(partition, fetched)
        return (due,)

    def _may_be_enough(self, woken: Partition) -> bool:
        """Whether to read again; one byte is there as soon as the watermark moves."""
        due, found = self._partitions.due, self._found
        fetched = found.watched.get(woken) if due is None else due.of(woken)
        if fetched is None:
            return True
        bound, offset = upper_bound(woken, self._partitions.reader.isolation), fetched.fetch_offset
        if woken in found.held_back:
            self._read_all()
            return self._is_enough()
        is_changed = not woken.is_leader or bound < offset
        if is_changed or (self._min_bytes <= 1 and bound > offset):
            return True
        if bound == offset and not self._partitions.has_news(woken, fetched):
            return False
        self._read_all()
        return self._is_enough()

    def _answer_late(self, in_time: bool) -> None:
        """Something has come, or the time is up."""
        if not in_time:
            is_follower = self._partitions.reader.is_follower
            self._broker.purgatory.expired["follower" if is_follower else "consumer"] += 1
        answer = self._conclude(self._read_all())
        if answer is not LATER:
            self._call.answer(answer)

    def _conclude(self, responses: list[PartitionResponse]) -> Answer:
        """Answer now, or when the disk has brought what is not in the page cache."""
        if self._found.cold:
            return answer_later(self._call, self._broker, self._warm(responses))
        return self._finish(responses)

    async def _warm(self, responses: list[PartitionResponse]) -> Answer:
        """Read cold slices beside the loop, so that sending them will not wait for the disk.

        Encrypted ones that are large are read there too, for decrypting takes its time.
        """
        for one in self._found.cold:
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

    def _finish(self, responses: list[PartitionResponse]) -> Answer:
        is_follower, version = self._partitions.reader.is_follower, self._call.version
        if not is_follower and not self._may_leave(responses):
            session = self._context.session
            session_id = 0 if session is None else session.session_id
            return FetchResponse(error_code=0, session_id=session_id, responses=[])
        if is_follower:
            self._count_replicated(responses)
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
        """Whether each partition is ordinary, and no quota throttles the sender."""
        if self._call.version < FLAT_FROM or self._beside:
            return False
        if self._found.has_quotas:
            return False
        for one in sent:  # noqa: SIM110  # a loop is compiled, a generator is called
            if not one.is_plain:
                return False
        return True

    def _may_leave(self, responses: list[PartitionResponse]) -> bool:
        """Count what a consumer takes, unless its quota keeps it back."""
        quotas = self._broker.quotas
        if (
            self._found.has_quotas
            and quotas is not None
            and not quotas.fetched(self._call, self._found.size)
        ):
            return False
        self._count(responses)
        return True

    def _count(self, responses: list[PartitionResponse]) -> None:
        """What is taken of each topic; partitions that need no look are fetched all the same."""
        traffic, due = self._broker.traffic, self._partitions.due
        unseen: dict[TopicKey, int] = {} if due is None else due.topics.copy()
        for one in responses:
            topic = one.fetched.topic
            if topic in unseen:
                unseen[topic] -= 1
            name = self._partitions.topics.known_name(topic)
            if name is None:
                continue
            if one.error_code:
                traffic.fetch_failed(name)
            else:
                traffic.fetched(name, one.size)
        for topic, count in unseen.items():
            name = self._partitions.topics.known_name(topic)
            if name is not None and count > 0:
                traffic.fetched(name, 0, count)

    def _count_replicated(self, responses: list[PartitionResponse]) -> None:
        """What followers are sent; it counts for their throttle, where the topics have one."""
        replicas, traffic = self._broker.replicas, self._broker.traffic
        follower_id = self._partitions.reader.replica_id
        for one in responses:
            traffic.replicated_out.count += one.size
            name = self._partitions.topics.known_name(one.fetched.topic)
            if not one.size or name is None:
                continue
            partition = replicas.find(name, one.fetched.index)
            if partition is None:
                continue
            if replicas.is_adding(partition, follower_id):
                traffic.reassigned_out.count += one.size
            if replicas.is_throttled(partition):
                replicas.throttles.to_followers.record(one.size)

    def _add_node_endpoints(self, answer: FetchResponse, sent: list[PartitionResponse]) -> None:
        leaders = {one.leader.leader_id for one in sent if one.leader is not None}
        for broker_id in sorted(leaders - {-1}):
            address = address_of(self._broker.metadata.image, broker_id, self._call.listener)
            if address is not None:
                answer.node_endpoints.append(FetchResponse.NodeEndpoint(**address._asdict()))


def _max_bytes(call: Call[FetchRequest], broker: Broker, request: AskedFetch) -> int:
    """Of the answer: never more than a quota lets pass, or its consumer would wait for ever."""
    max_bytes = min(request.max_bytes, broker.settings.fetch_max_bytes)
    quotas = broker.quotas
    if quotas is None or not broker.metadata.image.quotas.by_entity:
        return max_bytes
    if reader_of(request, call.version).is_follower:
        return max_bytes
    return int(min(max_bytes, quotas.fetch_bytes_max(call)))
