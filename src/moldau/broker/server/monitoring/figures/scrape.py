"""One look at everything, for one reading of the metrics: what several ask for is found once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from types import MappingProxyType

from moldau.broker.metadata.image import Image
from moldau.broker.metadata.topics import NO_LEADER, PartitionState, TopicState
from moldau.broker.metrics.column import Places
from moldau.broker.metrics.name import MetricName
from moldau.broker.metrics.rates import Rates
from moldau.broker.replica.manager import ReplicaManager
from moldau.broker.replica.partition import Partition
from moldau.broker.replica.upkeep import Upkeep
from moldau.broker.runtime.quorum_loop import MetadataQuorum
from moldau.broker.server.broker import Broker
from moldau.broker.server.connections import Connections
from moldau.broker.server.monitoring.figures.changes import Changes
from moldau.broker.server.monitoring.figures.groups import GroupsHere

__all__ = ["PARTITIONS_SHOWN_MAX", "Scrape", "partition_counts"]

NOTHING_KNOWN: Mapping[str, float] = MappingProxyType({})

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
        usage: Mapping[str, float] = NOTHING_KNOWN,
        rates: Rates | None = None,
    ) -> None:
        self.broker = broker
        self.connections = connections
        self.upkeep = upkeep
        self.changes = changes
        self.idle_share = idle_share
        """How much of the last minute the loop has waited; None where it is not measured."""
        self.usage = usage
        """What the process takes of its machine, by short names."""
        self.now_ms = broker.clock.now_ms()
        self._now_ns = broker.clock.monotonic_ns()
        self._rates = rates or Rates(self._now_ns)
        self._groups: GroupsHere | None = None

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

    def rate(self, name: str, count: int) -> float:
        """How much a count has grown a second, in the last minute or since the start."""
        return self._rates.of(MetricName("", "", name), count, self._now_ns)["OneMinuteRate"]

    @property
    def leads_the_quorum(self) -> bool:
        return self.broker.metadata.leader_id == self.broker.node_id

    @property
    def groups(self) -> GroupsHere:
        """As `look_at_groups` has found them."""
        assert self._groups is not None, "their table has no `look`"
        return self._groups

    def look_at_groups(self) -> Iterator[None]:
        """Once, in pieces."""
        if self._groups is None:
            found = GroupsHere()
            yield from found.look(self.broker)
            self._groups = found

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
        few = list(islice(self.partitions, PARTITIONS_SHOWN_MAX))
        return sorted(few, key=lambda one: one.name)

    @cached_property
    def led_shown(self) -> list[Partition]:
        """The same of those that are led here."""
        return sorted(self.led[:PARTITIONS_SHOWN_MAX], key=lambda one: one.name)

    @cached_property
    def led_places(self) -> Places:
        return tuple((one.topic, str(one.index)) for one in self.led_shown)

    @cached_property
    def topics_shown(self) -> list[TopicState]:
        """Of the whole cluster."""
        return list(islice(self.image.topics.by_name.values(), PARTITIONS_SHOWN_MAX))

    @cached_property
    def places(self) -> Places:
        """Their topics and numbers."""
        return tuple((one.topic, str(one.index)) for one in self.shown)


def partition_counts(image: Image, node_id: int) -> Counter[str]:
    """How many partitions this broker has, and how many there are in all."""
    counts: Counter[str] = Counter()
    for topic in image.topics.by_id.values():
        states = topic.partitions.values()
        led = [state for state in states if state.leader == node_id]
        counts["GlobalPartitionCount"] += len(states)
        counts["OfflinePartitionsCount"] += sum([one.leader == NO_LEADER for one in states])
        counts["PreferredReplicaImbalanceCount"] += sum(
            [one.leader != one.replicas[0] for one in states]
        )
        counts["PartitionCount"] += sum([node_id in one.replicas for one in states])
        counts["LeaderCount"] += len(led)
        counts["UnderReplicatedPartitions"] += sum(
            [len(one.isr) < len(one.replicas) for one in led]
        )
        counts["ReassigningPartitions"] += sum([_is_moving(one) for one in led])
    return counts


def _is_moving(state: PartitionState) -> bool:
    return bool(state.adding_replicas or state.removing_replicas)
