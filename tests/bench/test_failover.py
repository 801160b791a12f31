"""The arithmetic of gaps."""

from __future__ import annotations

import pytest

from bench.failover import Gap, Load, shown


def gap_of(*times_s, since_s=10.0, until_s=20.0):
    load = Load("localhost:1")
    load.times[0] = list(times_s)
    return load.gap([0], since_s, until_s)


def test_a_gap_begins_with_the_last_acknowledgement_before_the_failure():
    found = gap_of(1.0, 9.9, 10.4, 19.99)
    assert found == (pytest.approx(9590), False)
    assert gap_of(1.0, 9.9, 10.4, *(10.5 + step / 10 for step in range(96)))[0] == pytest.approx(
        500
    )


def test_a_gap_that_has_not_ended_is_open():
    assert gap_of(9.9, 25.0) == (pytest.approx(10_100), True)
    assert shown([Gap(100, False), Gap(300, True)]).endswith("(100 to >300)")
