"""Produce: append one batch to each partition named, and answer when `acks` is met.

An ordinary request is answered within this call: the batches are appended where they lie, in the
receive buffer, and where every one of them is replicated, or that was not asked for, the response
leaves at once. Three things make it wait: a partition that is just being opened, a transaction
that its coordinator is asked about first (`verification`), and replicas that are behind
(acks -1).

Versions 3-13: 5 log start, 7 zstd, 8 errors per record (KIP-467), 10 leader hints (KIP-951),
12 transactions v2 (KIP-890), 13 topic ids (KIP-516).

Deviations: error messages come with every error, where Kafka has them for few. While a request
waits for replicas, the Produce requests behind it are appended, and answered behind it; Kafka takes
the next when it is answered. So a batch may be in the log, and be answered with what became of it,
where Kafka would have refused it: replicas or the leadership were lost while the one before waited.
Where quotas are set, one request is in work, as in Kafka.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Final

from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import CLOSE, Answer, Call, Slices
from moldau.broker.server.later import answer_later
from moldau.broker.server.produce.appending import (
    PartitionData,
    Production,
    TopicAnswer,
    TopicData,
    append_read,
    error_answer,
)
from moldau.broker.server.produce.batches import (
    ACKS,
    NO_ACKS,
    check_start,
    each_topic_once,
    in_parts,
)
from moldau.broker.server.produce.reader import ReadProduce
from moldau.broker.server.produce.verification import (
    NOTHING_VERIFIED,
    OpenQuestion,
    Verified,
    ask,
    begin_questions,
    is_transactional,
    producer_of,
)
from moldau.errors import KafkaError
from moldau.protocol.messages.data.produce import ProduceRequest, ProduceResponse
from moldau.protocol.wire.error_codes import ErrorCode

if TYPE_CHECKING:
    from moldau.broker.server.produce.schemas.checks import AskedBatch, SchemaChecks

GATE: Final = "moldau.broker.server.produce.schemas.gate"
FEW: Final = 64
"""Batches of a topic, or topics, that are appended at one go: 10 us each."""


def handle(call: Call[ProduceRequest], broker: Broker) -> Answer:
    read = call.read
    if isinstance(read, ReadProduce):
        if broker.schema_checks is None or not _is_unfit(call, broker, read):
            return append_read(call, broker, read)
        return _produce(call, broker)
    request = call.request
    if _is_long(request):
        return _in_slices(call, broker, request)
    try:
        transactional = _has_transactional(request.topic_data)
    except KafkaError as error:
        return CLOSE if request.acks == NO_ACKS else _refuse_all(request, error)
    return _admitted(call, broker, request, transactional=transactional)


def _is_long(request: ProduceRequest) -> bool:
    topics = request.topic_data
    return len(topics) > FEW or any(len(topic.partition_data) > FEW for topic in topics)


def _in_slices(
    call: Call[ProduceRequest], broker: Broker, request: ProduceRequest
) -> Slices[None, None, Answer]:
    """As any other request, but with others between its batches."""
    _keep_records(request)
    transactional = False
    try:
        for part in in_parts(request):
            transactional = transactional or _has_transactional([part])
            yield
    except KafkaError as error:
        return CLOSE if request.acks == NO_ACKS else _refuse_all(request, error)
    answer = _admitted(call, broker, request, transactional=transactional)
    return (yield from answer) if isinstance(answer, Slices) else answer


def _admitted(
    call: Call[ProduceRequest], broker: Broker, request: ProduceRequest, *, transactional: bool
) -> Answer:
    """Append, if nothing is wrong with the whole."""
    if request.acks not in ACKS:
        return _produce(call, broker)
    if transactional and not _may_write(call, broker, request.transactional_id):
        return _refuse_transactional_id(request)
    if broker.replicas.pending and _waits(broker, request):
        _keep_records(request)
        return answer_later(call, broker, _wait_first(call, broker))
    return _go_on(call, broker) if transactional else _produce(call, broker)


def _is_unfit(call: Call, broker: Broker, read: ReadProduce) -> bool:
    """Whether a schema is unknown or wrong, or has rules: then it goes the way of messages."""
    checks, gate = _schemas(broker)
    asked = gate.asked_of_read(checks, broker, read)
    if not asked:
        return False
    if not (checks.run_rules(asked) or checks.unknown(asked) or checks.refusals(asked)):
        return False
    call.take_message(gate.whole_message(read))
    return True


def _produce(
    call: Call[ProduceRequest], broker: Broker, verified: Verified = NOTHING_VERIFIED
) -> Answer:
    request = call.request
    if broker.schema_checks is not None:
        checks, gate = _schemas(broker)
        asked = gate.asked_of_message(checks, call, broker, request)
        unknown = checks.unknown(asked)
        if unknown or checks.run_rules(asked):
            _keep_records(request)
            return answer_later(
                call, broker, _look_up_first(call, broker, verified, unknown, asked)
            )
        verified = gate.with_refusals(checks, verified, asked)
    return _append(call, broker, request, verified)


async def _look_up_first(
    call: Call[ProduceRequest],
    broker: Broker,
    verified: Verified,
    unknown: set[int | str],
    asked: list[AskedBatch],
) -> Answer:
    """Look up schemas that records name, run their rules, and append what is right."""
    request = call.request
    checks, gate = _schemas(broker)
    await checks.look_up(unknown)
    return _append(
        call, broker, request, await gate.with_judgement(checks, broker, verified, asked)
    )


def _schemas(broker: Broker) -> tuple[SchemaChecks, ModuleType]:
    """Its functions are imported where a topic asks for schemas."""
    assert broker.schema_checks is not None, "it is looked at before"
    return broker.schema_checks, import_module(GATE)


def _append(
    call: Call[ProduceRequest], broker: Broker, request: ProduceRequest, verified: Verified
) -> Answer:
    production = Production(call, broker, request.acks, request.timeout_ms, verified)
    return production.run_in_slices() if _is_long(request) else production.run()


def _waits(broker: Broker, request: ProduceRequest) -> bool:
    """Whether a partition is just being opened."""
    pending = broker.replicas.pending
    return any((topic, one.index) in pending for topic, one in _partitions(broker, request))


def _keep_records(request: ProduceRequest) -> None:
    """Copy them: the buffer that they came in is used again while we wait."""
    for topic in request.topic_data:
        for one in topic.partition_data:
            if isinstance(one.records, memoryview):
                one.records = bytearray(one.records)


def _refuse_transactional_id(request: ProduceRequest) -> Answer:
    if request.acks == NO_ACKS:
        return CLOSE
    return _refuse_all(request, KafkaError(ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED))


def _refuse_all(request: ProduceRequest, error: KafkaError) -> ProduceResponse:
    """The same for each partition."""
    return ProduceResponse(
        responses=[
            TopicAnswer(
                name=one.name,
                topic_id=one.topic_id,
                partition_responses=[error_answer(index, error) for index in one.batches],
            )
            for one in each_topic_once(request)
        ]
    )


def _may_write(call: Call, broker: Broker, transactional_id: str | None) -> bool:
    return transactional_id is not None and broker.authorizer.allows(
        call, Operation.WRITE, Resource.TRANSACTIONAL_ID, transactional_id
    )


def _has_transactional(topics: Iterable[TopicData]) -> bool:
    """Whether a transaction is about; bytes that are no batch at all spoil the whole request."""
    # hot: for each request of ordinary producers; a loop is cheaper than a generator here.
    for topic in topics:
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


async def _wait_first(call: Call[ProduceRequest], broker: Broker) -> Answer:
    """Until the partitions are open."""
    request = call.request
    names = [(topic, one.index) for topic, one in _partitions(broker, request)]
    await broker.replicas.settled(names)
    return _go_on(call, broker)


def _go_on(call: Call[ProduceRequest], broker: Broker) -> Answer:
    """Append, unless a coordinator must be asked first about a transaction."""
    request = call.request
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
        return _produce(call, broker)
    _keep_records(request)
    return answer_later(call, broker, _ask_first(call, broker, questions))


async def _ask_first(
    call: Call[ProduceRequest], broker: Broker, questions: list[OpenQuestion]
) -> Answer:
    request = call.request
    verified = await ask(call, call.version, broker, request.transactional_id or "", questions)
    return _produce(call, broker, verified)
