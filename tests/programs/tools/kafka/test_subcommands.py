"""Words that say what to do, with the flags of each."""

import pytest

from moldau.programs.tools.kafka.flags import HELP, VERSION, Flag, Given, Takes, WrongUsageError
from moldau.programs.tools.kafka.subcommands import Action, Actions, parse_action

FLAGS = (Flag("server", "", Takes.TEXT), HELP, VERSION)
TOOL = Actions(
    (
        Action("show", "", (Flag("loud", ""), Flag("node-id", "", Takes.INT))),
        Action("stop", "", (Flag("id", "", Takes.INT),), ("id",), (("i", "id"),)),
    ),
    "tool: error: {}",
)


def parsed(words: str) -> Given:
    return parse_action(FLAGS, TOOL, words.split())


def test_flags_of_the_tool_stand_before_the_word_and_after_it():
    for words in ("--server a show --loud", "show --loud --server=a", "show --lou --ser a"):
        given = parsed(words)
        assert (given.action, given.text("server"), given.has("loud")) == ("show", "a", True)


def test_a_letter_stands_for_its_flag():
    assert parsed("stop -i -4").number("id") == -4


def test_help_needs_no_word():
    assert parsed("-h").has("help")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "too few arguments"),
        ("shwo", "invalid choice: 'shwo' (choose from 'show', 'stop')"),
        ("--loud show", "unrecognized arguments: '--loud'"),
        ("show more", "unrecognized arguments: 'more'"),
        ("stop", "argument --id/-i is required"),
        ("stop --id", "argument --id: expected one argument"),
        ("show --node-id x", "argument --node-id: could not convert 'x' to Integer"),
        ("show --", "ambiguous option: -- could match"),
    ],
)
def test_wrong_usage_is_named(words, message):
    with pytest.raises(WrongUsageError) as wrong:
        parsed(words)
    assert str(wrong.value).startswith(f"tool: error: {message}")


def test_the_nearest_word_and_flag_are_named():
    for words, near in (
        ("shwo", "show"),
        ("show --nodeid", "--node-id"),
    ):
        with pytest.raises(WrongUsageError) as wrong:
            parsed(words)
        assert wrong.value.hint == f"Did you mean {near}?"
