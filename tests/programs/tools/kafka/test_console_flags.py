"""Settings of console tools: files first, properties over them; old spellings are warned of."""

import pytest

from moldau.programs.tools.kafka.console_flags import (
    only_one_spelling,
    settings_given,
    warn_of_old_spellings,
)
from moldau.programs.tools.kafka.flags import Flag, Takes, WrongUsageError, parse

FLAGS = (
    Flag("property", "", Takes.TEXT, instead="new-property"),
    Flag("new-property", "", Takes.TEXT),
    Flag("config", "", Takes.TEXT),
)


def test_properties_win_over_files(world):
    file = world.files.open("/f", create=True)
    file.append(b"a=file\nb=file\n")
    file.close()
    given = parse(FLAGS, ["--config", "/f", "--new-property", "a=flag"])
    found = settings_given(given, world, ("config",), ("property", "new-property"))
    assert found == {"a": "flag", "b": "file"}


def test_an_old_spelling_is_warned_of_once(world):
    warn_of_old_spellings(parse(FLAGS, ["--property", "a=b"]), FLAGS, world)
    assert world.out.getvalue() == (
        "Option --property is deprecated and will be removed in a future version. Use "
        "--new-property instead.\n"
    )


def test_both_spellings_at_once_are_refused():
    with pytest.raises(WrongUsageError, match="cannot be specified together"):
        only_one_spelling(parse(FLAGS, ["--property", "a", "--new-property", "b"]), FLAGS)
