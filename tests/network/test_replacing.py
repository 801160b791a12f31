"""Replacements mean what they mean in Java."""

import re

import pytest

from moldau.network.replacing import ReplacementError, replaced


@pytest.mark.parametrize(
    ("pattern", "replacement", "expected"),
    [
        ("(a)(b)", "$2$1", "bac"),
        ("(a)(b)?x|(a)", "$3$2", "abc"),
        ("a", r"\$\\", "$\\bc"),
        ("(a)", "$10", "a0bc"),
        ("(a)()()()()()()()()(b)", "$10$1", "bac"),
        ("b", "[$0]", "a[b]c"),
        (".*", "x", "xx"),
    ],
)
def test_groups_and_signs_are_put_in(pattern, replacement, expected):
    assert replaced(re.compile(pattern), replacement, "abc") == expected


def test_the_first_alone_may_be_replaced():
    assert replaced(re.compile("."), "-", "abc", count=1) == "-bc"


@pytest.mark.parametrize("replacement", ["$1", "$", "$x", "\\"])
def test_what_cannot_be_put_in_is_refused(replacement):
    with pytest.raises(ReplacementError):
        replaced(re.compile("a"), replacement, "abc")
