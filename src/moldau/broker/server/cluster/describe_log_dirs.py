"""DescribeLogDirs: what lies in each log directory of this broker, and how much room there is.

A directory that is offline is listed with its error and nothing else. Copies that are on their way
to another directory stand beside the partition they will replace, as future logs.

Versions 1-5: 3 an error for the whole answer, 4 sizes of the volume (KIP-827), 5 cordoned
directories (KIP-1066). Deviations: none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from moldau.broker.log.directory.directory import LogDirectory
from moldau.broker.replica.manager import ReplicaManager
from moldau.broker.security.access import CLUSTER_NAME, Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
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
    wanted = _selection(request)
    for directory in broker.directories.opened:
        response.results.append(await _describe(broker, directory, wanted))
    for path in broker.directories.offline:
        if path not in {directory.path for directory in broker.directories.opened}:
            response.results.append(_offline(path))
    return response


def _selection(request: DescribeLogDirsRequest) -> Callable[[str, int], bool]:
    """Which partitions are asked about."""
    if request.topics is None:
        return lambda topic, index: True
    asked = {(topic.topic, index) for topic in request.topics for index in topic.partitions}
    return lambda topic, index: (topic, index) in asked


async def _describe(
    broker: Broker, directory: LogDirectory, wanted: Callable[[str, int], bool]
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
    topics: dict[str, list[PartitionAnswer]] = defaultdict(list)
    for held in replicas.held_in(directory):
        topic, index = held.name
        if wanted(topic, index):
            topics[topic].append(
                PartitionAnswer(
                    partition_index=index,
                    partition_size=held.size,
                    offset_lag=held.offset_lag,
                    is_future_key=held.is_future,
                )
            )
    return DirectoryAnswer(
        error_code=ErrorCode.NONE,
        log_dir=directory.path,
        topics=[TopicAnswer(name=name, partitions=found) for name, found in topics.items()],
        total_bytes=total_bytes,
        usable_bytes=usable_bytes,
        is_cordoned=directory.path in (broker.settings.cordoned_log_dirs or ()),
    )


def _offline(path: str) -> DirectoryAnswer:
    return DirectoryAnswer(error_code=ErrorCode.KAFKA_STORAGE_ERROR, log_dir=path, topics=[])
