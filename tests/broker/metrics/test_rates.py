"""Rates that are made of two readings."""

from __future__ import annotations

import pytest

from moldau.broker.metrics import rates as rates_module
from moldau.broker.metrics.name import MetricName
from moldau.broker.metrics.rates import Rates

NAME = MetricName("kafka.server", "T", "NPerSec")
SECOND_NS = 1_000_000_000


def read(rates, count, seconds, name=NAME):
    return rates.of(name, count, seconds * SECOND_NS)


def test_the_first_reading_has_the_mean_since_the_start():
    rates = read(Rates(0), 600, 60)
    assert set(rates.values()) == {10.0}
    assert set(rates) == {"MeanRate", "OneMinuteRate", "FiveMinuteRate", "FifteenMinuteRate"}


def test_each_rate_is_that_of_its_own_time():
    rates = Rates(0)
    for minute in range(1, 31):
        read(rates, 60 * minute, 60 * minute)
    found = read(rates, 60 * 30 + 6000, 60 * 31)
    assert found["OneMinuteRate"] == 100
    assert found["FiveMinuteRate"] == pytest.approx((6000 + 4 * 60) / 300)
    assert found["FifteenMinuteRate"] == pytest.approx((6000 + 14 * 60) / 900)
    assert found["MeanRate"] == pytest.approx((6000 + 30 * 60) / (31 * 60))


def test_readings_in_quick_turns_do_not_push_out_the_older_ones():
    rates = Rates(0)
    for tenth in range(10 * 60 * 20):
        rates.of(NAME, tenth, tenth * SECOND_NS // 10)
    assert rates.of(NAME, 12_000, 1200 * SECOND_NS)["FifteenMinuteRate"] == pytest.approx(10)


def test_at_the_moment_of_the_start_nothing_has_a_rate():
    assert set(read(Rates(5 * SECOND_NS), 3, 5).values()) == {0.0}


def test_what_is_remembered_is_bounded(monkeypatch):
    monkeypatch.setattr(rates_module, "METERS_MAX", 2)
    rates = Rates(0)
    for number in range(5):
        read(rates, 1, 1, MetricName("kafka.server", "T", f"N{number}PerSec"))
    assert repr(rates) == "Rates(1 meters)"
