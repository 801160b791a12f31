"""Rules about what decodes which topics, where nothing is chosen."""

from __future__ import annotations

import json

from moldau.programs.console.formats.offered import Chosen
from moldau.programs.console.formats.usual import AS_USUAL, UsualFormat, UsualFormats

RULES = UsualFormats(
    (
        UsualFormat("key", "a|b", "int64"),
        UsualFormat("key", "c", AS_USUAL),
        UsualFormat("key", ".*", "hex"),
    )
)


def test_the_first_rule_that_holds_for_the_whole_name_decides():
    assert [RULES.of(topic, Chosen()).key for topic in ("a", "ab", "c")] == ["int64", "hex", None]


def test_what_was_chosen_stays():
    assert RULES.of("a", Chosen("text", "hex")) == Chosen("text", "hex")


def test_rules_are_the_same_on_the_other_side_of_a_pipe():
    assert UsualFormats.received(json.loads(json.dumps(RULES.sent()))) == RULES
