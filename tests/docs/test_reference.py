"""The reference says what the code says today, and leaves nothing out."""

from __future__ import annotations

from argparse import Action, ArgumentParser, _SubParsersAction
from collections.abc import Iterator

import pytest

from devtools.reference import FOLDER, PAGES, SETTINGS
from moldau.programs.tools.kafka.table import KAFKA_TOOLS
from moldau.programs.tools.kafka.tool import actions_of, all_flags
from moldau.programs.tools.main import COMMANDS, parser_for, tool_module_of
from moldau.protocol.messages.index import APIS, OTHERS


def written(name: str) -> str:
    return (FOLDER / name).read_text()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_fresh(name):
    assert written(name) == PAGES[name](), "./dev docs writes it anew"


def test_there_is_no_page_that_nothing_writes():
    assert {path.name for path in FOLDER.iterdir()} == set(PAGES)


def test_every_api_and_every_other_message_is_there():
    page = written("messages.md")
    names = [api.name for api in APIS] + [name for names in OTHERS.values() for name in names]
    assert [name for name in names if f"[{name}](" not in page] == []


def public_names(settings):
    return [key.name for key in settings.KEYS.values() if not key.internal]


def test_every_setting_is_there():
    page = written("settings.md")
    names = [name for settings in SETTINGS.values() for name in public_names(settings)]
    assert [name for name in names if f"`{name}`" not in page] == []


def arguments(parser: ArgumentParser) -> Iterator[Action]:
    """Of a command and of its subcommands."""
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            for below in action.choices.values():
                yield from arguments(below)
        else:
            yield action


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_argument_of_a_command_says_what_it_does(command):
    without = [action.dest for action in arguments(parser_for(command)) if not action.help]
    assert without == []


@pytest.mark.parametrize("tool", KAFKA_TOOLS, ids=lambda tool: tool.name)
def test_every_flag_of_a_tool_says_what_it_does_or_what_stands_for_it(tool):
    flags = all_flags(tool_module_of(tool))
    actions = actions_of(tool_module_of(tool))
    flags += [flag for one in (actions.choices if actions else ()) for flag in one.flags]
    assert [flag.name for flag in flags if not flag.help and flag.instead is None] == []


def test_every_command_is_there():
    page = written("commands.md")
    assert [command.name for command in COMMANDS if f"moldau {command.name}" not in page] == []
