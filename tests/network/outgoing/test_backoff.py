"""How long to wait before trying again."""

from __future__ import annotations

from random import Random

import pytest

from moldau.network.outgoing.backoff import Backoff


class Fixed(Random):
    """Always draws the same."""

    def __init__(self, drawn: float) -> None:
        super().__init__()
        self._drawn = drawn

    def random(self) -> float:
        return self._drawn


def waits(drawn: float, tries: range) -> list[float]:
    backoff = Backoff(Fixed(drawn), 100, 1000)
    return [round(backoff.wait_ms(number), 3) for number in tries]


def test_waits_double_up_to_the_maximum():
    assert waits(0.5, range(6)) == [100, 200, 400, 800, 1000, 1000]


@pytest.mark.parametrize(("drawn", "first"), [(0.0, 80), (0.999999999, 120)])
def test_chance_moves_a_wait_by_a_fifth(drawn, first):
    assert waits(drawn, range(1)) == [first]


def test_very_many_tries_wait_no_longer():
    assert waits(0.5, range(10_000, 10_001)) == [1000]


def test_a_first_wait_above_the_maximum_is_the_maximum():
    assert Backoff(Fixed(0.5), 500, 50).wait_ms(0) == pytest.approx(50)
