"""Flags as Kafka's tools take them, which are those of the library joptsimple.

A flag is `--topic orders` or `--topic=orders`, and one dash does as well as two. Names are never
abbreviated. A flag that takes a value takes the next word whatever it looks like; one that may do
without takes it only if it does not begin with a dash. Whatever is no flag is kept in `others`, and
most tools ignore it. Each message is Kafka's, since scripts look for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from importlib import import_module

from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.tools.command import FORMATS

__all__ = [
    "OUTPUT",
    "Flag",
    "Given",
    "Takes",
    "WrongUsageError",
    "WrongValueError",
    "nearest_words",
    "not_converted",
    "only_one_of",
    "parse",
    "refuse_unavailable",
    "unrecognized",
]

LONG_MAX = 2**63 - 1
INT_MAX = 2**31 - 1
SIMILARITY_MIN = 0.6
SHORT_HELP = "-h"
"""Of some of Kafka's tools; here of all."""


class Takes(Enum):
    """What follows a flag."""

    NOTHING = "nothing"
    TEXT = "text"
    MAYBE = "maybe a text"
    MANY = "texts up to the next flag"
    INT = "a whole number of 32 bits"
    LONG = "a whole number of 64 bits"


JAVA_NUMBERS = {Takes.INT: "Integer", Takes.LONG: "Long"}


class WrongUsageError(MoldauError):
    """The words of the command line do not fit together."""

    def __init__(self, message: str, hint: str = "", *, of_argparse4j: str = "") -> None:
        super().__init__(message)
        self.hint = hint
        self.of_argparse4j = of_argparse4j
        """What it is called by those of Kafka's tools that read their words with that library."""


class WrongValueError(WrongUsageError):
    """A flag's value cannot be what the flag takes; found when it is looked at, as in Kafka's."""


@dataclass(frozen=True, slots=True)
class Flag:
    """One flag of a tool."""

    name: str
    """Without its dashes."""
    help: str
    takes: Takes = Takes.NOTHING
    shown: str = ""
    """What stands for its value in help."""
    default: str | None = None
    instead: str | None = None
    """Of an old spelling: the flag that has taken its place."""
    choices: Sequence[str] = ()
    """Values that a shell offers."""


HELP = Flag("help", "Show the flags.")
VERSION = Flag("version", "Show the version of Kafka whose tool this is.")
OUTPUT = Flag(
    "output",
    "Show what is found as table, wide, json, yaml or csv, and not as Kafka does.",
    Takes.TEXT,
    "FORMAT",
    choices=FORMATS,
)


class Given:
    """What the flags of one call are."""

    def __init__(self, flags: Iterable[Flag]) -> None:
        self._flags = {flag.name: flag for flag in flags}
        self._found: dict[str, list[str]] = {}
        self.others: list[str] = []
        self.words: list[str] = []
        """All words of the call."""
        self.order: list[str] = []
        """Names of the flags, one after the other."""
        self.action = ""
        """The word of a tool that has `SUBCOMMANDS`."""

    def __repr__(self) -> str:
        return f"<Given: {self._found!r}, {self.others!r}>"

    def add(self, name: str, value: str | None = None) -> None:
        self.order.append(name)
        values = self._found.setdefault(name, [])
        if value is not None:
            values.append(value)

    def knows(self, name: str) -> bool:
        """Whether it is a flag of this tool."""
        return name in self._flags

    def older_of(self, name: str) -> str | None:
        """The older spelling by which this flag is given."""
        older = (one.name for one in self._flags.values() if one.instead == name)
        return next((one for one in older if self.has(one)), None)

    def has(self, name: str) -> bool:
        assert name in self._flags, f"{name} is no flag of this tool"
        return name in self._found

    def texts(self, name: str) -> list[str]:
        """All values, of a flag that may be repeated."""
        assert name in self._flags, f"{name} is no flag of this tool"
        return self._found.get(name, [])

    def text(self, name: str) -> str | None:
        """The only value, or the default."""
        values = self.texts(name)
        if len(values) > 1:
            raise WrongValueError(
                f"Found multiple arguments for option {name}, but you asked for only one"
            )
        return values[0] if values else self._flags[name].default

    def number(self, name: str) -> int | None:
        text = self.text(name)
        if text is None:
            return None
        most = INT_MAX if self._flags[name].takes is Takes.INT else LONG_MAX
        digits = text.removeprefix("-").removeprefix("+")
        if digits.isascii() and digits.isdigit() and -most - 1 <= int(text) <= most:
            return int(text)
        raise WrongValueError(
            f"Cannot parse argument '{text}' of option {name}",
            of_argparse4j=not_converted(name, text, JAVA_NUMBERS[self._flags[name].takes]),
        )

    def need(self, *names: str) -> None:
        """All of these."""
        for name in names:
            if not self.has(name):
                raise WrongUsageError(f'Missing required argument "[{name}]"')

    def refuse(self, used: str, others: Iterable[str]) -> None:
        """None of the others beside the one."""
        for other in others:
            if self.has(used) and self.has(other):
                raise WrongUsageError(f'Option "[{used}]" can\'t be used with option "[{other}]"')


def not_converted(name: str, text: str, kind: str) -> str:
    return f"argument --{name}: could not convert '{text}' to {kind} (For input string: \"{text}\")"


def unrecognized(word: str) -> str:
    return f"unrecognized arguments: '{word}'"


def parse(flags: Sequence[Flag], words: Sequence[str]) -> Given:
    """What the words are, or `WrongUsageError`."""
    by_name = {flag.name: flag for flag in flags}
    given = Given(flags)
    given.words = list(words)
    left = list(words)
    while left:
        word = left.pop(0)
        if word == "--":
            given.others += left
            return given
        if not word.startswith("-") or word == "-":
            given.others.append(word)
            continue
        name, equals, value = word.lstrip("-").partition("=")
        if word == SHORT_HELP:
            name = HELP.name
        if name not in by_name:
            raise WrongUsageError(
                f"{name} is not a recognized option",
                _meant(name, by_name),
                of_argparse4j=unrecognized(word),
            )
        _take(given, by_name[name], value if equals else None, left)
    return given


def _take(given: Given, flag: Flag, value: str | None, left: list[str]) -> None:
    if flag.takes is Takes.NOTHING:
        given.add(flag.name)
    elif value is not None:
        given.add(flag.name, value)
    elif flag.takes is Takes.MAYBE:
        given.add(flag.name, left.pop(0) if left and not left[0].startswith("-") else None)
    elif flag.takes is Takes.MANY and left:
        given.add(flag.name, left.pop(0))
        while left and not left[0].startswith("-"):
            given.add(flag.name, left.pop(0))
    elif left:
        given.add(flag.name, left.pop(0))
    else:
        raise WrongUsageError(
            f"Option {flag.name} requires an argument",
            of_argparse4j=f"argument --{flag.name}: expected one argument",
        )


def _meant(name: str, names: Iterable[str]) -> str:
    starts = [one for one in names if name and one.startswith(name)]
    found = starts or nearest_words(name, names)
    return f"Did you mean --{found[0]}?" if found else ""


def nearest_words(word: str, names: Iterable[str]) -> list[str]:
    """The one of `names` that is most like `word`, or none."""
    find = import_module("difflib").get_close_matches  # not needed where all words are right
    found: list[str] = find(word, list(names), 1, SIMILARITY_MIN)
    return found


def refuse_unavailable(given: Given, needs: Mapping[str, Sequence[str]]) -> None:
    """A flag without any of those that it needs beside it."""
    lacking = [
        name
        for name, others in needs.items()
        if given.has(name) and not any(given.has(other) for other in others)
    ]
    if lacking:
        raise WrongUsageError(
            f"Option(s) [{', '.join(lacking)}] are unavailable given other options on the command "
            "line"
        )


def only_one_of(given: Given, names: Sequence[str], message: str) -> str:
    """The one that is given, or wrong usage with this message."""
    found = [name for name in names if given.has(name)]
    if len(found) != 1:
        raise WrongUsageError(message)
    return found[0]
