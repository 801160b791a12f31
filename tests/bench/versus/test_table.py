"""What a run looks like as a table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.versus.figures import CaseResult, Compared, RunResult
from bench.versus.table import (
    floors_table,
    goals_table,
    markdown_table,
    number,
    painter,
    row,
    rows,
    spread,
    verdict_line,
)

CPU = Compared("cpu_s_per_gb", [4.0, 5.0, 6.0], [1.0, 1.1, 1.2], [0.5], 0.4)
P99 = Compared("p99_ms", [100.0, 200.0, 300.0], [150.0, 150.0, 150.0], bound=0.5)
MEMORY = Compared("memory_mb", [700.0] * 3, [30.0] * 3)
CASES = [CaseResult("a", "asks this", [CPU, P99, MEMORY]), CaseResult("b", "asks", [], "it ended")]
RUN = RunResult("today", "abc", {"kind": "two cores"}, [], CASES, 1.0, True)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        *((0.0341, "0.03"), (0.256, "0.26"), (1.0, "1.00"), (38.04, "38.0"), (146.4, "146")),
        *((1630.2, "1,630"), (None, "–")),
    ],
)
def test_a_number_shows_the_digits_that_count(value, shown):
    assert number(value) == shown


def test_one_round_has_no_spread():
    assert spread([2.0], 2.0) == "2.00"
    assert spread([1.0, 2.0, 9.0], 2.0) == "2.00 (1.00–9.00)"


def test_a_case_is_named_once_and_its_verdicts_stand_in_their_lines():
    lines = list(rows(CASES[0], painter(colours=False)))
    assert [line[:1] for line in lines] == ["a", " ", " "]
    assert "0.22 (0.20–0.25)" in lines[0]
    assert "≤ 0.4   met" in lines[0]
    assert "missed" in lines[1]
    assert "met" not in lines[2]


def test_colours_are_on_what_was_met_and_missed_alone():
    coloured = list(rows(CASES[0], painter(colours=True)))
    assert [line[:5] for line in coloured[:2]] == ["\x1b[32m", "\x1b[31m"]
    assert "\x1b" not in coloured[2]


def test_a_case_that_failed_says_why():
    assert list(rows(CASES[1], painter(colours=False))) == ["b: failed, it ended"]


def test_every_line_of_markdown_has_as_many_cells():
    assert {line.count("|") for line in markdown_table(RUN)} == {8}
    assert {line.count("|") for line in goals_table(RUN)} == {5}


def test_each_goal_has_a_row_with_all_cases_that_are_held_to_it():
    slow = CaseResult("slow", "asks", [Compared("cpu_s_per_gb", [1.0], [2.0], bound=0.4)])
    run = replace(RUN, cases=[*CASES, slow])
    assert list(goals_table(run))[2:] == [
        "| broker CPU per GB | ≤ 0.4 | a **0.22**, slow 2.00 | 1 of 2 |",
        "| p99 | ≤ 0.5 | a 0.75 | 0 of 1 |",
        "| b | | failed | |",
    ]


def test_the_distance_to_the_floor_is_a_multiple_of_it():
    assert list(floors_table(RUN))[2:] == ["| a | broker CPU per GB, s | 0.50 | 2.2 × | 10.0 × |"]


def test_goals_that_were_met_are_counted_and_so_are_failures():
    assert verdict_line(CASES) == "1 of 2 goals met, 1 cases failed"
    assert verdict_line(CASES[:1]) == "1 of 2 goals met"


def test_a_row_keeps_its_columns():
    short, long = row(("a", "b", *"      ")), row(("abc", "b", *"123456"))
    assert short.index("b") == long.rindex("b")
