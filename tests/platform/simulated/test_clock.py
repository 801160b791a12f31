"""The simulated clock."""

import pytest

from moldau.platform.simulated.clock import SimulatedClock


def test_the_clock_moves_only_when_it_is_moved():
    clock = SimulatedClock(start_ms=1_000)
    assert clock.now_ms() == clock.now_ms() == 1_000
    clock.advance_ms(5)
    clock.set_wall_ms(10)
    assert (clock.now_ms(), clock.monotonic_ns()) == (10, 5_000_000)


def test_time_does_not_go_back():
    with pytest.raises(AssertionError):
        SimulatedClock().advance_ns(-1)
