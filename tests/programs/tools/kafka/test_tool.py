"""Every tool has help, a version and an example; words without sense name the nearest flag."""

import pytest

from moldau.programs.tools.kafka.table import KAFKA_TOOLS
from moldau.programs.tools.kafka.tool import (
    KAFKA_VERSION,
    OF_ARGPARSE4J,
    actions_of,
    all_flags,
)
from moldau.programs.tools.main import tool_module_of

NAMES = [tool.name for tool in KAFKA_TOOLS]


@pytest.mark.parametrize("name", NAMES)
def test_help_has_every_flag_and_an_example(call, name):
    code, printed = call(f"{name} --help")
    tool = next(one for one in KAFKA_TOOLS if one.name == name)
    assert code == 0
    assert tool.script in " ".join(printed)
    assert f"example: moldau {name} {tool.example}".rstrip() in printed
    for flag in all_flags(tool_module_of(tool)):
        assert any(line.lstrip().startswith(f"--{flag.name}") for line in printed)


@pytest.mark.parametrize("name", NAMES)
def test_the_version_is_that_of_the_tool_of_kafka(call, name):
    assert call(f"{name} --version") == (0, [KAFKA_VERSION])


@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_flag_exits_with_1_and_names_the_nearest(call, name):
    code, printed = call(f"{name} --versoin")
    assert code == 1
    tool = next(one for one in KAFKA_TOOLS if one.name == name)
    has_words = name in OF_ARGPARSE4J or actions_of(tool_module_of(tool)) is not None
    wrong = "unrecognized arguments: '--versoin'" if has_words else "versoin is not a recognized"
    assert wrong in printed[0]
    assert "Did you mean --version?" in printed[-1]


def test_a_call_without_words_prints_help(call):
    assert call("topics")[0] == 1


def test_the_overview_has_the_tools(call):
    _, printed = call("--help")
    assert any(line.startswith("  get-offsets ") for line in printed)
