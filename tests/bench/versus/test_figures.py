"""Medians, ratios and verdicts, and the form in which a run is kept."""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.versus.figures import CaseResult, Compared, RunResult, quantile, result_of
from bench.versus.model import Case, Sample, at_least, at_most
from bench.versus.rounds import Found

SAMPLES = st.lists(st.floats(0.001, 1e6), min_size=1)


def nothing(_side, _turn) -> Sample:
    return {}


def found(theirs: Iterable[Sample], ours: Iterable[Sample], *goals, floors=()) -> Found:
    case = Case("a-case", "what it asks", nothing, tuple(goals))
    return Found(case, list(theirs), list(ours), list(floors))


def test_a_ratio_is_that_of_the_medians_with_those_of_the_rounds_beside_it():
    one = Compared("p50_ms", [4.0, 8.0, 10.0], [2.0, 2.0, 20.0])
    assert one.ratio == 0.25
    assert one.ratios == [0.5, 0.25, 2.0]


def test_there_is_no_ratio_to_nothing():
    one = Compared("p50_ms", [0.0, 0.0], [1.0, 1.0], bound=0.5)
    assert (one.ratio, one.ratios, one.is_met, one.advantage) == (None, [], None, None)


@pytest.mark.parametrize(
    ("goal", "met"), [(at_most("mb_per_s", 1.9), False), (at_least("mb_per_s", 1.9), True)]
)
def test_a_goal_bounds_the_ratio_on_its_side(goal, met):
    case = result_of(found([{"mb_per_s": 50.0}], [{"mb_per_s": 100.0}], goal))
    assert [one.is_met for one in case.compared] == [met]


def test_a_measure_without_a_goal_has_no_verdict():
    case = result_of(found([{"p50_ms": 1.0}], [{"p50_ms": 2.0}], at_most("p99_ms", 1)))
    assert [one.is_met for one in case.compared] == [None]


def test_an_advantage_is_above_one_where_ours_is_better_whichever_way_that_is():
    assert Compared("cpu_s_per_gb", [4.0], [1.0]).advantage == 4.0
    assert Compared("mb_per_s", [100.0], [400.0]).advantage == 4.0


def test_a_round_that_only_one_side_finished_is_left_out():
    case = result_of(found([{"p50_ms": 1.0}, {"p50_ms": 9.0}], [{"p50_ms": 2.0}]))
    assert case.compared[0].theirs == [1.0]


def test_a_measure_that_is_missing_in_a_round_is_left_out():
    both = [{"p50_ms": 1.0, "p99_ms": 2.0}, {"p50_ms": 1.0}]
    assert [one.measure for one in result_of(found(both, both)).compared] == ["p50_ms"]


def test_the_floor_is_the_median_of_its_samples():
    floors = [{"cpu_s_per_gb": value} for value in (3.0, 1.0, 2.0)]
    case = result_of(found([{"cpu_s_per_gb": 8.0}], [{"cpu_s_per_gb": 4.0}], floors=floors))
    assert case.compared[0].floor == 2.0


def test_a_case_without_samples_is_kept_with_its_failure():
    empty = found([], [])
    empty.failure = "the node ended"
    assert result_of(empty) == CaseResult("a-case", "what it asks", [], "the node ended")


def test_a_run_is_the_same_after_json():
    one = Compared("p50_ms", [1.0], [2.0], [0.5], 0.6)
    cases = [CaseResult("a", "asks", [one]), CaseResult("b", "asks", [], "failed")]
    run = RunResult("today", "abc", {"kind": "two cores"}, ["both: a=b"], cases, 12.5, True)
    assert RunResult.from_json(json.loads(json.dumps(run.as_json()))) == run


@given(SAMPLES, st.sampled_from([0.5, 0.95, 0.99, 0.999, 1.0]))
def test_a_quantile_is_a_value_that_so_many_do_not_exceed(values, part):
    value = quantile(sorted(values), part)
    assert value in values
    assert sum(one <= value for one in values) >= part * len(values) - 1e-6
    assert sum(one < value for one in values) < part * len(values) + 1e-6
