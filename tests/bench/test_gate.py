"""When the gate fails, and when it does not."""

from __future__ import annotations

import pytest

from bench.gate import LIMITS, Limit, complaints, is_regression
from bench.versus.figures import CaseResult, Compared
from bench.versus.model import at_least, at_most
from bench.versus.whole_run import chosen

BOUND = at_most("cpu_s_per_gb", 0.5)
LIMIT = Limit("a-case", BOUND)


def result(*ours: float, failure: str = "") -> CaseResult:
    compared = [Compared("cpu_s_per_gb", [1.0] * len(ours), list(ours))] if ours else []
    return CaseResult("a-case", "asks", compared, failure)


@pytest.mark.parametrize(
    ("ratios", "regressed"),
    [
        ([0.4, 0.4, 0.4], False),
        ([0.4, 9.0, 0.4], False),
        ([0.4, 9.0, 0.4, 9.0], False),
        ([0.6, 0.6, 0.4], True),
        ([0.6], True),
    ],
)
def test_a_regression_is_beyond_its_bound_in_most_rounds(ratios, regressed):
    assert is_regression(ratios, BOUND) == regressed


def test_what_should_be_more_regresses_downwards():
    assert is_regression([0.9, 0.9, 1.1], at_least("mb_per_s", 1.0))


def test_limits_that_hold_give_no_complaint():
    assert list(complaints([result(0.4, 0.4, 0.9)], [LIMIT])) == []


def test_a_limit_that_does_not_hold_is_reported_with_its_rounds():
    assert list(complaints([result(0.6, 0.7, 0.4)], [LIMIT])) == [
        "a-case: broker CPU per GB should be ≤ 0.5 and is 0.60, 0.70, 0.40 in its rounds."
    ]


@pytest.mark.parametrize(
    "results", [[], [result()], [result(0.1, failure="the node ended")]], ids=str
)
def test_what_cannot_be_measured_is_no_success(results):
    assert "could not be measured" in next(complaints(results, [LIMIT]))


def test_every_limit_is_that_of_a_case():
    assert len(chosen([limit.case for limit in LIMITS])) == len(LIMITS)
