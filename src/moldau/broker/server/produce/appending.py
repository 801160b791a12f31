"""Appending the batches of one produce request, and waiting until `acks` is met.

    append each ──► all replicated, or acks 0 or 1 ──► response
                └─► replicas are behind ──► held until the watermark passes, or the timeout;
                                            the next produce request of the connection is taken

One partition's failure is its own: the others are appended all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from moldau.broker.log.appending.result import AppendResult
from moldau.broker.log.producers.transaction_verification import VerificationGuard
from moldau.broker.metadata.topics import INTERNAL_TOPICS
from moldau.broker.replica.partition import ALL_REPLICAS, Partition
from moldau.broker.replica.refusals import code_of
from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import CLOSE, LATER, Answer, Call, Slices
from moldau.broker.server.leaders import address_of, leader_hint
from moldau.broker.server.produce.batches import (
    ACKS,
    NO_ACKS,
    TOPIC_IDS_FROM,
    AskedTopic,
    Topics,
    check_batch,
    each_topic_once,
    gather,
    in_parts,
)
from moldau.broker.server.produce.reader import ReadProduce
from moldau.broker.server.produce.verification import NOTHING_VERIFIED, Verified
from moldau.errors import KafkaError, MoldauError
from moldau.platform.buffers import Buffer
from moldau.platform.slices import each
from moldau.protocol.messages.data.produce import ProduceRequest, ProduceResponse
from moldau.protocol.records.refusals import BatchRefusedError
from moldau.protocol.wire.error_codes import ErrorCode

TopicAnswer = ProduceResponse.TopicProduceResponse
PartitionAnswer = TopicAnswer.PartitionProduceResponse
TopicData = ProduceRequest.TopicProduceData
PartitionData = TopicData.PartitionProduceData

WRITES_INTERNAL: Final = "__admin_client"
"""The client id that may write to internal topics, as in Kafka."""
HINTS_FROM: Final = 10
MISSING: Final = KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
"""Returned, never raised: what is raised keeps the frames it came through."""
_WITHOUT_START: Final = frozenset(
    {
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        ErrorCode.MESSAGE_TOO_LARGE,
        ErrorCode.RECORD_LIST_TOO_LARGE,
        ErrorCode.CORRUPT_MESSAGE,
        ErrorCode.KAFKA_STORAGE_ERROR,
    }
)
"""Errors beside which the log's start is not sent."""


Name = tuple[str, int]
Asked = tuple[int, list[Buffer]]
"""A partition, and all that the request has for it."""


class Unreplicated(NamedTuple):
    """A batch that is appended but not everywhere yet."""

    partition: Partition
    leader_epoch: int
    required_offset: int
    """Replicated once the high watermark is here."""
    answer: PartitionAnswer

    @property
    def is_decided(self) -> bool:
        partition = self.partition
        return (
            partition.high_watermark >= self.required_offset
            or not partition.is_leader
            or partition.leader_epoch != self.leader_epoch
            or not partition.directory.is_online
        )

    @property
    def error_code(self) -> int:
        """The response's, once it is decided or its time is up."""
        partition = self.partition
        if not partition.directory.is_online:
            return ErrorCode.KAFKA_STORAGE_ERROR
        if not partition.is_leader or partition.leader_epoch != self.leader_epoch:
            return ErrorCode.NOT_LEADER_OR_FOLLOWER
        if partition.high_watermark < self.required_offset:
            return ErrorCode.REQUEST_TIMED_OUT
        if not partition.has_enough_replicas:
            return ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND
        return ErrorCode.NONE


def append_read(call: Call[ProduceRequest], broker: Broker, read: ReadProduce) -> Answer:
    """Append what a fast reader has read."""
    return Production(call, broker, read.acks, read.timeout_ms).run_read(read)


class Production:
    """One request on its way through the partitions."""

    __slots__ = (
        "_acks",
        "_broker",
        "_call",
        "_timeout_ms",
        "_unreplicated",
        "_verified",
        "_version",
    )

    def __init__(
        self,
        call: Call[ProduceRequest],
        broker: Broker,
        acks: int,
        timeout_ms: int,
        verified: Verified = NOTHING_VERIFIED,
    ) -> None:
        self._call = call
        self._broker = broker
        self._verified = verified
        self._version = call.version
        self._acks = acks
        self._timeout_ms = timeout_ms
        self._unreplicated: list[Unreplicated] = []

    def run(self) -> Answer:
        """Append all; the answer, or LATER if it is given when the replicas have followed."""
        topics = each_topic_once(self._call.request)
        return self._respond_or_hold(
            ProduceResponse(responses=[self._topic(topic) for topic in topics])
        )

    def run_in_slices(self) -> Slices[None, None, Answer]:
        """The same for a request with very many batches, which must own its bytes."""
        topics: Topics = {}
        for part in in_parts(self._call.request):
            gather(topics, [part])
            yield
        response = ProduceResponse(responses=[])
        for topic in topics.values():
            answers = yield from each(self._answers_of(topic), topic.batches.items())
            response.responses.append(_topic_answer(topic, answers))
            yield
        return self._respond_or_hold(response)

    def run_read(self, read: ReadProduce) -> Answer:
        """The same for what a fast reader has read: batches that nothing is wrong with so far."""
        # hot: once for each request of ordinary producers.
        waits_for_all, all_done = self._acks == ALL_REPLICAS, True
        outcomes: list[AppendResult | MoldauError] = []
        results: list[AppendResult] = []
        for _, batches in read.topics:
            for partition, records in batches.items():
                outcome = self._append_to(partition, records)
                if isinstance(outcome, AppendResult):
                    results.append(outcome)
                    if waits_for_all and partition.log.state.high_watermark <= outcome.last_offset:
                        all_done = False
                else:
                    all_done = False
                outcomes.append(outcome)
        if all_done:
            return read.answer(results)
        left = iter(outcomes)
        return self._respond_or_hold(
            ProduceResponse(
                responses=[
                    TopicAnswer(
                        **read.names(opening),
                        partition_responses=[self._answer_for(one, next(left)) for one in batches],
                    )
                    for opening, batches in read.topics
                ]
            )
        )

    def _append_to(
        self, partition: Partition, records: Buffer, guard: VerificationGuard | None = None
    ) -> AppendResult | MoldauError:
        """Append and count."""
        # hot: once for each batch.
        traffic = self._broker.traffic
        try:
            result = partition.append(records, required_acks=self._acks, guard=guard)
        except MoldauError as error:
            traffic.refused(partition.topic, len(records), error)
            return error
        count = result.last_offset - result.first_offset + 1
        traffic.produced(partition.topic, len(records), count)
        return result

    def _respond_or_hold(self, response: ProduceResponse) -> Answer:
        """At once where nothing is left to be replicated; else it becomes a delayed operation."""
        if not self._unreplicated:
            return self.finish(response)
        self._broker.purgatory.hold(
            "Produce",
            dict.fromkeys(one.partition for one in self._unreplicated),
            until=lambda _: all(one.is_decided for one in self._unreplicated),
            then=lambda in_time: self._call.answer(self._complete(response, in_time)),
            timeout_ms=self._timeout_ms,
        )
        if not self._broker.metadata.image.quotas.by_entity:  # or its sender may have to be muted
            self._release_records()
            self._call.set_aside()
        return LATER

    def _release_records(self) -> None:
        """They are appended: no memory of frames is held by answers that are set aside."""
        read = self._call.read
        if isinstance(read, ReadProduce):
            read.release_records()
            return
        for topic in self._call.request.topic_data:
            for one in topic.partition_data:
                one.records = None

    def _topic(self, topic: AskedTopic) -> TopicAnswer:
        return _topic_answer(topic, list(map(self._answers_of(topic), topic.batches.items())))

    def _answers_of(self, topic: AskedTopic) -> Callable[[Asked], PartitionAnswer]:
        """What appends a partition's batches and answers, or refuses them."""
        try:
            name = self._name_of(topic)
        except KafkaError as error:
            return partial(_same_error, error)
        known = self._broker.metadata.image.topics.by_name[name].partitions

        def answer(asked: Asked) -> PartitionAnswer:
            index, batches = asked
            if index in known:
                return self._partition(name, index, batches)
            return error_answer(index, MISSING)

        return answer

    def _name_of(self, topic: AskedTopic) -> str:
        """The topic's name, if the sender may write to it."""
        topics = self._broker.metadata.image.topics
        name = topic.name
        if self._version >= TOPIC_IDS_FROM:
            known = topics.by_id.get(topic.topic_id)
            if known is None:
                raise KafkaError(ErrorCode.UNKNOWN_TOPIC_ID)
            name = known.name
        call = self._call
        if not self._broker.authorizer.allows(call, Operation.WRITE, Resource.TOPIC, name):
            raise KafkaError(ErrorCode.TOPIC_AUTHORIZATION_FAILED)
        if name not in topics.by_name:
            raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
        return str(name)

    def _partition(self, topic: str, index: int, batches: list[Buffer]) -> PartitionAnswer:
        """Append the last sound batch that the request has for a partition, as Kafka does."""
        # hot: once for each partition; the list has one batch, unless it names a partition twice.
        last_sound: Buffer | None = None
        last_error: KafkaError | None = None
        for records in batches:
            try:
                check_batch(records, self._version)
                last_sound = records
            except KafkaError as error:
                last_error = error
        answer = None if last_sound is None else self._append(topic, index, last_sound)
        if last_error is not None or answer is None:
            return error_answer(index, last_error or MISSING)
        return answer

    def _append(self, topic: str, index: int, records: Buffer) -> PartitionAnswer:
        # hot: once for each batch; everything but the append itself costs a few microseconds.
        broker = self._broker
        try:
            self._check_may_append(topic)
            partition = broker.replicas.find(topic, index) or broker.replicas.leader(topic, index)
            unverified = self._verified is NOTHING_VERIFIED
            guard = None if unverified else self._guard(topic, index)
        except MoldauError as error:
            return self._error_answer(topic, index, error)
        return self._answer_for(partition, self._append_to(partition, records, guard))

    def _answer_for(
        self, partition: Partition, outcome: AppendResult | MoldauError
    ) -> PartitionAnswer:
        """What the response has of a batch, after the partition has appended or refused it."""
        if isinstance(outcome, AppendResult):
            return self._success_answer(partition, outcome)
        answer = self._error_answer(partition.topic, partition.index, outcome)
        if answer.error_code not in _WITHOUT_START:
            answer.log_start_offset = partition.log_start_offset
        return answer

    def _success_answer(self, partition: Partition, result: AppendResult) -> PartitionAnswer:
        """If replicas are behind, it is noted as unreplicated, and may still become an error."""
        answer = PartitionAnswer(
            index=partition.index,
            error_code=0,
            base_offset=result.first_offset,
            log_append_time_ms=result.log_append_time,
            log_start_offset=result.log_start_offset,
        )
        if self._acks == ALL_REPLICAS and partition.high_watermark <= result.last_offset:
            self._unreplicated.append(
                Unreplicated(partition, partition.leader_epoch, result.last_offset + 1, answer)
            )
        return answer

    def _check_may_append(self, topic: str) -> None:
        if self._acks not in ACKS:
            text = f"acks is {self._acks}; it must be -1, 0 or 1"
            raise KafkaError(ErrorCode.INVALID_REQUIRED_ACKS, text)
        if topic in INTERNAL_TOPICS and self._call.client_id != WRITES_INTERNAL:
            raise KafkaError(
                ErrorCode.INVALID_TOPIC_EXCEPTION, f"{topic} is internal: only brokers write to it"
            )

    def _guard(self, topic: str, index: int) -> VerificationGuard | None:
        error = self._verified.refused.get((topic, index))
        if error is not None:
            raise error
        return self._verified.guards.get((topic, index))

    def _error_answer(self, topic: str, index: int, error: MoldauError) -> PartitionAnswer:
        """With the leader beside it, where that is another broker (KIP-951)."""
        answer = error_answer(index, error)
        if answer.error_code == ErrorCode.NOT_LEADER_OR_FOLLOWER and self._version >= HINTS_FROM:
            hint = leader_hint(self._broker.metadata.image, topic, index)
            answer.current_leader = PartitionAnswer.LeaderIdAndEpoch(
                leader_id=hint.leader_id, leader_epoch=hint.leader_epoch
            )
        return answer

    def _complete(self, response: ProduceResponse, in_time: bool) -> Answer:
        """The watermark has passed, the leader has changed, or the time is up."""
        if not in_time:
            late = sum(not one.is_decided for one in self._unreplicated)
            self._broker.purgatory.expired["Produce"] += late
        for one in self._unreplicated:
            one.answer.error_code = one.error_code
        return self.finish(response)

    def finish(self, response: ProduceResponse) -> Answer:
        """For acks 0 there is no response; the connection is closed if a batch was refused."""
        if self._acks != NO_ACKS:
            if self._version >= HINTS_FROM:
                _add_node_endpoints(response, self._call, self._broker)
            return response
        failed = any(
            one.error_code for topic in response.responses for one in topic.partition_responses
        )
        return CLOSE if failed else None


def _topic_answer(topic: AskedTopic, answers: list[PartitionAnswer]) -> TopicAnswer:
    return TopicAnswer(name=topic.name, topic_id=topic.topic_id, partition_responses=answers)


def _same_error(error: KafkaError, asked: Asked) -> PartitionAnswer:
    """The answer for each partition of a topic that is not even looked at."""
    return error_answer(asked[0], error)


def error_answer(index: int, error: MoldauError) -> PartitionAnswer:
    """The answer for a partition whose batch was not appended."""
    errors = error.record_errors if isinstance(error, BatchRefusedError) else ()
    return PartitionAnswer(
        index=index,
        error_code=code_of(error),
        base_offset=-1,
        record_errors=[
            PartitionAnswer.BatchIndexAndErrorMessage(
                batch_index=one.batch_index, batch_index_error_message=one.reason
            )
            for one in errors
        ],
        error_message=str(error),
    )


def _add_node_endpoints(response: ProduceResponse, call: Call, broker: Broker) -> None:
    """Add the addresses of the leaders that are named in the answers."""
    leaders = {
        one.current_leader.leader_id
        for topic in response.responses
        for one in topic.partition_responses
        if one.error_code
    } - {-1}
    for broker_id in sorted(leaders):
        address = address_of(broker.metadata.image, broker_id, call.listener)
        if address is not None:
            response.node_endpoints.append(ProduceResponse.NodeEndpoint(**address._asdict()))
