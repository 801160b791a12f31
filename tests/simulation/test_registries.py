"""Registries in a simulated cluster full of trouble: answered ids are there, and none twice."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.simulation.registry_scenario import Result, result_of

pytestmark = [pytest.mark.simulation, pytest.mark.timeout(300)]

SCENARIOS = 1
SCENARIOS_LONG = 60
SEED_STEP = 1000


def judge(result: Result) -> None:
    """Each subject has one text of its own, so each id is of one subject."""
    twice = {number: count for number, count in Counter(result.written).items() if count > 1}
    assert not twice, f"written again: {twice}"
    ids = Counter(number for number, _ in result.written)
    assert max(ids.values()) == 1, (
        f"given twice: {[one for one in result.written if ids[one[0]] > 1]}"
    )
    known = {subject: number for number, subject in result.written}
    assert result.leaders, "no leader was befallen"
    lost = {subject: number for subject, number in result.answered.items()
            if known.get(subject) != number}  # fmt: skip
    assert not lost, f"answered and not there: {lost}"


def test_ids_are_there_and_none_is_given_twice_whatever_befalls_the_leader(seed, volume):
    for number in range(volume(SCENARIOS, SCENARIOS_LONG)):
        drawn = seed + SEED_STEP * number
        result = result_of(drawn)
        try:
            judge(result)
        except AssertionError as error:
            raise AssertionError(f"seed {drawn}: {error}") from error


@pytest.mark.long
def test_the_same_seed_gives_the_same_events(seed):
    assert result_of(seed).mark == result_of.__wrapped__(seed).mark
