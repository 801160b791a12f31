"""OffsetForLeaderEpoch: where does the log of a leader epoch end?

The leader answers with the largest epoch it knows that is not above the asked one, and with the
offset at which the next one began, or its log's end. An epoch from the future, or an empty log,
has no answer: -1 and -1, without an error.

Versions 2-4. Deviations: none.
"""

from __future__ import annotations

from functools import partial

from moldau.broker.replica.refusals import code_of
from moldau.broker.security.access import CLUSTER_NAME, Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.slices import Pace, each
from moldau.errors import KafkaError, MoldauError
from moldau.protocol.messages.data.offset_for_leader_epoch import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderEpochResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

TopicAnswer = OffsetForLeaderEpochResponse.OffsetForLeaderTopicResult
PartitionAnswer = TopicAnswer.EpochEndOffset
Asked = OffsetForLeaderEpochRequest.OffsetForLeaderTopic.OffsetForLeaderPartition


async def handle(
    call: Call[OffsetForLeaderEpochRequest], broker: Broker
) -> OffsetForLeaderEpochResponse:
    request = call.request
    pace = Pace(broker)
    if broker.replicas.pending:
        await broker.replicas.settled(
            [(topic.topic, one.partition) for topic in request.topics for one in topic.partitions]
        )
    response = OffsetForLeaderEpochResponse(throttle_time_ms=0, topics=[])
    for topic in request.topics:
        answer = partial(_answer, call, broker, topic.topic)
        answers = await pace.run(each(answer, topic.partitions))
        response.topics.append(TopicAnswer(topic=topic.topic, partitions=answers))
    return response


def _answer(call: Call, broker: Broker, topic: str, asked: Asked) -> PartitionAnswer:
    try:
        _check(call, broker, topic)
        partition = broker.replicas.leader(topic, asked.partition, asked.current_leader_epoch)
    except MoldauError as error:
        return PartitionAnswer(error_code=code_of(error), partition=asked.partition)
    epoch, end_offset = partition.log.epochs.end_offset_for(
        asked.leader_epoch, partition.log_end_offset
    )
    return PartitionAnswer(
        error_code=0, partition=asked.partition, leader_epoch=epoch, end_offset=end_offset
    )


def _check(call: Call, broker: Broker, topic: str) -> None:
    """A follower may ask, and a client that may describe the topic."""
    allows = broker.authorizer.allows
    if allows(call, Operation.CLUSTER_ACTION, Resource.CLUSTER, CLUSTER_NAME):
        return
    if not allows(call, Operation.DESCRIBE, Resource.TOPIC, topic):
        raise KafkaError(ErrorCode.TOPIC_AUTHORIZATION_FAILED)
