"""The groups that are coordinated here and their offsets, looked at in pieces.

A node may have thousands of groups with tens of thousands of offsets, and what is shown of them are
sums over all. They are added up once for one reading of the metrics, a little at a time: the loop
that answers commits does this, too. Between two pieces groups come and go, so that the sums are of
some milliseconds and not of one moment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from moldau.broker.coordinator.group.group import GroupType
from moldau.broker.coordinator.group.offsets.store import Place
from moldau.broker.runtime.shard_loop import ShardRuntime
from moldau.broker.server.broker import Broker

__all__ = [
    "GROUPS_SHOWN_MAX",
    "OFFSETS_SHOWN_MAX",
    "GroupsHere",
    "groups_shown",
    "offsets_at",
    "shards_of",
    "shown",
]

GROUPS_SHOWN_MAX = 5000
OFFSETS_SHOWN_MAX = 5000
"""Shown one by one, for the reason that partitions have."""
STEP = 256
"""Offsets of one piece: 0.3 ms."""

Tagged = tuple[tuple[str, ...], float]
Sums = Counter[tuple[str, ...]]
"""By group and topic."""


class GroupsHere:
    """Whole when `look` has come to its end."""

    def __init__(self) -> None:
        self.count = 0
        self.by_kind: Counter[GroupType] = Counter()
        self.by_state: Counter[tuple[GroupType, str]] = Counter()
        self.members: list[Tagged] = []
        """The number of theirs."""
        self.offset_count = 0
        self.committed: list[Tagged] = []
        """The first ones, by group, topic and partition."""
        self.lags: list[Tagged] = []
        self.offset_sums: Sums = Counter()
        self.lag_sums: Sums = Counter()

    def __repr__(self) -> str:
        return f"GroupsHere({self.count} with {self.offset_count} offsets)"

    def look(self, broker: Broker) -> Iterator[None]:
        for shard in shards_of(broker.groups):
            groups = iter(list(shard.groups.by_id.values()))
            while some := list(islice(groups, STEP)):
                self._add_groups(some)
                yield
        for offsets in offsets_at(broker):
            self._add_offsets(broker, offsets)
            yield

    def _add_groups(self, groups: Iterable[Any]) -> None:
        """Each is a `Group`, of whatever kind, and has members."""
        for group in groups:
            kind, state = group.group_type, group.state_name
            self.count += 1
            self.by_kind[kind] += 1
            self.by_state[kind, state] += 1
            if self.count <= GROUPS_SHOWN_MAX:
                self.members.append(((group.group_id,), len(group.members)))

    def _add_offsets(self, broker: Broker, offsets: list[tuple[str, Place, int]]) -> None:
        find, ends = broker.replicas.find, broker.ends_elsewhere
        for group_id, place, offset in offsets:
            partition = find(*place)
            end = ends.get(place) if partition is None else partition.high_watermark
            where = (group_id, place.topic, str(place.partition))
            self.offset_sums[where[:2]] += offset
            if len(self.committed) < OFFSETS_SHOWN_MAX:
                self.committed.append((where, offset))
            if end is not None:
                lag = max(end - offset, 0)
                self.lag_sums[where[:2]] += lag
                if len(self.lags) < OFFSETS_SHOWN_MAX:
                    self.lags.append((where, lag))
        self.offset_count += len(offsets)


def shown(sums: Sums) -> Iterator[Tagged]:
    """The first ones."""
    return islice(sums.items(), OFFSETS_SHOWN_MAX)


def shards_of(runtime: object) -> Iterator[Any]:
    """Those that are running; a coordinator that was not needed yet is not made for this."""
    if isinstance(runtime, ShardRuntime):
        for index in runtime.indexes:
            running = runtime.find(index)
            if running is not None:  # it may have been led elsewhere since
                yield running.shard


def groups_shown(broker: Broker) -> list[Any]:
    """The first groups that are coordinated here."""
    shards = shards_of(broker.groups)
    every = (group for shard in shards for group in shard.groups.by_id.values())
    return list(islice(every, GROUPS_SHOWN_MAX))


def offsets_at(broker: Broker) -> Iterator[list[tuple[str, Place, int]]]:
    """Every committed offset with its group and place, some at a time."""
    found: list[tuple[str, Place, int]] = []
    for shard in shards_of(broker.groups):
        store = shard.groups.offsets
        for group_id in store.group_ids():
            for place, committed in list(store.of_group(group_id).items()):
                found.append((group_id, place, committed.offset))
                if len(found) == STEP:
                    yield found
                    found = []
    if found:
        yield found
