"""The environment of this process, and becoming another program."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from moldau.platform.system.process import (
    become,
    environment,
    is_program,
    put_interpreter_first,
    put_variable,
    set_default,
)

PROGRAM = """
import os, sys
from moldau.platform.system.process import become
print(os.getpid(), flush=True)
become(["sh", "-c", "echo $$ $GIVEN"], {"PATH": os.environ["PATH"], "GIVEN": "this"})
"""


def test_a_process_goes_on_as_another_program_under_its_own_id():
    asked = [sys.executable, "-c", PROGRAM]
    before, after = subprocess.run(
        asked, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert after == f"{before} this"


def test_a_program_that_is_not_there_is_named():
    with pytest.raises(FileNotFoundError, match="no-such-program"):
        become(["no-such-program"], {"PATH": "/nowhere"})


def test_what_it_was_given_is_a_copy(monkeypatch):
    monkeypatch.setenv("GIVEN", "this")
    copied = environment()
    copied["GIVEN"] = "that"
    assert os.environ["GIVEN"] == "this"


def test_python3_is_this_very_python(monkeypatch):
    monkeypatch.setenv("PATH", os.pathsep.join(["/elsewhere", os.environ["PATH"]]))
    put_interpreter_first()
    put_interpreter_first()
    paths = os.environ["PATH"].split(os.pathsep)
    assert paths.count(str(Path(sys.executable).parent)) == 1
    assert paths[:2] == [str(Path(sys.executable).parent), "/elsewhere"]


def test_a_default_leaves_what_is_there(monkeypatch):
    monkeypatch.setenv("GIVEN", "this")
    set_default("GIVEN", "that")
    assert os.environ["GIVEN"] == "this"
    monkeypatch.delenv("GIVEN")
    set_default("GIVEN", "that")
    assert os.environ["GIVEN"] == "that"


def test_a_variable_is_put_over_what_is_there(monkeypatch):
    monkeypatch.setenv("MOLDAU_TEST_VARIABLE", "old")
    put_variable("MOLDAU_TEST_VARIABLE", "new")
    assert environment()["MOLDAU_TEST_VARIABLE"] == "new"


def test_a_program_is_a_file_that_may_be_run(tmp_path):
    file = tmp_path / "program"
    file.touch(0o600)
    assert not is_program(str(file))
    file.chmod(0o700)
    assert is_program(str(file))
    assert not is_program(str(tmp_path / "none"))
