"""Dialogues about a cluster of three: what an administrator asks of any of its brokers.

Replicas are assigned by the requests, so that both clusters have the same ones in the same places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from moldau.broker.server.apis import versions_of
from moldau.protocol.messages.cluster.elect_leaders import ElectLeadersRequest
from moldau.protocol.messages.cluster.unregister_broker import UnregisterBrokerRequest
from moldau.protocol.messages.topic.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
)
from moldau.protocol.messages.topic.create_partitions import CreatePartitionsRequest
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.messages.topic.delete_topics import DeleteTopicsRequest
from moldau.protocol.messages.topic.list_partition_reassignments import (
    ListPartitionReassignmentsRequest,
)
from moldau.protocol.messages.topic.metadata import MetadataRequest
from tests.interop.differential.dialogues import Dialogue, Step

TIMEOUT_MS = 10_000
UNKNOWN_ID = 9
METADATA_VERSION = 12
BY_STATE_SINCE = 6
"""DeleteTopics has states of topics in place of names."""


def cluster_changes(node_id: int) -> Iterator[Dialogue]:
    """Through this node, in every version."""
    others = [one for one in (1, 2, 3) if one != node_id]
    for version in versions_of(CreateTopicsRequest.KEY):
        yield _made_and_deleted(f"made-{node_id}-{version}", version, [node_id, *others])
    for version in versions_of(CreatePartitionsRequest.KEY):
        yield _grown(f"grown-{node_id}-{version}", version, [*others, node_id])
    for version in versions_of(AlterPartitionReassignmentsRequest.KEY):
        yield _moved(f"moved-{node_id}-{version}", version, [node_id, *others])
    for version in versions_of(ElectLeadersRequest.KEY):
        yield _elected(f"elected-{node_id}-{version}", version, [node_id, *others])
    yield iter([Step(UnregisterBrokerRequest(broker_id=UNKNOWN_ID), 0)])


def _made_and_deleted(name: str, version: int, replicas: Sequence[int]) -> Dialogue:
    for wanted in (
        placed(name, [replicas, [*replicas[1:], replicas[0]]]),
        placed(name, [replicas]),
        placed(f"{name}-bad", [[*replicas, UNKNOWN_ID]]),
        placed(f"{name}-bad", [[replicas[0], replicas[0]]]),
        placed(f"{name}-bad", [[]]),
        placed(f"{name}-bad", [replicas, replicas[:1]]),
        counted(f"{name}-bad", replicas=4),
        counted(f"{name}-bad", replicas=0),
    ):
        yield Step(CreateTopicsRequest(topics=[wanted], timeout_ms=TIMEOUT_MS), version)
    yield seen(name)
    for version_of_end in versions_of(DeleteTopicsRequest.KEY):
        yield Step(deletion(f"{name}-bad", version_of_end), version_of_end)
    last = versions_of(DeleteTopicsRequest.KEY)[version % len(versions_of(DeleteTopicsRequest.KEY))]
    yield Step(deletion(name, last), last)
    yield Step(
        _metadata(name), METADATA_VERSION, until=lambda answer: _code(answer) != 0, shows=topics_of
    )


def _grown(name: str, version: int, replicas: Sequence[int]) -> Dialogue:
    yield from made(name, replicas)
    of = CreatePartitionsRequest.CreatePartitionsTopic
    for count, assigned in (
        (2, [replicas[:2]]),
        (2, [replicas]),
        (3, [replicas, replicas]),
        (3, [[UNKNOWN_ID, *replicas[:2]]]),
        (1, None),
        (3, [replicas]),
    ):
        places = (
            None
            if assigned is None
            else [of.CreatePartitionsAssignment(broker_ids=list(one)) for one in assigned]
        )
        topic = of(name=name, count=count, assignments=places)
        request = CreatePartitionsRequest(
            topics=[topic], timeout_ms=TIMEOUT_MS, validate_only=False
        )
        yield Step(request, version)
    yield seen(name, partitions=3)
    yield Step(deletion(name, 6), 6)


def _moved(name: str, version: int, replicas: Sequence[int]) -> Dialogue:
    yield from made(name, replicas[:2])
    of = AlterPartitionReassignmentsRequest.ReassignableTopic
    for index, wanted in (
        (0, list(replicas[1:])),
        (0, None),
        (0, [UNKNOWN_ID]),
        (0, [replicas[0], replicas[0]]),
        (0, []),
        (7, list(replicas)),
    ):
        part = of.ReassignablePartition(partition_index=index, replicas=wanted)
        request = AlterPartitionReassignmentsRequest(
            topics=[of(name=name, partitions=[part])], timeout_ms=TIMEOUT_MS
        )
        # Whether there is a move to cancel depends on how fast it was.
        yield Step(request, version, shows=_but_cancelled if wanted is None else lambda tree: tree)
        yield Step(
            ListPartitionReassignmentsRequest(topics=None, timeout_ms=TIMEOUT_MS),
            0,
            until=lambda answer: not answer.topics,
        )
    yield Step(deletion(name, 6), 6)


def _elected(name: str, version: int, replicas: Sequence[int]) -> Dialogue:
    yield from made(name, replicas)
    of = ElectLeadersRequest.TopicPartitions
    for topic, index, kind in ((name, 0, 0), (name, 0, 1), (name, 5, 0), ("missing", 0, 0)):
        request = ElectLeadersRequest(
            election_type=kind if version else 0,
            topic_partitions=[of(topic=topic, partitions=[index])],
            timeout_ms=TIMEOUT_MS,
        )
        yield Step(request, version)
    yield Step(deletion(name, 6), 6)


def made(name: str, replicas: Sequence[int]) -> Dialogue:
    request = CreateTopicsRequest(topics=[placed(name, [replicas])], timeout_ms=TIMEOUT_MS)
    yield Step(request, 7)
    yield seen(name)


def seen(name: str, partitions: int = 0) -> Step:
    """Where its replicas are, once it has leaders and all are in sync."""

    def is_whole(answer: Any) -> bool:
        parts = answer.topics[0].partitions
        return len(parts) >= max(partitions, 1) and all(
            not part.error_code and len(part.isr_nodes) == len(part.replica_nodes) for part in parts
        )

    return Step(_metadata(name), METADATA_VERSION, until=is_whole, shows=topics_of)


def _metadata(name: str) -> MetadataRequest:
    topic = MetadataRequest.MetadataRequestTopic(name=name)
    return MetadataRequest(topics=[topic], allow_auto_topic_creation=False)


def _code(answer: Any) -> int:
    found: int = answer.topics[0].error_code
    return found


def topics_of(tree: Any) -> Any:
    """Which broker is shown as the controller is a matter of chance; replicas in sync are a set."""
    for topic in tree["topics"]:
        for part in topic["partitions"]:
            part["isr_nodes"] = sorted(part["isr_nodes"])
    return tree["topics"]


def _but_cancelled(tree: Any) -> Any:
    return tree["error_code"]


def placed(name: str, places: Sequence[Sequence[int]]) -> CreateTopicsRequest.CreatableTopic:
    of = CreateTopicsRequest.CreatableTopic
    return of(
        name=name,
        num_partitions=-1,
        replication_factor=-1,
        assignments=[
            of.CreatableReplicaAssignment(partition_index=index, broker_ids=list(replicas))
            for index, replicas in enumerate(places)
        ],
        configs=[],
    )


def counted(name: str, replicas: int) -> CreateTopicsRequest.CreatableTopic:
    of = CreateTopicsRequest.CreatableTopic
    return of(name=name, num_partitions=1, replication_factor=replicas, assignments=[], configs=[])


def deletion(name: str, version: int) -> DeleteTopicsRequest:
    if version < BY_STATE_SINCE:
        return DeleteTopicsRequest(topics=[], topic_names=[name], timeout_ms=TIMEOUT_MS)
    state = DeleteTopicsRequest.DeleteTopicState(name=name, topic_id=bytes(16))
    return DeleteTopicsRequest(topics=[state], topic_names=[], timeout_ms=TIMEOUT_MS)
