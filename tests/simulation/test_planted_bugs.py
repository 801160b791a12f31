"""Ordinary scenarios, or the tests of a folder, find bugs planted into a copy of the sources."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import moldau
from tests.simulation.first_bad_scenario import FOUND
from tests.simulation.planted_bugs import BUGS, Bug
from tests.simulation.planted_bugs_of_units import FOUND_BY_UNIT_TESTS, BugOfUnits

SOURCES = Path(moldau.__file__).parent.parent
ROOT = Path(__file__).parents[2]
NOT_COPIED = shutil.ignore_patterns("*.so", "__pycache__", "*.egg-info")


@pytest.mark.parametrize("bug", [*BUGS, *FOUND_BY_UNIT_TESTS], ids=lambda bug: bug.name)
def test_each_place_of_a_bug_is_there_once(bug: Bug | BugOfUnits):
    assert (SOURCES / bug.path).read_text().count(bug.sound) == 1


@pytest.mark.long
@pytest.mark.simulation
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_it_is_found_by_one_of_the_first_seeds(bug: Bug, tmp_path):
    done = run_with(
        bug, tmp_path, "-m", "tests.simulation.first_bad_scenario", bug.scenarios, str(bug.seeds)
    )
    assert done.returncode == FOUND, done.stdout + done.stderr


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("bug", FOUND_BY_UNIT_TESTS, ids=lambda bug: bug.name)
def test_it_is_found_by_a_test_of_its_folder(bug: BugOfUnits, tmp_path):
    quietly = ("-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--basetemp", tmp_path / "base")
    done = run_with(bug, tmp_path, "-m", "pytest", *quietly, bug.tests)
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stdout + done.stderr


def run_with(
    bug: Bug | BugOfUnits, folder: Path, *words: str | Path
) -> subprocess.CompletedProcess[str]:
    """A program of Python that finds a copy of the sources with the bug first."""
    shutil.copytree(SOURCES, folder / "src", ignore=NOT_COPIED)
    bug.plant(folder / "src")
    return subprocess.run(
        [sys.executable, "-B", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{folder / 'src'}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
    )
