"""The syntax of RE2, in which members write patterns (github.com/google/re2/wiki/Syntax).

What is read is a tree of five kinds of nodes. A pattern has to match the whole name and it does not
matter which part of it a group has matched, so groups and the greed of repetitions mean nothing
here.
"""

from __future__ import annotations

from enum import Enum, auto

from moldau.broker.coordinator.group.consumer.pattern_classes import (
    ALPHABET,
    PERL,
    POSIX,
    Chars,
    category,
    in_both_cases,
    within,
)
from moldau.platform.quick_dataclass import dataclass

REPEATS_MAX = 1000
DIGITS_READ = 5
"""RE2's own."""
DEPTH_MAX = 100
"""Groups in groups, each of which takes five calls; RE2 itself goes to 1000."""

_CONTROLS = {"a": 7, "f": 12, "t": 9, "n": 10, "r": 13, "v": 11}
_FLAGS = frozenset("imsU")


class PatternError(Exception):
    """RE2 does not take the pattern; the message has the reason."""


class Border(Enum):
    """What may be asked of a place between two characters."""

    BEGIN = auto()
    END = auto()
    WORD = auto()
    NO_WORD = auto()


@dataclass(frozen=True, slots=True)
class One:
    """One of these characters."""

    chars: Chars


@dataclass(frozen=True, slots=True)
class Sequence:
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    options: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    part: Node
    least: int
    most: int | None
    """None: without limit."""


Node = One | Border | Sequence | Choice | Repeat
EMPTY = Sequence(())


def read_pattern(text: str) -> Node:
    """The tree of a pattern, or `PatternError`."""
    reader = _Reader(text)
    node = reader.choice(0)
    if not reader.is_done:
        raise PatternError("unexpected )")
    return node


class _Reader:
    """Reads from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0
        self._ignores_case = False

    @property
    def is_done(self) -> bool:
        return self._place >= len(self._text)

    def _peek(self, text: str) -> bool:
        return self._text.startswith(text, self._place)

    def _skip(self, text: str) -> bool:
        if not self._peek(text):
            return False
        self._place += len(text)
        return True

    def _next(self, what: str) -> str:
        if self.is_done:
            raise PatternError(f"missing {what}")
        self._place += 1
        return self._text[self._place - 1]

    def _next_escaped(self) -> str:
        if self.is_done:
            raise PatternError("trailing backslash at end of expression")
        return self._next("")

    # Structure.

    def choice(self, depth: int) -> Node:
        if depth > DEPTH_MAX:
            raise PatternError("groups are nested too deeply")
        options = [self._sequence(depth)]
        while self._skip("|"):
            options.append(self._sequence(depth))
        return options[0] if len(options) == 1 else Choice(tuple(options))

    def _sequence(self, depth: int) -> Node:
        parts: list[Node] = []
        while not self.is_done and not self._peek("|") and not self._peek(")"):
            parts += self._repeated(depth)
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def _repeated(self, depth: int) -> list[Node]:
        """One part with its repetition; of quoted text it is the last character that repeats."""
        if self._bounds() is not None:
            raise PatternError("missing argument to repetition operator")
        parts = self._quoted() if self._skip("\\Q") else [self._part(depth)]
        bounds = self._bounds()
        if bounds is None:
            return [part for part in parts if part is not EMPTY]
        if not parts or parts[-1] is EMPTY:
            raise PatternError("missing argument to repetition operator")
        self._skip("?")
        if self._bounds() is not None:
            raise PatternError("invalid nested repetition operator")
        return [*parts[:-1], Repeat(parts[-1], *bounds)]

    def _bounds(self) -> tuple[int, int | None] | None:
        for sign, bounds in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self._skip(sign):
                return bounds
        return self._counted() if self._peek("{") else None

    def _counted(self) -> tuple[int, int | None] | None:
        """`{n}`, `{n,}` or `{n,m}`; other braces are just characters."""
        end = self._text.find("}", self._place)
        least, comma, most = self._text[self._place + 1 : end].partition(",")
        if end < 0 or not _is_number(least) or (most and not _is_number(most)):
            return None
        low = _count(least)
        high = low if not comma else _count(most) if most else None
        if low > REPEATS_MAX or (high or 0) > REPEATS_MAX:
            raise PatternError(f"invalid repeat count: more than {REPEATS_MAX}")
        if high is not None and high < low:
            raise PatternError("invalid repeat count: the limits are the wrong way round")
        self._place = end + 1
        return low, high

    def _part(self, depth: int) -> Node:
        char = self._next("argument")
        match char:
            case "(":
                return self._group(depth)
            case "[":
                return One(self._class())
            case "\\":
                return self._escaped()
            case ".":
                return One(ALPHABET)
            case "^":
                return Border.BEGIN
            case "$":
                return Border.END
            case _:
                return self._literal(ord(char))

    def _group(self, depth: int) -> Node:
        ignores_case = self._ignores_case
        if self._skip("?") and self._is_only_flags():
            return EMPTY
        node = self.choice(depth + 1)
        if not self._skip(")"):
            raise PatternError("missing closing )")
        self._ignores_case = ignores_case
        return Sequence((node,))

    def _is_only_flags(self) -> bool:
        """Read what stands behind `(?`; whether the group ends there."""
        if self._skip("P<") or self._skip("<"):
            self._skip_name()
            return False
        is_on = True
        while (char := self._next("closing )")) not in ":)":
            if char == "-" and is_on:
                is_on = False
            elif char not in _FLAGS:
                raise PatternError("invalid or unsupported Perl syntax")
            elif char == "i":
                self._ignores_case = is_on
        return char == ")"

    def _skip_name(self) -> None:
        """Of a group: letters, digits and underscores, in any order."""
        end = self._text.find(">", self._place)
        name = self._text[self._place : max(end, 0)].replace("_", "a")
        if not (name.isascii() and name.isalnum()):
            raise PatternError("invalid named capture")
        self._place = end + 1

    def _upto(self, sign: str, what: str) -> str:
        end = self._text.find(sign, self._place)
        if end < 0:
            raise PatternError(f"missing {what}")
        text = self._text[self._place : end]
        self._place = end + len(sign)
        return text

    # Characters.

    def _literal(self, code: int) -> One:
        return One(self._cased(within(code, code)))

    def _cased(self, chars: Chars) -> Chars:
        return in_both_cases(chars) if self._ignores_case else chars

    def _quoted(self) -> list[Node]:
        end = self._text.find("\\E", self._place)
        quoted = self._text[self._place :] if end < 0 else self._text[self._place : end]
        self._place += len(quoted) + (0 if end < 0 else 2)
        return [self._literal(ord(char)) for char in quoted]

    def _escaped(self) -> Node:
        char = self._next_escaped()
        borders = {"A": Border.BEGIN, "z": Border.END, "b": Border.WORD, "B": Border.NO_WORD}
        if char in borders:
            return borders[char]
        chars = self._escaped_class(char)
        return self._literal(self._escaped_code(char)) if chars is None else One(chars)

    def _escaped_class(self, char: str) -> Chars | None:
        """`\\d` and its kin, and Unicode's classes."""
        if char in PERL:
            return PERL[char]
        if char not in "pP":
            return None
        name = self._upto("}", "closing }") if self._skip("{") else self._next("class")
        is_not = (char == "P") != name.startswith("^")
        chars = category(name.removeprefix("^"))
        if chars is None:
            raise PatternError(f"invalid character class range: {name}")
        chars = self._cased(chars)
        return ALPHABET - chars if is_not else chars

    def _escaped_code(self, char: str) -> int:
        if char in _CONTROLS:
            return _CONTROLS[char]
        if char == "x":
            return self._hexadecimal()
        if char in "01234567":
            return self._octal(char)
        if char.isascii() and not char.isalnum():
            return ord(char)
        raise PatternError(f"invalid escape sequence: \\{char}")

    def _hexadecimal(self) -> int:
        digits = self._upto("}", "closing }") if self._skip("{") else self._two_digits()
        try:
            code = int(digits, 16)
        except ValueError:
            code = -1
        if not 0 <= code <= 0x10FFFF:
            raise PatternError("invalid escape sequence: \\x")
        return code

    def _two_digits(self) -> str:
        return self._next("digit") + self._next("digit")

    def _octal(self, first: str) -> int:
        """Up to three digits; one alone, but for 0, would be a reference to a group."""
        digits = first
        while len(digits) < 3 and not self.is_done and self._text[self._place] in "01234567":
            digits += self._next("digit")
        if digits == first and first != "0":
            raise PatternError(f"invalid escape sequence: \\{first}")
        return int(digits, 8)

    # Classes in brackets.

    def _class(self) -> Chars:
        is_not = self._skip("^")
        chars: Chars = frozenset()
        is_first = True
        while is_first or not self._peek("]"):
            chars |= self._class_part()
            is_first = False
        self._skip("]")
        chars = self._cased(chars)
        return ALPHABET - chars if is_not else chars

    def _class_part(self) -> Chars:
        if self._skip("[:"):
            return self._posix()
        if self._peek("\\") and (chars := self._class_escape()) is not None:
            return chars
        low = self._class_code()
        if not self._peek("-") or self._peek("-]"):
            return within(low, low)
        self._skip("-")
        high = self._class_code()
        if high < low:
            raise PatternError("invalid character class range")
        return within(low, high)

    def _class_escape(self) -> Chars | None:
        start = self._place
        self._skip("\\")
        chars = self._escaped_class(self._next_escaped())
        if chars is None:
            self._place = start
        return chars

    def _class_code(self) -> int:
        char = self._next("closing ]")
        return self._escaped_code(self._next_escaped()) if char == "\\" else ord(char)

    def _posix(self) -> Chars:
        name = self._upto(":]", "closing ]")
        chars = POSIX.get(name.removeprefix("^"))
        if chars is None:
            raise PatternError(f"invalid character class range: {name}")
        return ALPHABET - chars if name.startswith("^") else chars


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _count(digits: str) -> int:
    """Exact as far as repetitions are allowed: Python refuses to read thousands of digits."""
    return int(digits.lstrip("0")[:DIGITS_READ] or "0")
