"""A shell is offered what may follow."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from moldau.programs.tools.completion import SCRIPTS, offers


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("to", ["top", "topics"]),
        ("help to", ["top", "topics"]),
        ("topics --desc", ["--describe"]),
        ("cluster cl", ["cluster-id"]),
        ("features upgrade --fe", ["--feature"]),
        ("completion fi", ["fish"]),
        ("lag --max", ["--max-lag", "--max-seconds"]),
        ("lag --output j", ["json"]),
        ("roles gr", ["grant"]),
        ("nothing --x", []),
        ("topics --topic or", []),
        ("topics --bootstrap-server localhost:1 --topic or", []),
    ],
)
def test_the_last_word_goes_on_by_what_may_follow(typed, offered):
    assert offers(typed.split(" ")) == offered


@pytest.mark.parametrize("shell", SCRIPTS)
def test_the_script_is_one_of_its_shell(shell):
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"this machine has no {shell}")
    subprocess.run([program, "-n"], input=SCRIPTS[shell], text=True, check=True)
