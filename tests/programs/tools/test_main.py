"""The table of commands, as a person meets it."""

import subprocess
import sys
from importlib.util import find_spec
from io import StringIO

import pytest

from moldau import __main__ as main_module
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.main import COMMANDS, main, run_command


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


def test_help_of_a_command_is_what_it_says_of_itself_in_its_own_letters(world):
    assert run_command(["help", "lake"], world) == 0
    assert "Compact a Delta table" in world.out.getvalue()


def test_help_with_nothing_that_is_a_command_names_every_command(world):
    for word in ("--help", "fly"):
        assert run_command(["--help", word], world) == 0
    assert world.out.getvalue().count("usage: moldau COMMAND") == 2


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


def test_a_number_of_thousands_of_digits_is_a_sentence(world):
    arguments = ["cat", "-b", "localhost:1", "-Q", "-t", "t:0:" + "9" * 5000]
    assert run_command(arguments, world) == 1
    assert world.errors.getvalue().startswith("moldau cat: no number has so many digits")


def test_the_entry_point_is_quiet_about_a_reader_who_has_left(monkeypatch, capsys):
    class Gone(StringIO):
        def write(self, text):
            raise BrokenPipeError

    monkeypatch.setattr("sys.argv", ["moldau", "--help"])
    monkeypatch.setattr("sys.stdout", Gone())
    assert main() == 1
    assert capsys.readouterr().err == ""


def test_ctrl_c_while_a_command_is_imported_is_an_exit_code_and_no_traceback(monkeypatch):
    def interrupted(name):
        raise KeyboardInterrupt

    monkeypatch.setattr(main_module, "end_at_once", lambda: None)
    monkeypatch.setattr(main_module, "import_module", interrupted)
    assert main_module.main() == 130


def test_what_a_tool_of_kafkas_says_of_itself_needs_no_client_and_no_loop():
    code = (
        "import sys; from moldau.programs.tools.main import tool_module_of;"
        "from moldau.programs.tools.kafka.table import KAFKA_TOOLS;"
        "[tool_module_of(tool).FLAGS for tool in KAFKA_TOOLS];"
        "print([name for name in ('asyncio', 'ssl', 'moldau.client.sync') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
