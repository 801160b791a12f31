"""DescribeProducers: the active producers of a partition (KIP-664).

Any replica answers from its log's producer state, so that a transaction that hangs on one of them
can be found.

Version 0. Deviations: none.
"""

from __future__ import annotations

from functools import partial

from moldau.broker.log.producers.entry import ProducerEntry
from moldau.broker.replica.refusals import code_of
from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.slices import Pace, each
from moldau.broker.server.topic.creation import is_legal_name
from moldau.errors import KafkaError, MoldauError
from moldau.protocol.messages.transaction.describe_producers import (
    DescribeProducersRequest,
    DescribeProducersResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

TopicAnswer = DescribeProducersResponse.TopicResponse
PartitionAnswer = TopicAnswer.PartitionResponse


async def handle(call: Call[DescribeProducersRequest], broker: Broker) -> DescribeProducersResponse:
    request = call.request
    pace = Pace(broker)
    if broker.replicas.pending:
        await broker.replicas.settled(
            [(topic.name, index) for topic in request.topics for index in topic.partition_indexes]
        )
    response = DescribeProducersResponse(throttle_time_ms=0, topics=[])
    for topic in request.topics:
        answer = partial(_answer, call, broker, topic.name)
        answers = await pace.run(each(answer, topic.partition_indexes))
        response.topics.append(TopicAnswer(name=topic.name, partitions=answers))
    return response


def _answer(call: Call, broker: Broker, topic: str, index: int) -> PartitionAnswer:
    try:
        if not is_legal_name(topic):
            raise KafkaError(ErrorCode.INVALID_TOPIC_EXCEPTION)
        if not broker.authorizer.allows(call, Operation.READ, Resource.TOPIC, topic):
            raise KafkaError(ErrorCode.TOPIC_AUTHORIZATION_FAILED)
        partition = broker.replicas.partition(topic, index)
    except MoldauError as error:
        code = ErrorCode.read(code_of(error))
        return PartitionAnswer(
            partition_index=index, error_code=code, error_message=code.message, active_producers=[]
        )
    producers = [_state(entry) for entry in partition.log.producers.active()]
    return PartitionAnswer(partition_index=index, error_code=0, active_producers=producers)


def _state(entry: ProducerEntry) -> PartitionAnswer.ProducerState:
    first_offset = entry.transaction_first_offset
    return PartitionAnswer.ProducerState(
        producer_id=entry.producer_id,
        producer_epoch=entry.epoch,
        last_sequence=entry.last_sequence,
        last_timestamp=entry.last_timestamp,
        coordinator_epoch=entry.coordinator_epoch,
        current_txn_start_offset=-1 if first_offset is None else first_offset,
    )
