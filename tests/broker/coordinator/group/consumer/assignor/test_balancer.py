"""Who has least and who has most, while partitions move."""

from __future__ import annotations

from moldau.broker.coordinator.group.consumer.assignor.balancer import Balancer


def test_those_with_least_take_turns_and_others_join_them():
    balancer = Balancer([0, 0, 1], [0, 1, 2])
    assert [balancer.next_least() for _ in range(5)] == [0, 1, 0, 1, 2]


def test_those_with_most_give_first():
    balancer = Balancer([1, 3, 2], [0, 1, 2])
    assert (balancer.imbalance, balancer.next_most()) == (2, 1)


def test_who_has_nothing_to_give_is_left_out():
    balancer = Balancer([2, 2], [0, 1])
    balancer.next_most()
    balancer.exclude_most()
    balancer.next_most()
    balancer.exclude_most()
    assert balancer.next_most() is None


def test_levels_that_differ_by_one_are_in_balance():
    balancer = Balancer([0, 2], [0, 1])
    balancer.next_most()
    assert not balancer.is_balanced
    balancer.next_least()
    balancer.next_least()
    assert balancer.is_balanced
