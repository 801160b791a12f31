"""One look at everything, for one reading of the metrics: what several ask for is found once."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from itertools import islice

from moldau.broker.metadata.image import Image
from moldau.broker.metadata.topics import NO_LEADER, PartitionState
from moldau.broker.replica.manager import ReplicaManager
from moldau.broker.replica.partition import Partition
from moldau.broker.replica.upkeep import Upkeep
from moldau.broker.runtime.quorum_loop import MetadataQuorum
from moldau.broker.server.broker import Broker
from moldau.broker.server.connections import Connections
from moldau.broker.server.monitoring.figures.changes import Changes

__all__ = ["PARTITIONS_SHOWN_MAX", "Scrape", "partition_counts"]

PARTITIONS_SHOWN_MAX = 1000
"""Shown one by one: ten lines each, and the loop serves nothing else while they are written."""


class Scrape:
    """The parts of a node as they are at this moment."""

    def __init__(
        self,
        broker: Broker,
        connections: Connections,
        upkeep: Upkeep | None,
        changes: Changes,
        idle_share: float | None = None,
    ) -> None:
        self.broker = broker
        self.connections = connections
        self.upkeep = upkeep
        self.changes = changes
        self.idle_share = idle_share
        """How much of the last minute the loop has waited; None where it is not measured."""
        self.now_ms = broker.clock.now_ms()

    def __repr__(self) -> str:
        return f"Scrape(at {self.now_ms})"

    @property
    def image(self) -> Image:
        return self.broker.metadata.image

    @property
    def quorum(self) -> MetadataQuorum:
        quorum = self.broker.quorum
        assert isinstance(quorum, MetadataQuorum), quorum
        return quorum

    @property
    def leads_the_quorum(self) -> bool:
        return self.broker.metadata.leader_id == self.broker.node_id

    @cached_property
    def counts(self) -> Counter[str]:
        return partition_counts(self.image, self.broker.node_id)

    @cached_property
    def partitions(self) -> list[Partition]:
        """All that are here."""
        replicas: ReplicaManager = self.broker.replicas
        return list(replicas)

    @cached_property
    def led(self) -> list[Partition]:
        return [partition for partition in self.partitions if partition.is_leader]

    @cached_property
    def shown(self) -> list[Partition]:
        """Those that are shown one by one."""
        return list(islice(self.partitions, PARTITIONS_SHOWN_MAX))


def partition_counts(image: Image, node_id: int) -> Counter[str]:
    """Of the partitions that this broker has, and of all together."""
    counts: Counter[str] = Counter()
    for topic in image.topics.by_id.values():
        for state in topic.partitions.values():
            counts["GlobalPartitionCount"] += 1
            counts["OfflinePartitionsCount"] += state.leader == NO_LEADER
            counts["PreferredReplicaImbalanceCount"] += state.leader != state.replicas[0]
            counts["PartitionCount"] += node_id in state.replicas
            if state.leader == node_id:
                counts.update(_counts_as_leader(state))
    return counts


def _counts_as_leader(state: PartitionState) -> dict[str, int]:
    return {
        "LeaderCount": 1,
        "UnderReplicatedPartitions": len(state.isr) < len(state.replicas),
        "ReassigningPartitions": bool(state.adding_replicas or state.removing_replicas),
    }
