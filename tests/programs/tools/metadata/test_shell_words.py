"""Lines are taken, and refused, as Kafka's shell does it."""

from __future__ import annotations

import pytest

from moldau.programs.tools.metadata.shell_words import ShellWordError, parse_words


def test_a_command_has_its_arguments():
    command, arguments = parse_words(["ls", "a", "", "b", ""], typed=True) or (None, [])
    assert command is not None
    assert (command.name, arguments) == ("ls", ["a", "", "b"])
    assert parse_words(["", ""], typed=True) is None


@pytest.mark.parametrize(
    ("line", "refusal"),
    [
        ("c", "ambiguous command: c could match cat, cd"),
        ("fin", "invalid choice: 'fin': did you mean 'find'?"),
        ("ls -x", "unrecognized arguments: '-x'"),
        ("pwd x", "unrecognized arguments: 'x'"),
        ("cat", "too few arguments"),
        ("history x", 'argument numEntriesToShow: could not convert .* string: "x"'),
    ],
)
def test_a_line_that_means_nothing_is_refused(line, refusal):
    with pytest.raises(ShellWordError, match=refusal):
        parse_words(line.split(), typed=True)


def test_a_single_call_has_fewer_commands():
    with pytest.raises(ShellWordError, match=r"choose from 'cat', 'find', 'ls', 'tree'\)"):
        parse_words(["pwd"], typed=False)
