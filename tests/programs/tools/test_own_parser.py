"""Wrong flags of our own commands, answered with the nearest ones."""

from __future__ import annotations

import pytest

from moldau.programs.tools.main import COMMANDS, parser_for
from moldau.programs.tools.own_parser import _flags_of


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_a_flag_of_our_own_commands_that_is_mistyped_is_answered_with_the_nearest(name, capsys):
    command = next(command for command in COMMANDS if command.name == name)
    flags = [flag for flag in _flags_of(parser_for(command)) if len(flag) > len("--xxxx")]
    if not flags:
        return
    mistyped = f"{flags[0][:-2]}{flags[0][-1]}{flags[0][-2]}"
    with pytest.raises(SystemExit):
        parser_for(command).error(f"unrecognized arguments: x {mistyped}=7")
    assert f"did you mean {flags[0]}?" in capsys.readouterr().err


def test_what_resembles_no_flag_has_no_hint(capsys):
    parser = parser_for(COMMANDS[0])
    for words in (["--no-such-flag"], ["x", "y"]):
        with pytest.raises(SystemExit) as wrong:
            parser.parse_args(words)
        assert (wrong.value.code, "did you mean" in capsys.readouterr().err) == (2, False)
    with pytest.raises(SystemExit) as wrong:
        parser.parse_args(["--nodse=3"])
    assert (wrong.value.code, "did you mean --nodes?" in capsys.readouterr().err) == (2, True)
