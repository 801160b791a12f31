"""ListOffsets: which offset belongs to a time, or to one of six places with names.

The leader answers; a debugging tool (replica id -2) may ask any replica. Consumers see as far as
their isolation lets them read, followers to the end of the log.

Versions 1-11: 2 isolation, 4 leader epochs, 7 place -3 (KIP-734), 8 place -4 (KIP-405), 9 place -5
(KIP-1005), 11 place -6 (KIP-1023); a place that the version lacks is an UNSUPPORTED_VERSION.
"""

from __future__ import annotations

from collections import Counter
from functools import partial

from moldau.broker.log.reading import Isolation
from moldau.broker.replica.positions import (
    EARLIEST,
    EARLIEST_LOCAL,
    EARLIEST_PENDING_UPLOAD,
    LATEST,
    LATEST_TIERED,
    MAX_TIMESTAMP,
    find_offset,
)
from moldau.broker.replica.refusals import code_of
from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.slices import Pace, each
from moldau.errors import KafkaError, MoldauError
from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest, ListOffsetsResponse
from moldau.protocol.wire.error_codes import ErrorCode

TopicAnswer = ListOffsetsResponse.ListOffsetsTopicResponse
PartitionAnswer = TopicAnswer.ListOffsetsPartitionResponse
Asked = ListOffsetsRequest.ListOffsetsTopic.ListOffsetsPartition

CONSUMER, DEBUGGER = -1, -2
READ_COMMITTED = 1
NOT_AVAILABLE_FROM = 5
"""Older versions know no OFFSET_NOT_AVAILABLE."""
EPOCHS_FROM = 4
"""Older versions have no field for the leader's epoch."""
NO_EPOCH = -1
PLACES_FROM = {
    LATEST: 1,
    EARLIEST: 1,
    MAX_TIMESTAMP: 7,
    EARLIEST_LOCAL: 8,
    LATEST_TIERED: 9,
    EARLIEST_PENDING_UPLOAD: 11,
}
"""The version from which on a place has a name."""


async def handle(call: Call[ListOffsetsRequest], broker: Broker) -> ListOffsetsResponse:
    request = call.request
    pace = Pace(broker)
    allowed: list[ListOffsetsRequest.ListOffsetsTopic] = []
    response = ListOffsetsResponse(topics=[])
    for topic in request.topics:
        if broker.authorizer.allows(call, Operation.DESCRIBE, Resource.TOPIC, topic.name):
            allowed.append(topic)
        else:
            refused = await pace.run(each(_denied, topic.partitions))
            response.topics.append(TopicAnswer(name=topic.name, partitions=refused))
    asked, times = await _by_topic(allowed, pace)
    if broker.replicas.pending:
        await broker.replicas.settled(times)

    def answer(name: str, one: Asked) -> PartitionAnswer:
        if times[name, one.partition_index] > 1:
            return _refused(one, ErrorCode.INVALID_REQUEST)
        return _answer(call, broker, name, one)

    for name, partitions in asked.items():
        answers = await pace.run(each(partial(answer, name), partitions.values()))
        response.topics.append(TopicAnswer(name=name, partitions=answers))
    return response


async def _by_topic(
    asked: list[ListOffsetsRequest.ListOffsetsTopic], pace: Pace
) -> tuple[dict[str, dict[int, Asked]], Counter[tuple[str, int]]]:
    """Each partition once, and how often it is named; topics without any are left out, as in
    Kafka."""
    topics: dict[str, dict[int, Asked]] = {}
    times: Counter[tuple[str, int]] = Counter()
    for topic in asked:
        for one in topic.partitions:
            topics.setdefault(topic.name, {})[one.partition_index] = one
            times[topic.name, one.partition_index] += 1
            if pace.is_over:
                await pace.rest()
    return topics, times


def _answer(
    call: Call[ListOffsetsRequest], broker: Broker, topic: str, asked: Asked
) -> PartitionAnswer:
    request = call.request
    try:
        _check_place(call, asked)
        replicas = broker.replicas
        if request.replica_id == DEBUGGER:
            partition = replicas.partition(topic, asked.partition_index)
            partition.check_epoch(asked.current_leader_epoch)
        else:
            partition = replicas.leader(topic, asked.partition_index, asked.current_leader_epoch)
        found = find_offset(partition, asked.timestamp, _isolation(request))
    except MoldauError as error:
        return _refused(asked, _code(error, call.version))
    if found is None:
        return PartitionAnswer(partition_index=asked.partition_index, error_code=0)
    return PartitionAnswer(
        partition_index=asked.partition_index,
        error_code=0,
        timestamp=found.timestamp,
        offset=found.offset,
        leader_epoch=found.leader_epoch if call.version >= EPOCHS_FROM else NO_EPOCH,
    )


def _check_place(call: Call, asked: Asked) -> None:
    place = asked.timestamp
    if place < 0 and call.version < PLACES_FROM.get(place, call.version + 1):
        raise KafkaError(ErrorCode.UNSUPPORTED_VERSION)


def _isolation(request: ListOffsetsRequest) -> Isolation:
    if request.replica_id != CONSUMER:
        return Isolation.LOG_END
    committed = request.isolation_level == READ_COMMITTED
    return Isolation.COMMITTED if committed else Isolation.HIGH_WATERMARK


def _code(error: MoldauError, version: int) -> int:
    code = code_of(error)
    if code == ErrorCode.OFFSET_NOT_AVAILABLE and version < NOT_AVAILABLE_FROM:
        return ErrorCode.LEADER_NOT_AVAILABLE
    return code


def _denied(asked: Asked) -> PartitionAnswer:
    return _refused(asked, ErrorCode.TOPIC_AUTHORIZATION_FAILED)


def _refused(asked: Asked, code: int) -> PartitionAnswer:
    return PartitionAnswer(partition_index=asked.partition_index, error_code=code)
