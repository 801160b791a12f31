"""Calls that do not come back are ended, also those that swallow what ends them."""

from __future__ import annotations

import signal
import time
from contextlib import suppress

import pytest

from moldau.platform.system.time_limit import CallTimes, TimeLimitError, TimeSpentError


def hang():
    while True:
        pass


def sleep():
    time.sleep(3600)


def swallow():
    """Three signals; then it gives in."""
    for _ in range(2):
        with suppress(BaseException):
            hang()
    hang()


@pytest.mark.parametrize("call", [hang, sleep, swallow])
def test_a_call_that_takes_too_long_is_ended(call):
    with pytest.raises(TimeLimitError):
        CallTimes(10, 1000).run(call)


def test_what_a_call_returns_or_raises_comes_out_and_no_signal_is_left():
    before, times = signal.getsignal(signal.SIGALRM), CallTimes(60_000, 60_000)
    assert times.run(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        times.run(lambda: 1 / 0)
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert signal.getsignal(signal.SIGALRM) is before


def test_calls_share_their_time_until_it_begins_anew():
    times = CallTimes(10, 5)
    with pytest.raises(TimeLimitError):
        times.run(hang)
    with pytest.raises(TimeSpentError):
        times.run(lambda: 7)
    times.begin()
    with pytest.raises(TimeLimitError):
        times.run(hang)
