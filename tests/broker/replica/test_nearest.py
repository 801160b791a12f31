"""A consumer is sent to a replica in its rack."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.broker.replica.leading import FollowerEnds, note_fetch
from moldau.broker.replica.nearest import nearest_replica
from moldau.broker.replica.partition import Partition
from tests.broker.log.batches import batch
from tests.broker.replica.broker_world import with_partition

THREE: dict[str, Any] = {
    "replicas": (1, 2, 3),
    "isr": (1, 2, 3),
    "directories": (bytes(16),) * 3,
}


def chosen(rack, racks, *, offset=0, isr=(1, 2, 3), starts=(0, 0), ends=(1, 1)):
    """The replica for a consumer; broker 2 and 3 have logs with these ends."""

    def act(partition: Partition):
        partition.append(batch(0))
        for broker_id, start, end in zip((2, 3), starts, ends, strict=True):
            note_fetch(partition, broker_id, FollowerEnds(end, start), 0, 7)
        return nearest_replica(
            partition, offset, rack, dict(zip((1, 2, 3), racks, strict=True)).get
        )

    return with_partition(act, **{**THREE, "isr": isr})


def test_a_follower_in_the_rack_is_chosen():
    assert chosen("b", ("a", "b", "c")) == 2


@pytest.mark.parametrize(("rack", "racks"), [("a", ("a", "a", "c")), ("d", "abc"), ("", ("",) * 3)])
def test_the_leader_stays_where_it_is_near_or_none_is(rack, racks):
    assert chosen(rack, racks) is None


def test_of_several_the_furthest_is_chosen():
    assert chosen("b", ("a", "b", "b"), ends=(0, 1)) == 3


@pytest.mark.parametrize(
    "unfit", [{"isr": (1, 3)}, {"starts": (1, 0)}, {"offset": 1, "ends": (0, 1)}]
)
def test_who_is_not_in_sync_or_does_not_have_the_offset_is_not_chosen(unfit):
    assert chosen("b", ("a", "b", "c"), **unfit) is None
