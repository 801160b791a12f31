"""A run on its pages: between the markers, and nowhere else."""

from __future__ import annotations

import json

import pytest

from bench.versus.figures import CaseResult, Compared, RunResult
from bench.versus.publish import BEGINS, ENDS, publish, replace_between
from tests.tidy.source import ROOT

ONE = Compared("p50_ms", [2.0, 4.0, 6.0], [1.0, 1.0, 1.0], [0.1], 0.5)
RUN = RunResult(
    "2026-11-21 19:50 UTC",
    "abc123",
    {"kind": "two cores", "java": "17"},
    ["both: node.id=1"],
    [CaseResult("a-case", "asks", [ONE])],
    1300.0,
    True,
)
PAGE = f"Before.\n\n{BEGINS}\nof last week\n{ENDS}\n\nAfter.\n"


@pytest.fixture
def root(tmp_path):
    (tmp_path / "docs").mkdir()
    for name in ("README.md", "docs/performance.md"):
        (tmp_path / name).write_text(PAGE)
    return tmp_path


def test_what_stands_around_the_markers_stays(root):
    publish(root, RUN)
    for page in (root / "README.md", root / "docs" / "performance.md"):
        text = page.read_text()
        assert text.startswith(f"Before.\n\n{BEGINS}\n")
        assert text.endswith(f"\n{ENDS}\n\nAfter.\n")
        assert "of last week" not in text
        assert "a-case" in text
        assert "commit abc123, two cores" in text


def test_the_last_run_is_kept_whole_and_each_in_a_line(root):
    publish(root, RUN)
    publish(root, RUN)
    folder = root / "docs" / "performance"
    assert RunResult.from_json(json.loads((folder / "latest.json").read_text())) == RUN
    lines = (folder / "history.jsonl").read_text().splitlines()
    assert [json.loads(line)["commit"] for line in lines] == ["abc123", "abc123"]
    assert json.loads(lines[0])["medians of Apache Kafka and Moldau"] == {
        "a-case": {"p50_ms": [4.0, 1.0]}
    }


def test_a_page_without_markers_is_refused_and_left_as_it_is(root):
    page = root / "README.md"
    page.write_text("Nothing here.\n")
    with pytest.raises(ValueError, match="no pair of markers"):
        replace_between(page, ["new"])
    assert page.read_text() == "Nothing here.\n"


@pytest.mark.parametrize("page", ["README.md", "docs/performance.md"])
def test_our_own_pages_have_one_pair_of_markers(page):
    text = (ROOT / page).read_text()
    assert (text.count(BEGINS), text.count(ENDS)) == (1, 1)
    assert text.index(BEGINS) < text.index(ENDS)
