"""The help of every command: on a terminal of 40 columns, and into a pipe whose reader has left."""

from __future__ import annotations

from io import StringIO

import pytest

from moldau.programs.tools.main import main
from tests.programs.tools.terminal import Terminal
from tests.programs.tools.test_bad_input import OWN, TOOLS, called

COLUMNS = 40
NARROW = str(COLUMNS)
UNBROKEN = {"jmx": ["kafka.server:type=KafkaServer,name=BrokerState"]}
"""Words that are longer than the terminal is wide, and have to be copied in one piece."""
SHOWN = ("topics", "acls", "jmx", "cat", "explain-access", "share-consumer-perf-test")
"""Of all shapes of help: Kafka's and ours, long names, long choices, words that cannot break."""
NAMES = [*TOOLS, *OWN]


class Narrow(StringIO):
    """As a terminal."""

    def isatty(self) -> bool:
        return True


def too_wide(name: str, text: str) -> list[str]:
    lines = [line for line in text.splitlines() if len(line) > COLUMNS]
    return [line for line in lines if line.strip() not in UNBROKEN.get(name, ())]


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
def test_help_whose_reader_has_left_is_a_failure_without_a_word(words, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["moldau", *words])
    monkeypatch.setattr("sys.stdout", Gone())
    assert main() == 1
    # Not what is written beside Python: a client of librdkafka that is left may log there.
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("name", NAMES)
def test_no_line_of_help_is_wider_than_a_terminal_of_forty_columns(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", NARROW)
    out = Narrow()
    assert called(["help", name], out) == (0, "")
    assert too_wide(name, out.getvalue()) == []
    assert out.getvalue().startswith(f"usage: moldau {name}")


@pytest.mark.parametrize("name", SHOWN)
def test_a_person_sees_help_within_forty_columns(name):
    terminal = Terminal("help", name, columns=COLUMNS)
    assert terminal.end() == 0
    assert too_wide(name, terminal.text) == []


@pytest.mark.parametrize("columns", [20, 40, 60, 78])
def test_all_commands_are_listed_within_every_terminal(monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    out = Narrow()
    assert called(["--help"], out) == (0, "")
    longest = max(map(len, NAMES)) + 2
    wide = [line for line in out.getvalue().splitlines() if len(line) > max(columns, longest)]
    assert [line for line in wide if " " in line.strip()] == []
    words = out.getvalue().split()
    assert [name for name in NAMES if name not in words] == []


def test_an_example_on_a_narrow_terminal_can_still_be_copied(monkeypatch):
    monkeypatch.setenv("COLUMNS", NARROW)
    out = Narrow()
    called(["help", "topics"], out)
    example = "example: moldau topics \\\n   --bootstrap-server localhost:9092 \\\n   --describe\n"
    assert example in out.getvalue()


def test_help_into_a_pipe_knows_no_columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", NARROW)
    out = StringIO()
    called(["help", "topics"], out)
    assert "example: moldau topics --bootstrap-server localhost:9092 --describe\n" in out.getvalue()
