"""Wrong flags of every command, and files that cannot be used: a sentence and the right exit code.

In process, over the tables of commands, so that a new one is tried by being there. Clusters that
cannot be reached and rights that are missing are in `test_every_bad_cluster`.
"""

from __future__ import annotations

from io import StringIO

import pytest

from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.randomness import SystemRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.flags import Takes
from moldau.programs.tools.kafka.table import KAFKA_TOOLS, SCRIPTS_OF_COMMANDS
from moldau.programs.tools.kafka.tool import actions_of
from moldau.programs.tools.main import COMMANDS, parser_for, run_command, tool_module_of

DEAD = "127.0.0.1:1"
"""Nothing listens there."""
SOON = "default.api.timeout.ms=500\nrequest.timeout.ms=500\n"
"""Where a file may be used, and the call ends as no broker answers."""
TOOLS = [tool.name for tool in KAFKA_TOOLS]
OWN = [command.name for command in COMMANDS]
BROKEN = {
    "missing.json": None,
    "binary.json": b"\xff\xfe\x00\x01",
    "cut.json": b'{"partitions": [{"topic": "t", "part',
    "other.json": b'{"other": 1}',
    "list.json": b"[1, 2]",
    "empty.json": b"",
}
READERS = [
    "delete-records --bootstrap-server {dead} --offset-json-file {file}",
    "leader-election --bootstrap-server {dead} --election-type unclean --path-to-json-file {file}",
    "reassign-partitions --bootstrap-server {dead} --execute --reassignment-json-file {file}",
    "reassign-partitions --bootstrap-server {dead} --verify --reassignment-json-file {file}"
    " --command-config {soon}",
    "plan --bootstrap-server {dead} {file}",
    "apply --bootstrap-server {dead} {file}",
]


def called(words: list[str], out: StringIO | None = None) -> tuple[int, str]:
    """The exit code, and all that was written to standard error."""
    errors = StringIO()
    world = World(
        files=SystemFiles(),
        clock=SystemClock(),
        random=SystemRandom(),
        out=out or StringIO(),
        errors=errors,
    )
    try:
        return run_command(words, world), errors.getvalue()
    except SystemExit as end:  # wrong usage of our own commands is argparse's
        return int(str(end.code)), errors.getvalue()


@pytest.mark.parametrize("name", TOOLS)
def test_a_flag_that_a_tool_of_kafkas_has_not_is_named_with_where_to_look(name):
    module = next(tool_module_of(tool) for tool in KAFKA_TOOLS if tool.name == name)
    actions = actions_of(module)
    words = [name] if actions is None else [name, actions.choices[0].name]
    code, text = called([*words, "--no-such-flag", "x"])
    assert code == 1
    assert "no-such-flag" in text
    assert f"`moldau {name} --help`" in text


@pytest.mark.parametrize("name", TOOLS)
def test_a_flag_of_a_tool_without_its_value_is_named(name):
    module = next(tool_module_of(tool) for tool in KAFKA_TOOLS if tool.name == name)
    flag = next((one for one in module.FLAGS if one.takes is Takes.TEXT), None)
    if flag is None:
        return
    actions = actions_of(module)
    words = [name] if actions is None else [name, actions.choices[0].name]
    code, text = called([*words, f"--{flag.name}"])
    assert code == 1
    assert flag.name in text


@pytest.mark.parametrize("name", TOOLS)
def test_a_number_of_a_tool_that_is_none_is_a_sentence(name):
    module = next(tool_module_of(tool) for tool in KAFKA_TOOLS if tool.name == name)
    flag = next((one for one in module.FLAGS if one.takes in (Takes.INT, Takes.LONG)), None)
    if flag is None:
        return
    code, text = called([name, f"--{flag.name}", "frog"])
    assert code == 1
    assert 1 <= text.count("\n") <= 3


def wrong_usage(name: str) -> int:
    """The exit code: of Kafka's tools that are our commands, it is theirs."""
    return 1 if name in SCRIPTS_OF_COMMANDS else 2


@pytest.mark.parametrize("name", OWN)
def test_a_flag_that_our_command_has_not_is_wrong_usage(name, capsys):
    code, _ = called([name, "--no-such-flag"])
    assert code == wrong_usage(name)
    assert f"usage: moldau {name}" in capsys.readouterr().err


@pytest.mark.parametrize("name", OWN)
def test_a_number_of_our_command_that_is_none_is_wrong_usage(name, capsys):
    command = next(one for one in COMMANDS if one.name == name)
    numbers = [one for one in parser_for(command)._actions if one.type in (int, float)]
    if not any(one.option_strings for one in numbers):
        return
    flag = next(one.option_strings[0] for one in numbers if one.option_strings)
    assert called([name, flag, "frog"])[0] == wrong_usage(name)
    assert "'frog'" in capsys.readouterr().err


@pytest.mark.parametrize("content", BROKEN)
@pytest.mark.parametrize("words", READERS)
def test_a_file_that_cannot_be_used_is_a_sentence(words, content, tmp_path):
    file = tmp_path / content
    data = BROKEN[content]
    if data is not None:
        file.write_bytes(data)
    shown = StringIO()  # reassign-partitions says it there, as Kafka's does
    (tmp_path / "soon").write_text(SOON)
    code, text = called(words.format(dead=DEAD, file=file, soon=tmp_path / "soon").split(), shown)
    text += shown.getvalue()
    assert code == 1
    assert text.strip()
    assert "Traceback" not in text
    assert text.count("\n") <= 2
