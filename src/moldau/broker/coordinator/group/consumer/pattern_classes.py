"""Sets of characters in patterns, as far as a topic's name can have them.

Names of topics are made of ASCII letters, digits, dot, underscore and dash. So a class of
characters is the set of those among them that are in it, however large it is in Unicode.
"""

from __future__ import annotations

import string
from collections.abc import Callable

Chars = frozenset[str]

LETTERS = frozenset(string.ascii_letters)
DIGITS = frozenset(string.digits)
ALPHABET = LETTERS | DIGITS | frozenset("._-")
"""Every character that a name may have."""
WORD = LETTERS | DIGITS | {"_"}
_UPPER, _LOWER = frozenset(string.ascii_uppercase), frozenset(string.ascii_lowercase)
_NONE: Chars = frozenset()

PERL: dict[str, Chars] = {
    "d": DIGITS,
    "D": ALPHABET - DIGITS,
    "s": _NONE,
    "S": ALPHABET,
    "w": WORD,
    "W": ALPHABET - WORD,
}
"""What stands behind one backslash."""

POSIX: dict[str, Chars] = {
    "alnum": LETTERS | DIGITS,
    "alpha": LETTERS,
    "ascii": ALPHABET,
    "blank": _NONE,
    "cntrl": _NONE,
    "digit": DIGITS,
    "graph": ALPHABET,
    "lower": _LOWER,
    "print": ALPHABET,
    "punct": frozenset("._-"),
    "space": _NONE,
    "upper": _UPPER,
    "word": WORD,
    "xdigit": frozenset(string.hexdigits),
}
"""What stands in brackets and colons."""

_CATEGORIES: dict[str, Chars] = {
    "Any": ALPHABET,
    "L": LETTERS,
    "Lu": _UPPER,
    "Ll": _LOWER,
    "N": DIGITS,
    "Nd": DIGITS,
    "P": frozenset("._-"),
    "Pc": frozenset("_"),
    "Pd": frozenset("-"),
    "Po": frozenset("."),
    "Latin": LETTERS,
    "Common": DIGITS | frozenset("._-"),
}
_EMPTY_CATEGORIES = frozenset(
    [
        "C",
        "Cc",
        "Cf",
        "Co",
        "Cs",
        "Lm",
        "Lo",
        "Lt",
        "M",
        "Mc",
        "Me",
        "Mn",
        "Nl",
        "No",
        "Pe",
        "Pf",
        "Pi",
        "Ps",
        "S",
        "Sc",
        "Sk",
        "Sm",
        "So",
        "Z",
        "Zl",
        "Zp",
        "Zs",
        "Arabic",
        "Armenian",
        "Bengali",
        "Cyrillic",
        "Devanagari",
        "Georgian",
        "Greek",
        "Han",
        "Hangul",
        "Hebrew",
        "Hiragana",
        "Inherited",
        "Katakana",
        "Tamil",
        "Thai",
    ]
)


def category(name: str) -> Chars | None:
    """The characters of a Unicode category or script; None where it is not known."""
    if name in _EMPTY_CATEGORIES:
        return _NONE
    return _CATEGORIES.get(name)


def within(low: int, high: int) -> Chars:
    """The characters from one code point to another."""
    return _those(lambda char: low <= ord(char) <= high)


def in_both_cases(chars: Chars) -> Chars:
    """With the other case of every letter."""
    return chars | _those(lambda char: char.swapcase() in chars)


def _those(is_in: Callable[[str], bool]) -> Chars:
    return frozenset(char for char in ALPHABET if is_in(char))
