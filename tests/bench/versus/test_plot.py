"""The picture is well-formed, says what it shows, and survives numbers that are odd."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from bench.versus.figures import CaseResult, Compared, RunResult
from bench.versus.plot import LogAxis, goal_advantage, plot, shown

SVG = "{http://www.w3.org/2000/svg}"
CPU = Compared("cpu_s_per_gb", [4.0], [1.0], bound=0.4)
SPEED = Compared("mb_per_s", [100.0], [50.0], bound=1.3, at_most=False)
P99 = Compared("p99_ms", [30.0], [3.0])


def picture(*cases: CaseResult) -> ElementTree.Element:
    run = RunResult("2026-11-21 19:50 UTC", "ab<c", {"kind": "R&D"}, [], list(cases), 1.0, True)
    return ElementTree.fromstring(plot(run))


def words(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def test_it_is_well_formed_and_names_cases_measures_and_ratios():
    texts = words(picture(CaseResult("a-case", "asks", [CPU, SPEED, P99])))
    assert {"a-case", "broker CPU per GB", "throughput", "ratio 0.25", "ratio 0.50"} <= set(texts)
    assert "2026-11-21, commit ab<c, R&D" in texts


def test_worse_and_better_differ_in_colour():
    root = picture(CaseResult("a-case", "asks", [CPU, SPEED]))
    fills = [element.get("fill") for element in root.iter(f"{SVG}rect")]
    assert fills[:2] == ["var(--better)", "var(--worse)"]


def test_every_goal_has_its_mark():
    root = picture(CaseResult("a-case", "asks", [CPU, SPEED, P99]))
    assert len(list(root.iter(f"{SVG}polygon"))) == 2


def test_nothing_is_drawn_outside_of_the_canvas():
    far = Compared("p99_ms", [100_000.0], [0.01])
    root = picture(CaseResult("a", "asks", [CPU, SPEED, far]), CaseResult("b", "asks", [P99]))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for box in root.iter(f"{SVG}rect"):
        x, y, wide, high = (float(box.attrib[name]) for name in ("x", "y", "width", "height"))
        assert 0 <= x <= x + wide <= width
        assert 0 <= y <= y + high <= height


@pytest.mark.parametrize(
    "cases",
    [
        [],
        [CaseResult("failed", "asks", [], "it ended")],
        [CaseResult("zero", "asks", [Compared("p99_ms", [0.0], [0.0])])],
    ],
)
def test_a_run_without_ratios_is_still_a_picture(cases):
    assert picture(*cases).tag == f"{SVG}svg"


def test_a_goal_lies_where_a_bar_that_just_meets_it_would_end():
    just = Compared("cpu_s_per_gb", [10.0], [4.0], bound=0.4)
    assert goal_advantage(just) == just.advantage == 2.5


def test_what_has_no_goal_is_shown_only_where_it_leads():
    case = CaseResult("a", "asks", [P99, CPU, Compared("p50_ms", [1.0], [1.0])])
    assert [(name, one.measure) for name, one in shown([case])] == [
        ("a", "p99_ms"),
        ("", "cpu_s_per_gb"),
    ]


def test_equal_factors_are_equally_far_on_the_axis():
    axis = LogAxis([1, 100], 0, 200)
    assert axis(10) - axis(1) == pytest.approx(axis(100) - axis(10))
