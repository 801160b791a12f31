"""A clock that is moved."""

from __future__ import annotations

import pytest

from moldau.platform.system.clock import SystemClock
from moldau.testing.lasting import UnknownFaultError
from moldau.testing.moved_clock import MovedClock

DAY_S, DAY_MS = 86_400, 86_400_000


def test_the_wall_moves_and_waiting_does_not():
    clock, plain = MovedClock(), SystemClock()
    before_ns = plain.monotonic_ns()
    clock.move(DAY_S)
    clock.move(DAY_S)
    assert clock.now_ms() - plain.now_ms() > DAY_MS
    assert clock.monotonic_ns() - before_ns < DAY_S * 1_000_000_000


def test_it_is_not_moved_back():
    with pytest.raises(UnknownFaultError, match="is not moved back"):
        MovedClock().move(-1)
