"""The machine's clock."""

import time

from moldau.platform.system.clock import SystemClock


def test_the_wall_shows_milliseconds_of_this_century():
    before = int(time.time() * 1000)
    assert before <= SystemClock().now_ms() <= int(time.time() * 1000) + 1


def test_the_other_hand_never_turns_back():
    clock = SystemClock()
    assert clock.monotonic_ns() <= clock.monotonic_ns()
