"""The syntax of patterns; a judge holds it against RE2 for Java."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.group.consumer.pattern_syntax import (
    Border,
    Choice,
    One,
    PatternError,
    Repeat,
    Sequence,
    read_pattern,
)

A, B = One(frozenset("a")), One(frozenset("b"))


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("a", A),
        ("ab", Sequence((A, B))),
        ("a|b", Choice((A, B))),
        ("a*?", Repeat(A, 0, None)),
        ("a{2,5}", Repeat(A, 2, 5)),
        ("a{2,}", Repeat(A, 2, None)),
        (r"\bab$", Sequence((Border.WORD, A, B, Border.END))),
        ("[ab]", One(frozenset("ab"))),
        ("(?i)a", One(frozenset("aA"))),
        (r"\Qa\Eb", Sequence((A, B))),
        ("[[:digit:]]", One(frozenset("0123456789"))),
        (r"\x61", A),
        (r"\141", A),
    ],
)
def test_patterns_are_read_as_trees(text, node):
    assert read_pattern(text) == node


@pytest.mark.parametrize(
    "text",
    ["(", ")", "[", "[]", "a**", "*", "+a", "a{1001}", "a{3,2}", r"\1", r"\y", "(?<!a)", "(?x)a",
     "a{" + "9" * 5000 + "}",
     "[b-a]", r"\pX", "[[:nope:]]", "(?P<a-b>a)", "(?P<>a)",
     "a" + chr(92), r"\x{110000}", r"\xg0", "(" * 300],
)  # fmt: skip
def test_what_is_not_written_rightly_is_refused(text):
    with pytest.raises(PatternError):
        read_pattern(text)


def test_flags_hold_to_the_end_of_their_group():
    node = read_pattern("((?i)a)b")
    assert node == Sequence((Sequence((One(frozenset("aA")),)), B))
