"""Durations as Java's `Duration.parse` reads them."""

from __future__ import annotations

import pytest

from moldau.config.durations import ago_ms, duration_ms


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [
        ("PT1H", 3_600_000),
        ("P2DT3M", 172_980_000),
        ("PT1.5S", 1_500),
        ("PT0,25S", 250),
        ("PT1.S", 1_000),
        ("p1dt1s", 86_401_000),
        ("-PT1S", -1_000),
        ("+PT1S", 1_000),
        ("PT-6H+3M", -21_420_000),
        ("-PT-6H", 21_600_000),
        ("P0D", 0),
    ],
)
def test_each_unit_counts(text, milliseconds):
    assert duration_ms(text) == milliseconds


@pytest.mark.parametrize(
    "text",
    [
        "", "P", "PT", "P1DT", "1H", "PT1", "P1H", "PT1.5H", "PT.5S", "PT1.0123456789S", "P1Y",
        "P1W", "an hour", " PT1H", "PT1H ", "PT1S2H", "PT\u0661S",
    ],
)  # fmt: skip
def test_what_is_none_is_none(text):
    assert duration_ms(text) is None


@pytest.mark.parametrize(
    ("policy", "milliseconds"),
    [
        ("by_duration:PT1S", 1_000),
        ("BY_DURATION:pt1s", 1_000),
        ("by_duration:PT0S", 0),
        ("by_duration:PT-1S", None),
        ("by_duration:", None),
        ("PT1S", None),
        ("latest", None),
    ],
)
def test_a_reset_policy_begins_so_long_ago(policy, milliseconds):
    assert ago_ms(policy) == milliseconds
