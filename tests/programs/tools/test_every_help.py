"""The help of every command: on a terminal of 40 columns, and into a pipe whose reader has left."""

from __future__ import annotations

from io import StringIO

import pytest

from moldau.programs.tools.main import main
from tests.programs.tools.test_bad_input import OWN, TOOLS, called

NARROW = "40"
NAMES = [*TOOLS, *OWN]


class Gone(StringIO):
    """As a pipe that is closed at the other end."""

    def write(self, text: str) -> int:
        raise BrokenPipeError


@pytest.mark.parametrize("name", NAMES)
def test_help_for_a_narrow_terminal_comes_whole_and_names_the_command(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", NARROW)
    out = StringIO()
    code, errors = called(["help", name], out)
    assert (code, errors) == (0, "")
    assert out.getvalue().startswith(f"usage: moldau {name}")
    assert f"example: moldau {name}" in out.getvalue()


@pytest.mark.parametrize("words", [["help"], *(["help", name] for name in NAMES)], ids=" ".join)
def test_help_whose_reader_has_left_is_a_failure_without_a_word(words, monkeypatch, capfd):
    monkeypatch.setattr("sys.argv", ["moldau", *words])
    monkeypatch.setattr("sys.stdout", Gone())
    assert main() == 1
    assert capfd.readouterr().err == ""
