"""Warming up ends when it no longer helps."""

from __future__ import annotations

import pytest

from bench.versus.cases.small_requests import CASES, is_growing

MANY = (10, 200, 800, 1000)


@pytest.mark.parametrize("rates", [[1, 2, 3, 4], [1, 9, 10, 9], [8, 9, 9, 10]])
def test_it_goes_on_while_one_of_the_last_two_seconds_was_better(rates):
    assert is_growing(rates)


@pytest.mark.parametrize("rates", [[1, 2, 2, 2], [9, 3, 4, 5], [100, 100, 102, 103]])
def test_it_is_over_when_neither_was(rates):
    assert not is_growing(rates)


def test_the_connections_that_a_goal_names_are_held_to_it():
    judged = {case.name for case in CASES if case.goals}
    small = {f"small-{what}-{count}" for what in ("produce", "metadata") for count in MANY}
    assert judged == small | {"commit-20"}
