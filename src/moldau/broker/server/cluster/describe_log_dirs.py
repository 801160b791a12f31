"""DescribeLogDirs: what lies in each log directory of this broker, and how much room there is.

A directory that is offline is listed with its error and nothing else. Copies that are on their way
to another directory stand beside the partition they will replace, as future logs.

Versions 1-5: 3 an error for the whole answer, 4 sizes of the volume (KIP-827), 5 cordoned
directories (KIP-1066). Deviations: none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Generator, Iterable

from moldau.broker.log.directory.directory import LogDirectory
from moldau.broker.log.directory.names import TopicPartition
from moldau.broker.replica.manager import ReplicaManager
from moldau.broker.replica.moves import Held
from moldau.broker.security.access import CLUSTER_NAME, Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.slices import STEP, in_slices
from moldau.errors import StorageError
from moldau.protocol.messages.cluster.describe_log_dirs import (
    DescribeLogDirsRequest,
    DescribeLogDirsResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

DirectoryAnswer = DescribeLogDirsResponse.DescribeLogDirsResult
TopicAnswer = DirectoryAnswer.DescribeLogDirsTopic
PartitionAnswer = TopicAnswer.DescribeLogDirsPartition

UNKNOWN_SIZE = -1


async def handle(call: Call[DescribeLogDirsRequest], broker: Broker) -> DescribeLogDirsResponse:
    request = call.request
    response = DescribeLogDirsResponse(throttle_time_ms=0, results=[])
    allows = broker.authorizer.allows
    if not allows(call, Operation.DESCRIBE, Resource.CLUSTER, CLUSTER_NAME):
        response.error_code = ErrorCode.CLUSTER_AUTHORIZATION_FAILED
        return response
    asked = _names(request)
    for directory in broker.replicas.directories.opened:
        response.results.append(await _describe(broker, directory, asked))
    for path in broker.replicas.directories.offline:
        if path not in {directory.path for directory in broker.replicas.directories.opened}:
            response.results.append(_offline(path))
    return response


def _names(request: DescribeLogDirsRequest) -> Collection[TopicPartition] | None:
    """Which partitions are asked about; None is all."""
    if request.topics is None:
        return None
    return {
        TopicPartition(topic.topic, index) for topic in request.topics for index in topic.partitions
    }


async def _describe(
    broker: Broker, directory: LogDirectory, asked: Collection[TopicPartition] | None
) -> DirectoryAnswer:
    replicas: ReplicaManager = broker.replicas
    files = replicas.world.files
    try:
        total_bytes = await broker.tasks.offload(files.total_bytes, directory.path)
        usable_bytes = await broker.tasks.offload(files.free_bytes, directory.path)
    except StorageError:
        total_bytes = usable_bytes = UNKNOWN_SIZE
    if not directory.is_online:
        return _offline(directory.path)
    topics = await in_slices(broker, _topics(replicas.held_in(directory, asked)))
    return DirectoryAnswer(
        error_code=ErrorCode.NONE,
        log_dir=directory.path,
        topics=topics,
        total_bytes=total_bytes,
        usable_bytes=usable_bytes,
        is_cordoned=directory.path in (broker.settings.cordoned_log_dirs or ()),
    )


def _topics(logs: Iterable[Held]) -> Generator[None, None, list[TopicAnswer]]:
    topics: dict[str, list[PartitionAnswer]] = defaultdict(list)
    for count, held in enumerate(logs, 1):
        topics[held.name[0]].append(
            PartitionAnswer(
                partition_index=held.name[1],
                partition_size=held.size,
                offset_lag=held.offset_lag,
                is_future_key=held.is_future,
            )
        )
        if not count % STEP:
            yield
    return [TopicAnswer(name=name, partitions=found) for name, found in topics.items()]


def _offline(path: str) -> DirectoryAnswer:
    return DirectoryAnswer(error_code=ErrorCode.KAFKA_STORAGE_ERROR, log_dir=path, topics=[])
