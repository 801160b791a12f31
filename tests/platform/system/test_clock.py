"""The machine's clock."""

import time

from moldau.platform.system.clock import SystemClock


def test_now_is_in_milliseconds_since_1970():
    before = int(time.time() * 1000)
    assert before <= SystemClock().now_ms() <= int(time.time() * 1000) + 1


def test_the_monotonic_time_is_the_systems_in_nanoseconds():
    before = time.monotonic_ns()
    assert before <= SystemClock().monotonic_ns() <= time.monotonic_ns()
