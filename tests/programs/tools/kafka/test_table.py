"""The table of tools names each once, each has its file, and no flag of Kafka's is missing.

`flags_of_kafka.txt` has what the help of each tool of Apache Kafka 4.3.1 names: flags alone.
"""

from __future__ import annotations

from argparse import ArgumentParser, _SubParsersAction
from importlib.util import find_spec
from pathlib import Path

import pytest

from moldau.programs.tools.command import Command
from moldau.programs.tools.kafka.table import KAFKA_TOOLS
from moldau.programs.tools.kafka.tool import KafkaTool, actions_of, all_flags
from moldau.programs.tools.main import COMMANDS, find_command, parser_for, tool_module_of

LISTED = Path(__file__).parent.joinpath("flags_of_kafka.txt").read_text().splitlines()
LETTERS_OF_ALL = {"-h", "-v"}


def flags_of(tool: KafkaTool, action: str) -> set[str]:
    module = tool_module_of(tool)
    found = {f"--{flag.name}" for flag in all_flags(module)} | LETTERS_OF_ALL
    actions = actions_of(module)
    for one in () if actions is None else actions.choices:
        if one.name == action:
            found |= {f"--{flag.name}" for flag in one.flags}
            found |= {f"-{letter}" for letter, _ in one.letters}
    return found


def options_of(command: Command, action: str) -> set[str]:
    parser = parser_for(command)
    for one in parser._actions:
        if action and isinstance(one, _SubParsersAction):
            chosen = one.choices[action]
            assert isinstance(chosen, ArgumentParser)
            parser = chosen
    return {text for one in parser._actions for text in one.option_strings}


@pytest.mark.parametrize("line", LISTED, ids=lambda line: line.partition(":")[0])
def test_no_flag_of_kafkas_is_missing(line):
    name, _, flags = line.partition(":")
    tool, _, action = name.partition(" ")
    command = find_command(tool)
    assert command is not None
    if isinstance(command, KafkaTool):
        known = flags_of(command, action)
    else:
        known = options_of(command, action)
    assert set(flags.split()) - known == set()


def test_no_name_is_there_twice():
    names = [one.name for one in (*COMMANDS, *KAFKA_TOOLS)]
    assert len(names) == len(set(names))


def test_every_tool_has_its_file():
    assert all(find_spec(tool.module) for tool in KAFKA_TOOLS)
