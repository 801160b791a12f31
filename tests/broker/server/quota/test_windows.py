"""Rates and buckets, second by second."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from moldau.broker.server.quota.windows import RateWindow, TokenBucket


def test_a_new_client_is_measured_as_if_it_had_been_here_for_ten_seconds():
    window = RateWindow()
    window.record(1000, 5000)
    assert window.rate(5000) == 100


def test_who_is_too_fast_waits_until_the_rate_is_the_bound():
    window = RateWindow()
    window.record(2000, 0)
    delay_ms = window.delay_ms(100, 0)
    assert delay_ms == 10_000
    assert window.rate(delay_ms) <= 2000 / 10


def test_what_is_old_is_forgotten():
    window = RateWindow()
    window.record(1000, 0)
    assert window.rate(11_001) == 0
    assert window.delay_ms(1, 11_001) == 0


def test_what_is_taken_back_was_never_there():
    window = RateWindow()
    window.record(1000, 0)
    window.forget(1000)
    assert window.rate(0) == 0


def test_a_bound_of_nothing_lets_nothing_through_for_all_windows():
    window = RateWindow()
    window.record(1, 0)
    assert window.delay_ms(0, 0) == 11_000


@given(some.lists(some.tuples(some.integers(0, 2000), some.integers(0, 1000)), max_size=60))
def test_a_rate_is_never_below_nothing_and_never_above_what_was_recorded(events):
    window = RateWindow()
    now_ms = 0
    for pause_ms, amount in events:
        now_ms += pause_ms
        window.record(amount, now_ms)
    total = sum(amount for _, amount in events)
    assert -1e-6 <= window.rate(now_ms) <= total / 10 + 1e-6


def test_a_bucket_gives_what_eleven_seconds_bring_and_then_as_fast_as_it_fills():
    bucket = TokenBucket(5, 0)
    bucket.take(55, 0)
    assert bucket.delay_ms(0) == 0
    bucket.take(10, 0)
    assert bucket.delay_ms(0) == 2000
    assert bucket.delay_ms(1000) == 1000
    assert bucket.delay_ms(2000) == 0


@pytest.mark.parametrize("rate", [0, 0.0])
def test_an_empty_bucket_is_owed_for_all_windows(rate):
    bucket = TokenBucket(rate, 0)
    bucket.take(1, 0)
    assert bucket.delay_ms(0) == 11_000


def test_a_bucket_with_another_rate_owes_what_it_owed():
    bucket = TokenBucket(1, 0)
    bucket.take(21, 0)
    bucket.set_rate(5, 0)
    assert bucket.delay_ms(0) == 2000
    bucket.set_rate(5, 1000)
    assert bucket.delay_ms(1000) == 1000
