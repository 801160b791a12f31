"""Requests about topics by name, partition and offset, for clusters in trouble."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from moldau.protocol.messages.cluster.elect_leaders import ElectLeadersRequest
from moldau.protocol.messages.config.describe_configs import DescribeConfigsRequest
from moldau.protocol.messages.config.incremental_alter_configs import IncrementalAlterConfigsRequest
from moldau.protocol.messages.data.delete_records import DeleteRecordsRequest
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest
from moldau.protocol.messages.data.offset_for_leader_epoch import OffsetForLeaderEpochRequest
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.messages.topic.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
)
from moldau.protocol.messages.topic.create_partitions import CreatePartitionsRequest
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.messages.topic.list_partition_reassignments import (
    ListPartitionReassignmentsRequest,
)
from tests.interop.differential.cluster_changes import placed
from tests.interop.differential.dialogues import Step
from tests.interop.differential.values import batch

TIMEOUT_MS = 5_000
PREFERRED, UNCLEAN = 0, 1
ALL, LEADER = -1, 1
TOPIC, BROKER = 2, 4
SET, DELETE = 0, 1
LATEST, EARLIEST = -1, -2
CONSUMER, DEBUGGER = -1, -2


def creation(name: str, *places: Sequence[int], **configs: str) -> Step:
    """A partition for each list of replicas; settings with `_` for `.`."""
    topic = placed(name, places)
    of = topic.CreatableTopicConfig
    topic.configs = [of(name=key.replace("_", "."), value=text) for key, text in configs.items()]
    return Step(CreateTopicsRequest(topics=[topic], timeout_ms=TIMEOUT_MS), 7)


def growth(name: str, count: int, places: Sequence[Sequence[int]]) -> Step:
    of = CreatePartitionsRequest.CreatePartitionsTopic
    assigned = [of.CreatePartitionsAssignment(broker_ids=list(one)) for one in places] or None
    request = CreatePartitionsRequest(
        topics=[of(name=name, count=count, assignments=assigned)],
        timeout_ms=TIMEOUT_MS,
        validate_only=False,
    )
    return Step(request, 3)


def written(name: str, index: int = 0, *, count: int = 2, acks: int = ALL) -> Step:
    of = ProduceRequest.TopicProduceData
    part = of.PartitionProduceData(index=index, records=batch(count=count))
    request = ProduceRequest(
        acks=acks, timeout_ms=TIMEOUT_MS, topic_data=[of(name=name, partition_data=[part])]
    )
    return Step(request, 9)


def fetched(
    name: str,
    index: int = 0,
    *,
    offset: int = 0,
    version: int = 12,
    rack: str = "",
    epoch: int = -1,
) -> Step:
    """Outside of any session, at once."""
    of = FetchRequest.FetchTopic
    part = of.FetchPartition(
        partition=index,
        fetch_offset=offset,
        partition_max_bytes=1 << 20,
        current_leader_epoch=epoch,
    )
    request = FetchRequest(
        max_wait_ms=0,
        min_bytes=0,
        session_epoch=-1,
        rack_id=rack,
        topics=[of(topic=name, partitions=[part])],
    )
    return Step(request, version)


def offset_at(name: str, time: int, index: int = 0, *, replica_id: int = CONSUMER) -> Step:
    of = ListOffsetsRequest.ListOffsetsTopic
    part = of.ListOffsetsPartition(partition_index=index, timestamp=time)
    request = ListOffsetsRequest(
        replica_id=replica_id,
        isolation_level=0,
        timeout_ms=0,
        topics=[of(name=name, partitions=[part])],
    )
    return Step(request, 8)


def end_of_epoch(name: str, epoch: int) -> Step:
    of = OffsetForLeaderEpochRequest.OffsetForLeaderTopic
    part = of.OffsetForLeaderPartition(partition=0, current_leader_epoch=-1, leader_epoch=epoch)
    request = OffsetForLeaderEpochRequest(
        replica_id=CONSUMER, topics=[of(topic=name, partitions=[part])]
    )
    return Step(request, 4)


def removal(name: str, offset: int, *, timeout_ms: int = TIMEOUT_MS) -> Step:
    """Of all records before."""
    of = DeleteRecordsRequest.DeleteRecordsTopic
    part = of.DeleteRecordsPartition(partition_index=0, offset=offset)
    request = DeleteRecordsRequest(topics=[of(name=name, partitions=[part])], timeout_ms=timeout_ms)
    return Step(request, 2)


def election(name: str, kind: int, *indexes: int) -> Step:
    wanted = ElectLeadersRequest.TopicPartitions(topic=name, partitions=list(indexes) or [0])
    request = ElectLeadersRequest(
        election_type=kind, topic_partitions=[wanted], timeout_ms=TIMEOUT_MS
    )
    return Step(request, 2)


def move(name: str, replicas: list[int] | None, index: int = 0) -> Step:
    """To these replicas; None gives a move up."""
    of = AlterPartitionReassignmentsRequest.ReassignableTopic
    part = of.ReassignablePartition(partition_index=index, replicas=replicas)
    request = AlterPartitionReassignmentsRequest(
        topics=[of(name=name, partitions=[part])], timeout_ms=TIMEOUT_MS
    )
    return Step(request, 1)


def moves(*names: str) -> Step:
    """That go on."""
    of = ListPartitionReassignmentsRequest.ListPartitionReassignmentsTopics
    topics = [of(name=name, partition_indexes=[0, 1]) for name in names]
    return Step(ListPartitionReassignmentsRequest(topics=topics, timeout_ms=TIMEOUT_MS), 0)


def setting(kind: int, resource: str, name: str, value: str | None) -> Step:
    """Set it, or take it away by None."""
    of = IncrementalAlterConfigsRequest.AlterConfigsResource
    change = of.AlterableConfig(
        name=name, config_operation=DELETE if value is None else SET, value=value
    )
    request = IncrementalAlterConfigsRequest(
        resources=[of(resource_type=kind, resource_name=resource, configs=[change])],
        validate_only=False,
    )
    return Step(request, 1)


def settings(kind: int, resource: str, *names: str) -> Step:
    of = DescribeConfigsRequest.DescribeConfigsResource
    request = DescribeConfigsRequest(
        resources=[of(resource_type=kind, resource_name=resource, configuration_keys=list(names))],
        include_synonyms=True,
        include_documentation=False,
    )
    return Step(request, 4)


def brokers(tree: Any) -> Any:
    """Which of them is shown as the controller is a matter of chance."""
    return tree["brokers"]
