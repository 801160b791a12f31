"""Ordinary stories find bugs that are planted into a copy of the sources."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import moldau
from tests.simulation.first_bad_story import FOUND
from tests.simulation.planted_bugs import BUGS, Bug

SOURCES = Path(moldau.__file__).parent.parent
ROOT = Path(__file__).parents[2]
NOT_COPIED = shutil.ignore_patterns("*.so", "__pycache__", "*.egg-info")


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_each_place_of_a_bug_is_there_once(bug: Bug):
    assert (SOURCES / bug.path).read_text().count(bug.sound) == 1


@pytest.mark.long
@pytest.mark.simulation
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_it_is_found_by_one_of_the_first_seeds(bug: Bug, tmp_path):
    shutil.copytree(SOURCES, tmp_path / "src", ignore=NOT_COPIED)
    bug.plant(tmp_path / "src")
    done = subprocess.run(
        [
            sys.executable,
            "-B",
            "-m",
            "tests.simulation.first_bad_story",
            bug.stories,
            str(bug.seeds),
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{tmp_path / 'src'}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == FOUND, done.stdout + done.stderr
