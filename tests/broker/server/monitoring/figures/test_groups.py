"""Groups in numbers, found in pieces between which groups may come and go."""

from types import SimpleNamespace
from typing import Any

import pytest

from moldau.broker.coordinator.group.group import GroupType
from moldau.broker.coordinator.group.offsets.store import Place
from moldau.broker.metrics.registry import PAUSE
from moldau.broker.runtime.shard_loop import ShardRuntime
from moldau.broker.server.monitoring.figures.groups import (
    GROUPS_SHOWN_MAX,
    OFFSETS_SHOWN_MAX,
    STEP,
    GroupsHere,
    offsets_at,
)
from moldau.broker.server.monitoring.figures.scrape import Scrape
from moldau.broker.server.monitoring.figures.table import Table, samples
from moldau.platform.simulated.clock import SimulatedClock

NONE: Any = None


class Store:
    """Of committed offsets, as a shard keeps them."""

    def __init__(self):
        self.committed = {}

    def group_ids(self):
        return list(self.committed)

    def of_group(self, group_id):
        return self.committed.get(group_id, {})


class Runtime(ShardRuntime):
    """Shards that a test has made."""

    def __init__(self, *shards):
        self.shards = {index: SimpleNamespace(shard=shard) for index, shard in enumerate(shards)}

    indexes = property(lambda self: sorted(self.shards))

    def find(self, index):
        return self.shards.get(index)


def shard(names, partitions=1, offset=3):
    store = Store()
    groups = {}
    for name in names:
        groups[name] = SimpleNamespace(
            group_id=name,
            group_type=GroupType.CLASSIC,
            state_name="Empty",
            protocol_type="consumer",
            members={},
        )
        places = (Place("t", number) for number in range(partitions))
        store.committed[name] = {place: SimpleNamespace(offset=offset) for place in places}
    return SimpleNamespace(groups=SimpleNamespace(by_id=groups, offsets=store))


def broker(*shards, here: int | None = 5, elsewhere=None) -> Any:
    """Where logs end: of those that are here, and of those that are not."""
    found = None if here is None else SimpleNamespace(high_watermark=here)
    return SimpleNamespace(
        node_id=1,
        groups=Runtime(*shards),
        replicas=SimpleNamespace(find=lambda topic, index: found),
        ends_elsewhere=elsewhere or {},
    )


def looked(node):
    found = GroupsHere()
    pieces = sum(1 for _ in found.look(node))
    return found, pieces


def test_all_are_added_up_though_only_the_first_are_shown():
    count = GROUPS_SHOWN_MAX + 7
    found, _ = looked(broker(shard([f"g{number}" for number in range(count)], partitions=2)))
    assert (found.count, found.by_state[GroupType.CLASSIC, "Empty"]) == (count, count)
    assert len(found.members) == GROUPS_SHOWN_MAX
    assert found.offset_count == 2 * count
    assert len(found.committed) == len(found.lags) == OFFSETS_SHOWN_MAX
    assert len(found.lag_sums) == count
    last = (f"g{count - 1}", "t")
    assert (found.offset_sums[last], found.lag_sums[last]) == (6, 4)


def test_no_piece_has_more_than_a_step():
    node = broker(shard(["a"], partitions=10 * STEP), shard(["b"], partitions=3))
    assert max(map(len, offsets_at(node))) == STEP
    _, pieces = looked(node)
    assert pieces > 10


def test_groups_that_go_between_two_pieces_are_left_out():
    first, second = shard(["a"], partitions=STEP), shard(["b"])
    node = broker(first, second)
    found = GroupsHere()
    look = found.look(node)
    next(look)
    first.groups.by_id.clear()
    first.groups.offsets.committed.clear()
    del node.groups.shards[1]
    assert list(look) is not None
    assert (found.count, found.offset_count) == (1, 0)


@pytest.mark.parametrize(
    ("elsewhere", "lags"), [({}, []), ({Place("t", 0): 4}, [(("a", "t", "0"), 1)])]
)
def test_of_partitions_that_are_elsewhere_the_lag_is_by_their_leaders_ends(elsewhere, lags):
    found, _ = looked(broker(shard(["a"]), here=None, elsewhere=elsewhere))
    assert found.lags == lags
    assert found.committed == [(("a", "t", "0"), 3)]


def test_a_group_that_was_moved_back_is_not_ahead_of_the_end():
    found, _ = looked(broker(shard(["a"], offset=9), here=5))
    assert found.lags == [(("a", "t", "0"), 0)]


def test_a_node_without_a_coordinator_has_none():
    found, _ = looked(SimpleNamespace(groups=None, replicas=None, ends_elsewhere={}))
    assert (found.count, found.offset_count) == (0, 0)


def test_groups_and_offsets_may_come_between_two_pieces():
    names = [f"g{number}" for number in range(2 * STEP)]
    node = broker(shard(names, partitions=2))
    groups = node.groups.shards[0].shard.groups
    found = GroupsHere()
    for number, _ in enumerate(found.look(node)):
        groups.by_id[f"new{number}"] = groups.by_id["g0"]
        for offsets in groups.offsets.committed.values():
            offsets[Place("u", number)] = offsets[Place("t", 0)]
    assert found.count == len(names)
    assert found.offset_count >= 2 * len(names)


def test_what_takes_long_is_looked_at_once_for_all_tables():
    looked_at = broker(shard(["a"], partitions=STEP + 1))
    looked_at.clock = SimulatedClock()
    scrape = Scrape(looked_at, NONE, None, NONE)
    tables = [Table("g", "T", (), Scrape.look_at_groups) for _ in range(2)]
    pauses = [list(samples(table, scrape)) for table in tables]
    assert pauses == [[PAUSE] * 3, []]
    assert scrape.groups.offset_count == STEP + 1
