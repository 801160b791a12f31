"""One look at everything, for one reading of the metrics: what several ask for is found once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from types import MappingProxyType

from moldau.broker.metadata.image import Image
from moldau.broker.metadata.topics import TopicState
from moldau.broker.metrics.column import Places
from moldau.broker.metrics.name import MetricName
from moldau.broker.metrics.rates import Rates
from moldau.broker.quorum.roles import Leader
from moldau.broker.replica.manager import ReplicaManager
from moldau.broker.replica.partition import Partition
from moldau.broker.replica.upkeep import Upkeep
from moldau.broker.runtime.quorum_loop import MetadataQuorum
from moldau.broker.server.broker import Broker
from moldau.broker.server.connections import Connections
from moldau.broker.server.monitoring.figures.assigned import Assigned
from moldau.broker.server.monitoring.figures.changes import Changes
from moldau.broker.server.monitoring.figures.groups import GroupsHere, groups_shown
from moldau.broker.server.monitoring.figures.remembered import InOrder, Remembered
from moldau.broker.server.monitoring.figures.standing import Standing, Totals

__all__ = ["PARTITIONS_SHOWN_MAX", "Scrape"]

NOTHING_KNOWN: Mapping[str, float] = MappingProxyType({})

NS_PER_MS = 1_000_000
PARTITIONS_SHOWN_MAX = 1000
"""Shown one by one: some twenty lines each."""
SHOWN_PER_PIECE = 100
"""Gathered at once: 0.2 ms of work; of those that are only added up, ten times as many."""
MEMBERS_PER_PIECE = 100
"""Of groups, with what they have: 0.3 ms of work."""
LATE_MS = 5 * 60 * 1000
"""How long a transaction may be open beyond the longest timeout before it counts as late."""


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
        remembered: Remembered | None = None,
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
        self._members: list[tuple[str, Assigned]] | None = None
        self._remembered = remembered or Remembered(broker.node_id)
        self._totals: Totals | None = None
        self._order = self._led_order = InOrder()
        self._shown, self._led_shown = Standing(), Standing()

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
    def monotonic_ms(self) -> int:
        return self._now_ns // NS_PER_MS

    @property
    def leads_the_quorum(self) -> bool:
        """A node that has lost its majority names itself as the leader until another one leads."""
        return isinstance(self.quorum.node.role, Leader)

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

    def look_at_members(self) -> Iterator[None]:
        """The same, and what the members of the first groups have; once, in pieces."""
        yield from self.look_at_groups()
        if self._members is not None:
            return
        found, since = [], 0
        for group in groups_shown(self.broker):
            found.append((group.group_id, Assigned.of(group, self.image)))
            since += 1 + len(group.members)
            if since >= MEMBERS_PER_PIECE:
                since = 0
                yield
        self._members = found

    @property
    def members(self) -> list[tuple[str, Assigned]]:
        """By group, as `look_at_members` has found it."""
        assert self._members is not None, "their table has no `look`"
        return self._members

    def look_at_partitions(self) -> Iterator[None]:
        """Once, in pieces."""
        if self._totals is not None:
            return
        known = self._remembered
        yield from known.count(self.image.topics)
        begun_ms = self.now_ms - self.broker.settings.transaction_max_timeout_ms - LATE_MS
        totals = Totals(begun_ms, known.assigned)
        for some in _some(self.partitions, 10 * SHOWN_PER_PIECE):
            totals.add(some)
            yield
        self._order = known.shown = known.shown.of(self.partitions[:PARTITIONS_SHOWN_MAX])
        yield from _gather(self._order, self._shown)
        led = totals.led[:PARTITIONS_SHOWN_MAX]
        if self._order.of(led) is self._order:
            self._led_order, self._led_shown = self._order, self._shown
        else:
            self._led_order = known.led_shown = known.led_shown.of(led)
            yield from _gather(self._led_order, self._led_shown)
        self._totals = totals

    @property
    def counts(self) -> Mapping[str, int]:
        """As `look_at_partitions` has found them, as all that follows."""
        return self._remembered.counts

    @property
    def assigned(self) -> frozenset[tuple[str, int]]:
        """Those that belong here by the metadata."""
        return self._remembered.assigned

    @property
    def totals(self) -> Totals:
        assert self._totals is not None, "their table has no `look`"
        return self._totals

    @property
    def shown(self) -> Standing:
        """Those that are shown one by one."""
        return self._shown

    @property
    def led_shown(self) -> Standing:
        """The same of those that are led here."""
        return self._led_shown

    @property
    def places(self) -> Places:
        """The topics and numbers of those that are shown."""
        return self._order.places

    @property
    def led_places(self) -> Places:
        return self._led_order.places

    @cached_property
    def partitions(self) -> list[Partition]:
        """All that are here."""
        replicas: ReplicaManager = self.broker.replicas
        return list(replicas)

    @cached_property
    def topics_shown(self) -> list[TopicState]:
        """Of the whole cluster."""
        return list(islice(self.image.topics.by_name.values(), PARTITIONS_SHOWN_MAX))


def _some(partitions: list[Partition], count: int) -> Iterator[list[Partition]]:
    for start in range(0, len(partitions), count):
        yield partitions[start : start + count]


def _gather(ordered: InOrder, found: Standing) -> Iterator[None]:
    for some in _some(ordered.partitions, SHOWN_PER_PIECE):
        found.add(some)
        yield
