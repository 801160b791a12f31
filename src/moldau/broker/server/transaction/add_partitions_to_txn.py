"""AddPartitionsToTxn: these partitions belong to the transaction, or do they already?

Versions 0-5. Up to 3 clients ask, for one transaction; from 4 on brokers do, for many, and each may
be looked at or added to. It is all or nothing: where one partition is unknown or forbidden, the
others are OPERATION_NOT_ATTEMPTED. Internal topics are never a client's to write to; a group's
offsets have AddOffsetsToTxn.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from moldau.broker.coordinator.transaction.add_partitions import BROKERS_FROM, answer_broker
from moldau.broker.log.directory.names import TopicPartition
from moldau.broker.runtime.together import together
from moldau.broker.security.access import CLUSTER_NAME, Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.slices import Pace
from moldau.broker.server.topic.creation import INTERNAL_TOPICS
from moldau.broker.server.transaction.asking import (
    ask_transaction,
    check_transactional_id,
    known_to,
)
from moldau.errors import KafkaError
from moldau.protocol.messages.transaction.add_partitions_to_txn import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

FENCED_FROM = 2

PART = 256
"""Partitions of a topic that are looked at before others may go on."""
Topic = AddPartitionsToTxnRequest.AddPartitionsToTxnTopic
Asked = list[Topic]
Transaction = AddPartitionsToTxnRequest.AddPartitionsToTxnTransaction
Result = AddPartitionsToTxnResponse.AddPartitionsToTxnResult


async def handle(
    call: Call[AddPartitionsToTxnRequest], broker: Broker
) -> AddPartitionsToTxnResponse:
    request = call.request
    if call.version >= BROKERS_FROM:
        allows = broker.authorizer.allows
        if not allows(call, Operation.CLUSTER_ACTION, Resource.CLUSTER, CLUSTER_NAME):
            raise KafkaError(ErrorCode.CLUSTER_AUTHORIZATION_FAILED)
        ask = partial(_for_broker, call, broker)
        name = "transaction of a broker"
        results = await together(broker.tasks, name, ask, request.transactions)
        return AddPartitionsToTxnResponse(
            throttle_time_ms=0, results_by_transaction=results, results_by_topic_v3_and_below=[]
        )
    return await _for_client(call, broker, request)


async def _for_client(
    call: Call, broker: Broker, request: AddPartitionsToTxnRequest
) -> AddPartitionsToTxnResponse:
    name, topics = request.v3_and_below_transactional_id, request.v3_and_below_topics
    check_transactional_id(call, broker, name)
    codes = await _refused(call, broker, topics, is_client=True)
    if codes:
        result = await _result(broker, name, topics, codes)
        return AddPartitionsToTxnResponse(
            throttle_time_ms=0,
            results_by_transaction=[],
            results_by_topic_v3_and_below=result.topic_results,
        )
    try:
        return await ask_transaction(call, broker, name, AddPartitionsToTxnResponse)
    except KafkaError as error:
        raise known_to(call, error, FENCED_FROM) from error


async def _for_broker(call: Call, broker: Broker, asked: Transaction) -> Result:
    codes = await _refused(call, broker, asked.topics, is_client=False)
    if not codes:
        one = AddPartitionsToTxnRequest(
            transactions=[asked],
            v3_and_below_transactional_id="",
            v3_and_below_producer_id=0,
            v3_and_below_producer_epoch=0,
            v3_and_below_topics=[],
        )
        try:
            answer = await ask_transaction(
                call, broker, asked.transactional_id, AddPartitionsToTxnResponse, one
            )
        except KafkaError as error:
            codes = await _coded(broker, asked.topics, {}, error.code)
        else:
            [result] = answer.results_by_transaction
            return result
    return await _result(broker, asked.transactional_id, asked.topics, codes)


async def _result(
    broker: Broker, name: str, topics: Asked, codes: dict[TopicPartition, int]
) -> Result:
    """`answer_broker` for what may be long."""
    pace = Pace(broker)
    [result] = answer_broker(name, [], {}).results_by_transaction
    for topic in topics:
        for start in range(0, len(topic.partitions) or 1, PART):
            part = Topic(name=topic.name, partitions=topic.partitions[start : start + PART])
            [result_for_some] = answer_broker(name, [part], codes).results_by_transaction
            _join(result, result_for_some, goes_on=start > 0)
            if pace.is_over:
                await pace.rest()
    return result


def _join(result: Result, more: Result, *, goes_on: bool) -> None:
    if goes_on:
        (topic,) = more.topic_results
        result.topic_results[-1].results_by_partition += topic.results_by_partition
    else:
        result.topic_results += more.topic_results


def _parts(topics: Asked) -> Iterator[list[TopicPartition]]:
    """All that is named, so many at a time."""
    for topic in topics:
        for start in range(0, len(topic.partitions), PART):
            some = topic.partitions[start : start + PART]
            yield [TopicPartition(topic.name, index) for index in some]


async def _refused(
    call: Call, broker: Broker, topics: Asked, *, is_client: bool
) -> dict[TopicPartition, int]:
    """A code for every partition if one of them cannot be in a transaction; nothing otherwise."""
    image = broker.metadata.image
    codes: dict[TopicPartition, int] = {}
    pace = Pace(broker)
    for some in _parts(topics):
        for one in some:
            if is_client and not _may_write(call, broker, one.topic):
                codes[one] = ErrorCode.TOPIC_AUTHORIZATION_FAILED
            elif image.topics.partition(*one) is None:
                codes[one] = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
        if pace.is_over:
            await pace.rest()
    if not codes:
        return {}
    return await _coded(broker, topics, codes, ErrorCode.OPERATION_NOT_ATTEMPTED)


async def _coded(
    broker: Broker, topics: Asked, known: dict[TopicPartition, int], otherwise: int
) -> dict[TopicPartition, int]:
    """A code for each partition, those that are known and one for all others."""
    codes: dict[TopicPartition, int] = {}
    pace = Pace(broker)
    for some in _parts(topics):
        codes.update((one, known.get(one, otherwise)) for one in some)
        if pace.is_over:
            await pace.rest()
    return codes


def _may_write(call: Call, broker: Broker, topic: str) -> bool:
    return topic not in INTERNAL_TOPICS and broker.authorizer.allows(
        call, Operation.WRITE, Resource.TOPIC, topic
    )
