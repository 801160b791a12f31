"""Every partition of a cluster is led by the node that is wanted, as both sides are asked to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from moldau.protocol.messages.cluster.elect_leaders import ElectLeadersRequest
from moldau.protocol.messages.topic.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
)
from moldau.protocol.messages.topic.list_partition_reassignments import (
    ListPartitionReassignmentsRequest,
)
from moldau.protocol.messages.topic.metadata import MetadataRequest
from tests.cluster.asking import until
from tests.interop.differential.side import Side
from tests.present import present

TIMEOUT_MS = 30_000
PREFERRED = 0
METADATA_VERSION = 12


def move_all_leaders(side: Side, node_id: int, nodes: Sequence[int]) -> None:
    """It is the first replica of each partition, and elected."""
    if _is_led_by(side, node_id):
        return
    replicas = [node_id, *(one for one in nodes if one != node_id)]
    of = AlterPartitionReassignmentsRequest.ReassignableTopic
    topics = [
        of(
            name=topic.name,
            partitions=[
                of.ReassignablePartition(partition_index=part.partition_index, replicas=replicas)
                for part in topic.partitions
            ],
        )
        for topic in _topics(side)
    ]
    request = AlterPartitionReassignmentsRequest(topics=topics, timeout_ms=TIMEOUT_MS)
    answer = side.ask(request, 0)
    assert answer.error_code == 0, answer
    wanted = ListPartitionReassignmentsRequest(topics=None, timeout_ms=TIMEOUT_MS)
    until(lambda: not side.ask(wanted, 0).topics)
    election = ElectLeadersRequest(
        election_type=PREFERRED, topic_partitions=None, timeout_ms=TIMEOUT_MS
    )
    side.ask(election, 2)
    until(lambda: _is_led_by(side, node_id))


def _is_led_by(side: Side, node_id: int) -> bool:
    parts = [part for topic in _topics(side) for part in topic.partitions]
    return all(part.leader_id == node_id for part in present(parts))


def _topics(side: Side) -> list[Any]:
    found: list[Any] = side.ask(MetadataRequest(topics=None), METADATA_VERSION).topics
    return found
