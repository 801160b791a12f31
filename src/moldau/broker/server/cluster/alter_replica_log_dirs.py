"""AlterReplicaLogDirs: keep replicas in other directories of this broker (KIP-113).

Answered at once; the copying goes on in the background (replica.moves), and DescribeLogDirs shows
how far it is.

Versions 1-2. A partition that is not here yet is refused, and begins in that directory when it
comes, unless the node stops before.
"""

from __future__ import annotations

from collections import defaultdict

from moldau.broker.log.directory.names import TopicPartition, may_move
from moldau.broker.replica.refusals import code_of
from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.controller.access import require
from moldau.broker.server.slices import Pace
from moldau.errors import MoldauError
from moldau.protocol.messages.cluster.alter_replica_log_dirs import (
    AlterReplicaLogDirsRequest,
    AlterReplicaLogDirsResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

TopicAnswer = AlterReplicaLogDirsResponse.AlterReplicaLogDirTopicResult
PartitionAnswer = TopicAnswer.AlterReplicaLogDirPartitionResult


async def handle(
    call: Call[AlterReplicaLogDirsRequest], broker: Broker
) -> AlterReplicaLogDirsResponse:
    request = call.request
    require(call, broker, Operation.ALTER)
    topics: dict[str, list[PartitionAnswer]] = defaultdict(list)
    pace = Pace(broker)
    for (name, index), path in _wishes(request).items():
        code = _move(broker, name, index, path)
        topics[name].append(PartitionAnswer(partition_index=index, error_code=code))
        if pace.is_over:
            await pace.rest()
    return AlterReplicaLogDirsResponse(
        throttle_time_ms=0,
        results=[
            TopicAnswer(topic_name=name, partitions=answers) for name, answers in topics.items()
        ],
    )


def _wishes(request: AlterReplicaLogDirsRequest) -> dict[tuple[str, int], str]:
    """Of a partition that is named twice, the last one counts."""
    return {
        (topic.name, index): directory.path
        for directory in request.dirs
        for topic in directory.topics
        for index in topic.partitions
    }


def _move(broker: Broker, topic: str, index: int, path: str) -> int:
    if not may_move(TopicPartition(topic, index)):
        return ErrorCode.INVALID_TOPIC_EXCEPTION
    try:
        broker.replicas.move(topic, index, path)
    except MoldauError as error:
        return code_of(error)
    return ErrorCode.NONE
