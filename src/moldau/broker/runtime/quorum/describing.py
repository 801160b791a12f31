"""DescribeQuorum: leader, voters and observers, as the leader sees them."""

from __future__ import annotations

from collections.abc import Generator

from moldau.broker.quorum.node import QuorumNode
from moldau.broker.quorum.progress import UNKNOWN, ReplicaProgress
from moldau.broker.quorum.roles import Leader
from moldau.platform.ports.clock import Clock
from moldau.platform.slices import each
from moldau.protocol.messages.quorum.describe_quorum import (
    DescribeQuorumRequest,
    DescribeQuorumResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.types import NULL_UUID

TOPIC = "__cluster_metadata"
NO_LEADER = -1
NO_OFFSET = 0
NO_MESSAGE = ""
"""Kafka sends an empty text where all is well, no null."""
NS_PER_MS = 1_000_000
DIRECTORIES_SINCE = 2
PartitionData = DescribeQuorumResponse.TopicData.PartitionData
ReplicaState = DescribeQuorumResponse.ReplicaState


def describe_quorum(
    request: DescribeQuorumRequest, version: int, node: QuorumNode, clock: Clock
) -> Generator[None, None, DescribeQuorumResponse]:
    """The whole response; on other nodes than the leader it is NOT_LEADER_OR_FOLLOWER."""
    if not names_the_log(request):
        return (yield from _unknown(request))
    now_ms = clock.now_ms()
    response = _response(node, now_ms, now_ms - clock.monotonic_ns() // NS_PER_MS)
    return response if version >= DIRECTORIES_SINCE else _without_directories(response)


def _without_directories(response: DescribeQuorumResponse) -> DescribeQuorumResponse:
    """Older versions have no room for directories and endpoints."""
    response.nodes = []
    for topic in response.topics:
        for partition in topic.partitions:
            for replica in (*partition.current_voters, *partition.observers):
                replica.replica_directory_id = NULL_UUID
    return response


def _response(node: QuorumNode, now_ms: int, began_ms: int) -> DescribeQuorumResponse:
    role = node.role
    topic = DescribeQuorumResponse.TopicData(
        topic_name=TOPIC,
        partitions=[
            _described(node, role, now_ms, began_ms)
            if isinstance(role, Leader)
            else _not_leader(node)
        ],
    )
    nodes = _nodes(node) if isinstance(role, Leader) else []
    return DescribeQuorumResponse(
        error_code=ErrorCode.NONE, error_message=NO_MESSAGE, topics=[topic], nodes=nodes
    )


def names_the_log(request: DescribeQuorumRequest) -> bool:
    """Whether it asks about the one partition that there is."""
    if len(request.topics) != 1:
        return False
    topic = request.topics[0]
    partitions = topic.partitions
    return topic.topic_name == TOPIC and len(partitions) == 1 and not partitions[0].partition_index


def _described(node: QuorumNode, role: Leader, now_ms: int, began_ms: int) -> PartitionData:
    """`began_ms` is when the monotonic clock was 0, by which the leader notes its replicas."""
    progress = role.progress
    own = progress.voters.get(node.key.node_id)
    return PartitionData(
        partition_index=0,
        error_code=ErrorCode.NONE,
        error_message=NO_MESSAGE,
        leader_id=node.key.node_id,
        leader_epoch=node.epoch,
        high_watermark=node.high_watermark,
        current_voters=[
            _leader_state(replica, now_ms) if replica is own else _replica_state(replica, began_ms)
            for _, replica in sorted(progress.voters.items())
        ],
        observers=[_replica_state(replica, began_ms) for replica in progress.observers.values()],
    )


def _leader_state(own: ReplicaProgress, now_ms: int) -> ReplicaState:
    return ReplicaState(
        replica_id=own.key.node_id,
        replica_directory_id=own.key.directory_id,
        log_end_offset=own.end_offset,
        last_fetch_timestamp=now_ms,
        last_caught_up_timestamp=now_ms,
    )


def _replica_state(replica: ReplicaProgress, began_ms: int) -> ReplicaState:
    return ReplicaState(
        replica_id=replica.key.node_id,
        replica_directory_id=replica.key.directory_id,
        log_end_offset=replica.end_offset,
        last_fetch_timestamp=_wall_ms(replica.last_fetch_ms, began_ms),
        last_caught_up_timestamp=_wall_ms(replica.last_caught_up_ms, began_ms),
    )


def _wall_ms(moment_ms: int, began_ms: int) -> int:
    """On the clock on the wall; what never was stays -1."""
    return moment_ms if moment_ms == UNKNOWN else began_ms + moment_ms


def _nodes(node: QuorumNode) -> list[DescribeQuorumResponse.Node]:
    return [
        DescribeQuorumResponse.Node(
            node_id=voter.key.node_id,
            listeners=[
                DescribeQuorumResponse.Node.Listener(name=name, host=host, port=port)
                for name, (host, port) in voter.endpoints.items()
            ],
        )
        for voter in node.voters
    ]


def _not_leader(node: QuorumNode) -> PartitionData:
    error = ErrorCode.NOT_LEADER_OR_FOLLOWER
    return _failed(0, error, NO_LEADER if node.leader_id is None else node.leader_id, node.epoch)


def _unknown(
    request: DescribeQuorumRequest,
) -> Generator[None, None, DescribeQuorumResponse]:
    topics = []
    for topic in request.topics:
        partitions = yield from each(_unknown_partition, topic.partitions)
        topics.append(
            DescribeQuorumResponse.TopicData(topic_name=topic.topic_name, partitions=partitions)
        )
        yield
    return DescribeQuorumResponse(
        error_code=ErrorCode.NONE, error_message=NO_MESSAGE, topics=topics, nodes=[]
    )


def _unknown_partition(
    asked: DescribeQuorumRequest.TopicData.PartitionData,
) -> PartitionData:
    error = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    return _failed(asked.partition_index, error, NO_OFFSET, NO_OFFSET)


def _failed(index: int, error: ErrorCode, leader_id: int, leader_epoch: int) -> PartitionData:
    return PartitionData(
        partition_index=index,
        error_code=error,
        error_message=error.message,
        leader_id=leader_id,
        leader_epoch=leader_epoch,
        high_watermark=NO_OFFSET,
        current_voters=[],
        observers=[],
    )
