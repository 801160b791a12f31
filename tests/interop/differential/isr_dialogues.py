"""Dialogues about partitions of which too few replicas are in sync, while node 3 is stopped.

small     replicas 1 and 3, of which two must be in sync
all       replicas 1, 2 and 3, of which three must be in sync
moved     replicas 3 and 1: its preferred leader is stopped
enough    replicas 1, 2 and 3, of which two must be in sync
"""

from __future__ import annotations

from typing import Any

from moldau.broker.server.apis import versions_of
from moldau.protocol.messages.cluster.describe_cluster import DescribeClusterRequest
from moldau.protocol.messages.cluster.elect_leaders import ElectLeadersRequest
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.messages.topic.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
)
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.messages.topic.describe_topic_partitions import DescribeTopicPartitionsRequest
from moldau.protocol.messages.topic.metadata import MetadataRequest
from tests.interop.differential.aliases import Made
from tests.interop.differential.cluster_changes import (
    METADATA_VERSION,
    TIMEOUT_MS,
    counted,
    placed,
    topics_of,
)
from tests.interop.differential.dialogues import Dialogue, Step, known
from tests.interop.differential.producer_dialogues import STARTED_MS, sequenced
from tests.interop.differential.transaction_dialogues import add, end, init
from tests.interop.differential.values import batch
from tests.present import present

STOPPED = 3
REPLICAS = {"small": [1, 3], "all": [1, 2, 3], "moved": [3, 1], "enough": [1, 2, 3]}
MIN_ISR = {"small": 2, "all": 3, "moved": 2, "enough": 2}
NAMED_UNTIL = 12
"""Produce has ids of topics in later versions."""
ALL, LEADER = -1, 1
TRANSACTION = "while-one-is-stopped"


def made() -> Dialogue:
    """The topics, with a record in each."""
    topics = [placed(name, [places]) for name, places in REPLICAS.items()]
    for topic in topics:
        least = str(MIN_ISR[topic.name])
        topic.configs = [topic.CreatableTopicConfig(name="min.insync.replicas", value=least)]
    yield Step(CreateTopicsRequest(topics=topics, timeout_ms=TIMEOUT_MS), 7)
    yield seen(lambda part: len(part.isr_nodes) == len(part.replica_nodes))
    for name in REPLICAS:
        if REPLICAS[name][0] != STOPPED:
            yield Step(written(name, batch(count=3)), 9)


def written(topic: str, records: Any, acks: int = ALL, name: str | None = None) -> ProduceRequest:
    of = ProduceRequest.TopicProduceData
    part = of.PartitionProduceData(index=0, records=records)
    return ProduceRequest(
        transactional_id=name,
        acks=acks,
        timeout_ms=5000,
        topic_data=[of(name=topic, partition_data=[part])],
    )


def seen(until: Any) -> Step:
    """Where all of them are, once each partition fits."""
    of = MetadataRequest.MetadataRequestTopic
    wanted = MetadataRequest(topics=[of(name=name) for name in REPLICAS])

    def fits(answer: Any) -> bool:
        return all(
            topic.partitions and all(map(until, topic.partitions))
            for topic in present(answer.topics)
        )

    return Step(wanted, METADATA_VERSION, until=fits, shows=topics_of)


def described() -> Dialogue:
    of = DescribeTopicPartitionsRequest.TopicRequest
    topics = [of(name=name) for name in REPLICAS]
    yield Step(DescribeTopicPartitionsRequest(topics=topics, cursor=None), 0)


def refused() -> Dialogue:
    """Node 3 has stopped: who may write what, and what is seen of it."""
    yield seen(lambda part: STOPPED not in part.isr_nodes and part.leader_id != -1)
    yield from described()
    yield Step(
        DescribeClusterRequest(include_cluster_authorized_operations=False), 2, shows=brokers
    )
    for version in (one for one in versions_of(ProduceRequest.KEY) if one <= NAMED_UNTIL):
        for topic in REPLICAS:
            for acks in (ALL, LEADER):
                yield Step(written(topic, batch(count=2), acks), version)
    producer = "sequence:isr"
    yield Step(init(None, timeout=1000), 4, {producer: lambda answer: answer.producer_id})
    for topic, sequence, acks in (
        ("small", 0, ALL), ("small", 1, ALL), ("small", 0, LEADER), ("small", 1, ALL),
        ("small", 0, ALL), ("small", 5, ALL), ("enough", 0, ALL), ("enough", 1, ALL),
    ):  # fmt: skip
        yield Step(written(topic, sequenced(producer, sequence), acks), 9)
    yield from read()


def changed() -> Dialogue:
    """What an administrator asks for meanwhile."""
    for name, replicas in (("late-1", [[3, 1]]), ("late-2", [[3]]), ("late-3", [[1, 2], [3, 2]])):
        yield Step(CreateTopicsRequest(topics=[placed(name, replicas)], timeout_ms=TIMEOUT_MS), 7)
    for count in (2, 3):
        request = CreateTopicsRequest(
            topics=[counted(f"counted-{count}", count)], timeout_ms=TIMEOUT_MS, validate_only=True
        )
        yield Step(request, 7)
    for topic, kind in (("moved", 0), ("moved", 1), ("small", 0), ("small", 1), ("enough", 0)):
        yield Step(_election(topic, kind), 2)
    for places in ([1, 3], None, [3], None):
        yield Step(_move("enough", places), 0)


def _election(topic: str, kind: int) -> ElectLeadersRequest:
    wanted = ElectLeadersRequest.TopicPartitions(topic=topic, partitions=[0])
    return ElectLeadersRequest(election_type=kind, topic_partitions=[wanted], timeout_ms=TIMEOUT_MS)


def _move(topic: str, replicas: list[int] | None) -> AlterPartitionReassignmentsRequest:
    of = AlterPartitionReassignmentsRequest.ReassignableTopic
    part = of.ReassignablePartition(partition_index=0, replicas=replicas)
    return AlterPartitionReassignmentsRequest(
        topics=[of(name=topic, partitions=[part])], timeout_ms=TIMEOUT_MS
    )


def transaction() -> Dialogue:
    """It writes where there are enough replicas, and is refused where there are not."""
    producer = f"producer:{TRANSACTION}"
    yield Step(init(TRANSACTION), 4, {producer: lambda answer: answer.producer_id})
    for topic in ("enough", "small"):
        yield Step(add(TRANSACTION, known(producer, -1), 0, topic=topic), 3)
        records = sequenced(producer, 0, is_transactional=True)
        yield Step(written(topic, records, name=TRANSACTION), 9)
    yield Step(end(TRANSACTION, known(producer, -1), 0), 4)


def read() -> Dialogue:
    """What each has, and up to where."""
    for name in REPLICAS:
        for isolation in (0, 1):
            yield Step(_fetch(name, isolation), 12)
            yield Step(_end(name, isolation), 8)


def whole_again() -> Dialogue:
    """Node 3 is back: the leaders stay, all are in sync, and what was refused is taken."""
    yield seen(lambda part: len(part.isr_nodes) == len(part.replica_nodes))
    yield from described()
    for name in REPLICAS:
        yield Step(written(name, Made(lambda _side: batch(count=1, timestamp=STARTED_MS))), 9)
    yield Step(init(TRANSACTION), 4)  # once the markers of the last one are written
    yield from read()


def _fetch(topic: str, isolation: int) -> FetchRequest:
    of = FetchRequest.FetchTopic
    part = of.FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=1 << 20)
    return FetchRequest(
        max_wait_ms=0,
        min_bytes=0,
        isolation_level=isolation,
        session_epoch=-1,
        topics=[of(topic=topic, partitions=[part])],
    )


def _end(topic: str, isolation: int) -> ListOffsetsRequest:
    of = ListOffsetsRequest.ListOffsetsTopic
    part = of.ListOffsetsPartition(partition_index=0, timestamp=-1)
    return ListOffsetsRequest(
        replica_id=-1,
        isolation_level=isolation,
        timeout_ms=0,
        topics=[of(name=topic, partitions=[part])],
    )


def brokers(tree: Any) -> Any:
    """Which is shown as the controller is a matter of chance."""
    return tree["brokers"]
