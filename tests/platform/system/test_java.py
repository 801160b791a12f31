"""Covers moldau.platform.system.java."""

from __future__ import annotations

import subprocess
import sys

import pytest

from moldau.platform.system.java import (
    ends_with_its_input,
    find_java,
    java_version,
    version_in,
)
from tests.platform.system.fake_java import a_java


@pytest.mark.parametrize(
    ("line", "version"),
    [('openjdk version "17.0.15"', 17), ('java version "1.8.0_402"', 8), ("nonsense", 0)],
)
def test_java_says_its_version_in_two_ways(line, version):
    assert version_in(line) == version


def test_without_a_home_java_is_looked_for_on_the_path(tmp_path, monkeypatch):
    java = a_java(tmp_path, 'openjdk version "21.0.1"')
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(java.parent))
    assert find_java() == str(java)


def test_a_java_that_does_not_run_has_no_version(tmp_path):
    assert java_version(str(tmp_path / "java")) == 0


@pytest.mark.parametrize(
    ("program", "has_ended"),
    [("import sys; sys.stdin.read()", True), ("import time; time.sleep(600)", False)],
)
def test_a_java_ends_with_its_input_or_is_killed(program, has_ended):
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE) as process:
        assert ends_with_its_input(process, patience_s=60 if has_ended else 0.1) == has_ended
        assert process.poll() is not None
