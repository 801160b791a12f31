"""What `./dev check` runs, and when it is green."""

from __future__ import annotations

from collections import Counter

import pytest

from devtools import check
from devtools.steps import Report


@pytest.fixture
def verdict(monkeypatch, capsys):
    """Runs the check with this report in place of its steps; the exit code and the last lines."""

    def run(report, everything=False):
        def reported(steps, environment):
            assert any("--durations" in word for word in steps[-1].arguments)
            assert ("MOLDAU_LONG" in environment) == everything
            return report

        monkeypatch.setattr(check, "run_steps", reported)
        return check.check(everything), capsys.readouterr().out.splitlines()

    return run


def test_green_says_so_in_its_last_lines(verdict):
    code, lines = verdict(Report(passed=["lint", "tests"], tests=Counter(passed=5)))
    assert code == 0
    assert lines[-2] == "check: green (lint, tests)"
    assert lines[-1].startswith("5 passed, 0 failed, 0 skipped in ")


def test_what_needed_a_second_try_is_named(verdict):
    report = Report(passed=["tests"], tests=Counter(passed=5), unsteady=["tests/a.py::t"])
    code, lines = verdict(report)
    assert code == 0
    assert lines[-2] == "unsteady: tests/a.py::t passed only at its second try"


def test_one_failed_step_makes_it_red(verdict):
    code, lines = verdict(Report(failed=["types"], passed=["tests"], tests=Counter(passed=5)))
    assert (code, lines[-2]) == (1, "check: FAILED at types")


def test_a_run_without_a_single_test_is_red(verdict):
    code, lines = verdict(Report(passed=["tests"]))
    assert (code, lines[-2]) == (1, "check: FAILED at no test ran")


def test_a_run_of_everything_is_long_and_shows_what_was_slow(verdict):
    report = Report(passed=["tests"], tests=Counter(passed=5))
    assert verdict(report, everything=True)[0] == 0


def test_the_seed_can_be_given(monkeypatch):
    monkeypatch.setenv("MOLDAU_SEED", "42")
    assert check.pick_seed() == 42
    assert "--randomly-seed=42" in check.seeded(42)


def test_without_one_a_seed_is_drawn_that_every_library_takes(monkeypatch):
    monkeypatch.delenv("MOLDAU_SEED", raising=False)
    assert 0 <= check.pick_seed() < 2**32


def test_a_check_of_the_same_sources_draws_the_same(monkeypatch, tmp_path):
    monkeypatch.delenv("MOLDAU_SEED", raising=False)
    monkeypatch.setattr(check, "ROOT", tmp_path)
    (tmp_path / "src").mkdir()
    source = tmp_path / "src" / "log.py"
    for name in check.SOURCES[1:]:
        (tmp_path / name).touch()
    source.write_text("a = 1")
    first = check.seed_of_sources()
    assert check.seed_of_sources() == first < 2**32
    source.write_text("a = 2")
    assert check.seed_of_sources() != first
    monkeypatch.setenv("MOLDAU_SEED", "42")
    assert check.seed_of_sources() == 42


def test_every_test_runs_in_exactly_one_step():
    tidy, collect, tests = (step.arguments for step in check._steps(1)[-3:])
    assert "--collect-only" in collect
    folders = {argument for argument in tidy if argument.startswith("tests/")}
    ignored = {argument.partition("=")[2] for argument in tests if argument.startswith("--ignore")}
    assert folders == ignored != set()


def test_what_is_collected_beforehand_is_what_will_run():
    collect, tests = (step.arguments for step in check._steps(1)[-2:])
    assert collect[:-2] == tests[: len(collect) - 2]


def test_tests_run_compiled_and_in_a_run_of_everything_interpreted_before():
    names = [step.name for step in check._steps(1)]
    assert names[-4:] == ["build", "tidy", "collect", "tests"]
    names = [step.name for step in check._steps(1, everything=True)]
    assert names[-6:] == ["plain", "interpreted", "build", "tidy", "collect", "tests"]
