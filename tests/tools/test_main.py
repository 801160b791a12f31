"""The table of commands, as a person meets it."""

from importlib.util import find_spec
from io import StringIO

import pytest

from moldau.simulated.clock import SimulatedClock
from moldau.simulated.files import SimulatedFiles
from moldau.simulated.randomness import SeededRandom
from moldau.tools.command import World
from moldau.tools.main import COMMANDS, main, run_command


@pytest.fixture
def world():
    return World(
        files=SimulatedFiles(),
        clock=SimulatedClock(),
        random=SeededRandom(1),
        out=StringIO(),
        errors=StringIO(),
    )


def test_help_names_every_command(world):
    assert run_command(["--help"], world) == 0
    for command in COMMANDS:
        assert command.name in world.out.getvalue()


def test_no_argument_at_all_is_a_call_for_help(world):
    assert run_command([], world) == 0
    assert "usage: moldau" in world.out.getvalue()


def test_an_unknown_command_is_wrong_usage_and_says_where_to_look(world):
    assert run_command(["fly"], world) == 2
    assert "`moldau --help`" in world.errors.getvalue()


def test_every_command_in_the_table_has_its_file():
    assert all(find_spec(command.module) for command in COMMANDS)


def test_the_version_is_one_line(world):
    assert run_command(["--version"], world) == 0
    assert world.out.getvalue().startswith("moldau ")


def test_what_a_command_cannot_do_is_one_sentence_and_a_failure(world):
    assert run_command(["dump-log", "--files", "/00.log"], world) == 1
    assert world.errors.getvalue().startswith("moldau dump-log: /00.log: ")
    assert world.errors.getvalue().count("\n") == 1


def test_the_entry_point_is_quiet_about_a_reader_who_has_left(monkeypatch, capfd):
    class Gone(StringIO):
        def write(self, text):
            raise BrokenPipeError

    monkeypatch.setattr("sys.argv", ["moldau", "--help"])
    monkeypatch.setattr("sys.stdout", Gone())
    assert main() == 1
    assert capfd.readouterr().err == ""
