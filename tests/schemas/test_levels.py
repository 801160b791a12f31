"""Which versions have to be read by which."""

from typing import Any, cast

import pytest

from moldau.schemas.levels import Level, broken_rules
from moldau.schemas.parsed import Difference


class Numbers:
    """A language in which a reader can read what is in its set."""

    name = "NUMBERS"

    def differences(self, reader, writer, *, lenient=False):
        return [Difference("MISSING", str(one), "") for one in sorted(writer - reader)]


LANGUAGE: Any = Numbers()


def broken(level: Level, *versions: str) -> object:
    new, *earlier = (cast("Any", set(one)) for one in versions)
    found = broken_rules(LANGUAGE, level, new, earlier)
    return found and (found[0], [one.path for one in found[1]])


@pytest.mark.parametrize(
    ("level", "new", "expected"),
    [
        (Level.NONE, "", None),
        (Level.BACKWARD, "2", None),
        (Level.BACKWARD, "1", (1, ["2"])),
        (Level.BACKWARD_TRANSITIVE, "2", (0, ["1"])),
        (Level.FORWARD, "2", None),
        (Level.FORWARD, "23", (1, ["3"])),
        (Level.FORWARD_TRANSITIVE, "2", (0, ["2"])),
        (Level.FULL, "2", None),
        (Level.FULL, "3", (1, ["2", "3"])),
        (Level.FULL_TRANSITIVE, "2", (0, ["1", "2"])),
    ],
)
def test_a_level_asks_for_what_its_name_states(level, new, expected):
    assert broken(level, new, "1", "2") == expected


@pytest.mark.parametrize("level", Level)
def test_the_first_version_fits(level):
    assert broken(level, "1") is None
