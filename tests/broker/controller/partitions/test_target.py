"""Moves end when they can, and a replica that leaves a small set stays eligible."""

import pytest

from moldau.broker.controller.partitions.target import PartitionChange, Target
from moldau.broker.metadata.topics import PartitionState


def target(isr, replicas, removing=(), adding=(), elr=()):
    state = PartitionState(
        replicas=replicas,
        directories=(bytes(16),) * len(replicas),
        isr=isr,
        removing_replicas=removing,
        adding_replicas=adding,
        eligible_leader_replicas=elr,
    )
    return Target.of(state, PartitionChange())


@pytest.mark.parametrize(
    ("isr", "replicas", "removing", "adding", "after"),
    [
        ((1, 2), (1, 2), (), (), (1, 2)),
        ((1, 3), (3, 1), (1,), (3,), (3,)),
        ((1, 2), (3, 1, 2), (1,), (3,), (3, 1, 2)),
        ((1,), (1, 2), (1,), (), (1, 2)),
        ((1, 2, 3), (1, 2, 3), (2, 3), (), (1,)),
        ((1, 3), (1, 2, 3), (3,), (), (1, 2, 3)),
    ],
    ids=["no move", "done", "not in sync", "none left in sync", "fewer", "fewer, one missing"],
)
def test_a_move_ends_when_all_that_come_are_in_sync(isr, replicas, removing, adding, after):
    moving = target(isr, replicas, removing, adding)
    moving.complete_move()
    assert moving.replicas == after


@pytest.mark.parametrize(
    ("before", "after", "elr", "unclean", "eligible"),
    [
        ((1, 2, 3), (1, 2), (), (), ()),
        ((1, 2), (1,), (), (), (2,)),
        ((1,), (), (2,), (), (1, 2)),
        ((1, 2), (1,), (3,), (2,), (3,)),
        ((1,), (1, 2), (2,), (), ()),
    ],
)
def test_eligible_is_who_left_a_set_below_the_minimum(before, after, elr, unclean, eligible):
    shrinking = target(before, (1, 2, 3), elr=elr)
    shrinking.isr = after
    shrinking.take_out_eligible(2, frozenset(unclean))
    assert shrinking.elr == eligible
