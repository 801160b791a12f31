"""Steps run, are counted, and fail aloud."""

from __future__ import annotations

import pytest

from devtools import steps
from devtools.steps import Step, closing_line, count_tests, run_steps


@pytest.fixture(autouse=True)
def this_python(monkeypatch):
    import sys

    monkeypatch.setattr(steps, "PYTHON", sys.executable)


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("3 passed in 0.10s", {"passed": 3}),
        (
            "1 failed, 12 passed, 2 skipped, 3 deselected in 4.50s",
            {"failed": 1, "passed": 12, "skipped": 2},
        ),
        ("===== 2 errors in 1.00s =====", {"failed": 2}),
        ("\x1b[32m5 passed\x1b[0m\x1b[32m in 0.1s\x1b[0m", {"passed": 5}),
        ("no tests ran in 0.01s", {}),
        ("the judge says: 5 passed", {}),
    ],
)
def test_the_closing_line_of_pytest_is_counted(line, counts):
    assert count_tests(f"....\n{line}\n") == counts


def test_all_steps_run_even_after_one_has_failed(capfd):
    report = run_steps(
        [Step("bad", ("-c", "print('why'); exit(3)")), Step("good", ("-c", "pass"))], {}
    )
    assert (report.failed, report.passed) == (["bad"], ["good"])
    output = capfd.readouterr().out
    assert "why" in output
    assert "FAILED" in output


MEET = """
import pathlib, sys, time
own, other = sys.argv[1:]
pathlib.Path(own).touch()
for _ in range(300):
    if pathlib.Path(other).exists():
        exit()
    time.sleep(0.1)
exit(1)
"""


def test_a_step_that_joins_the_next_one_runs_beside_it(tmp_path):
    one, two = f"{tmp_path}/one", f"{tmp_path}/two"
    steps = [
        Step("one", ("-c", MEET, one, two), joins_next=True),
        Step("two", ("-c", MEET, two, one)),
        Step("after", ("-c", "pass")),
    ]
    assert run_steps(steps, {}).passed == ["one", "two", "after"]


def test_any_other_step_begins_when_the_one_before_has_ended(tmp_path):
    file = tmp_path / "made"
    late = "import pathlib, sys, time; time.sleep(0.3); pathlib.Path(sys.argv[1]).touch()"
    there = "import pathlib, sys; exit(not pathlib.Path(sys.argv[1]).exists())"
    steps = [Step("make", ("-c", late, str(file))), Step("use", ("-c", there, str(file)))]
    assert run_steps(steps, {}).passed == ["make", "use"]


def test_a_good_step_keeps_its_output_to_itself(capfd):
    run_steps([Step("good", ("-c", "print('chatter')"))], {})
    assert "chatter" not in capfd.readouterr().out


def test_a_streaming_step_shows_its_output_and_is_counted_too(capfd):
    report = run_steps([Step("tests", ("-c", "print('2 passed in 1s')"), streams=True)], {})
    assert report.tests == {"passed": 2}
    assert "2 passed in 1s" in capfd.readouterr().out


SECOND = "'--last-failed' in sys.argv"


@pytest.mark.parametrize(
    ("second", "failed", "passed", "unsteady"),
    [
        ("PASSED tests/a.py::t\n1 passed in 1s", 0, 3, ["tests/a.py::t"]),
        ("FAILED tests/a.py::t\n1 failed in 1s", 1, 2, []),
        ("no tests ran in 1s", 1, 2, []),
    ],
)
def test_a_few_failures_have_a_second_try(second, failed, passed, unsteady):
    code = (
        f"import sys; again = {SECOND}; "
        f"print({second!r} if again else '1 failed, 2 passed in 1s'); exit(not again)"
    )
    report = run_steps([Step("tests", ("-c", code), has_second_try=True)], {})
    assert (report.tests["failed"], report.tests["passed"]) == (failed, passed)
    assert report.unsteady == unsteady
    assert report.failed == ([] if unsteady else ["tests"])


def test_many_failures_have_none():
    code = f"import sys; assert not {SECOND}; print('6 failed, 2 passed in 1s'); exit(1)"
    report = run_steps([Step("tests", ("-c", code), has_second_try=True)], {})
    assert (report.tests["failed"], report.failed) == (6, ["tests"])


def test_the_environment_reaches_the_step():
    code = "import os; exit(os.environ['MOLDAU_LONG'] != '1')"
    assert run_steps([Step("env", ("-c", code))], {"MOLDAU_LONG": "1"}).failed == []


def test_the_last_line_counts_every_outcome():
    tests = count_tests("7 passed, 1 skipped in 2s")
    assert closing_line(tests, 61.4) == "7 passed, 0 failed, 1 skipped in 61s"
