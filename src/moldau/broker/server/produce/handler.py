"""Produce: append one batch to each partition named, and answer when `acks` is met.

An ordinary request is answered within this call: the batches are appended where they lie, in the
receive buffer, and where every one of them is replicated, or nobody asked for that, the response
leaves at once. Three things make it wait: a partition that is just being opened, a transaction
that its coordinator is asked about first (server.transaction_gate), and replicas that are behind
(acks -1).

Versions 3-13: 5 log start, 7 zstd, 8 errors per record (KIP-467), 10 leader hints (KIP-951),
12 transactions v2 (KIP-890), 13 topic ids (KIP-516).

Deviations: error messages come with every error, where Kafka has them for few.
"""

from __future__ import annotations

from collections.abc import Iterator

from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import HANG_UP, Answer, Call
from moldau.broker.server.later import answer_later
from moldau.broker.server.produce.appending import (
    ACKS,
    NO_ACKS,
    PartitionData,
    Production,
    TopicAnswer,
    refused,
)
from moldau.broker.server.produce.batches import check_start, each_topic_once
from moldau.broker.server.produce.verification import (
    OpenQuestion,
    ask,
    begin_questions,
    is_transactional,
    producer_of,
)
from moldau.errors import KafkaError
from moldau.protocol.messages.data.produce import ProduceRequest, ProduceResponse
from moldau.protocol.wire.error_codes import ErrorCode


def handle(call: Call, broker: Broker) -> Answer:
    request = call.request
    assert isinstance(request, ProduceRequest)
    try:
        transactional = _has_transactional(request)
    except KafkaError as error:
        return HANG_UP if request.acks == NO_ACKS else _refuse_all(request, error)
    if request.acks not in ACKS:
        return Production(call, broker).run()
    if transactional and not _may_write(call, broker, request.transactional_id):
        return _refuse_transactional_id(request)
    if broker.replicas.pending and _waits(broker, request):
        _keep_records(request)
        return answer_later(call, broker, _wait_first(call, broker))
    return _go_on(call, broker) if transactional else Production(call, broker).run()


def _waits(broker: Broker, request: ProduceRequest) -> bool:
    """Whether a partition is just being opened."""
    pending = broker.replicas.pending
    return any((topic, one.index) in pending for topic, one in _partitions(broker, request))


def _keep_records(request: ProduceRequest) -> None:
    """Copy them: the buffer that they came in is used again while we wait."""
    for topic in request.topic_data:
        for one in topic.partition_data:
            one.records = None if one.records is None else bytearray(one.records)


def _refuse_transactional_id(request: ProduceRequest) -> Answer:
    if request.acks == NO_ACKS:
        return HANG_UP
    return _refuse_all(request, KafkaError(ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED))


def _refuse_all(request: ProduceRequest, error: KafkaError) -> ProduceResponse:
    """The same for each partition."""
    return ProduceResponse(
        responses=[
            TopicAnswer(
                name=one.name,
                topic_id=one.topic_id,
                partition_responses=[refused(index, error) for index in one.batches],
            )
            for one in each_topic_once(request)
        ]
    )


def _may_write(call: Call, broker: Broker, transactional_id: str | None) -> bool:
    return transactional_id is not None and broker.authorizer.allows(
        call, Operation.WRITE, Resource.TRANSACTIONAL_ID, transactional_id
    )


def _has_transactional(request: ProduceRequest) -> bool:
    """Whether a transaction is about; bytes that are no batch at all spoil the whole request."""
    # hot: for each request of ordinary producers; a loop is cheaper than a generator here.
    for topic in request.topic_data:
        for one in topic.partition_data:
            check_start(one.records or b"")
            if is_transactional(one.records):
                return True
    return False


def _partitions(broker: Broker, request: ProduceRequest) -> Iterator[tuple[str, PartitionData]]:
    """Each partition with its topic's name; those of unknown ids are left out."""
    by_id = broker.metadata.image.topics.by_id
    for topic in request.topic_data:
        known = by_id.get(topic.topic_id)
        name = topic.name or ("" if known is None else known.name)
        for one in topic.partition_data:
            yield name, one


async def _wait_first(call: Call, broker: Broker) -> Answer:
    """Until the partitions are open."""
    request = call.request
    assert isinstance(request, ProduceRequest)
    names = [(topic, one.index) for topic, one in _partitions(broker, request)]
    await broker.replicas.settled(names)
    return _go_on(call, broker)


def _go_on(call: Call, broker: Broker) -> Answer:
    """Append, unless a coordinator must be asked first about a transaction."""
    request = call.request
    assert isinstance(request, ProduceRequest)
    batches = [
        (topic, one.index, one.records)
        for topic, one in _partitions(broker, request)
        if one.records is not None and is_transactional(one.records)
    ]
    if len({producer_of(records) for _, _, records in batches}) > 1:
        error = KafkaError(
            ErrorCode.INVALID_PRODUCER_ID_MAPPING, "one request, two transactional producers"
        )
        return _refuse_all(request, error)
    questions = begin_questions(broker, batches, call.version)
    if not questions:
        return Production(call, broker).run()
    _keep_records(request)
    return answer_later(call, broker, _ask_first(call, broker, questions))


async def _ask_first(call: Call, broker: Broker, questions: list[OpenQuestion]) -> Answer:
    request = call.request
    assert isinstance(request, ProduceRequest)
    verified = await ask(call, broker, request.transactional_id or "", questions)
    return Production(call, broker, verified).run()
