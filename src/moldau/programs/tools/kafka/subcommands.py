"""Tools whose first word is the action, which in Java use the library argparse4j.

`features upgrade --feature share.version=1`: flags of the tool may stand before the word and after
it, and the flags of the word come after it. A flag may be abbreviated as far as it is clear, and
some have a form of one letter. What `Given` then holds is the flags of both, and the word as
`action`.
"""

from __future__ import annotations

from collections.abc import Sequence

from moldau.platform.quick_dataclass import dataclass
from moldau.programs.tools.kafka.flags import (
    HELP,
    VERSION,
    Flag,
    Given,
    Takes,
    WrongUsageError,
    nearest_words,
)

__all__ = ["Action", "Actions", "parse_action"]

LETTERS = {"h": HELP.name, "v": VERSION.name}
"""Those of every tool."""
INT_MAX = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Action:
    """One word, with its flags."""

    name: str
    help: str
    flags: tuple[Flag, ...] = ()
    needs: tuple[str, ...] = ()
    """Flags that must be there."""
    letters: tuple[tuple[str, str], ...] = ()
    """Letters, and the flags that they stand for."""


@dataclass(frozen=True, slots=True)
class Actions:
    """All words of a tool."""

    choices: tuple[Action, ...]
    complaint: str
    """How wrong usage is reported, with {} for what is wrong."""


def parse_action(flags: Sequence[Flag], actions: Actions, words: Sequence[str]) -> Given:
    """What the words are, or `WrongUsageError`."""
    of_actions = [flag for one in actions.choices for flag in one.flags]
    given = Given([*flags, *of_actions])
    try:
        _check(given, _read(given, flags, actions, list(words)))
    except WrongUsageError as error:
        raise WrongUsageError(actions.complaint.format(error), error.hint) from None
    return given


def _read(given: Given, flags: Sequence[Flag], actions: Actions, left: list[str]) -> Action | None:
    known = {flag.name: flag for flag in flags}
    chosen: Action | None = None
    while left:
        word = left.pop(0)
        if word.startswith("-") and word != "-":
            letters = {} if chosen is None else dict(chosen.letters)
            _take(given, known, letters, word, left)
        elif chosen is None:
            chosen = _chosen(word, actions)
            given.action = chosen.name
            known |= {flag.name: flag for flag in chosen.flags}
        else:
            raise WrongUsageError(f"unrecognized arguments: '{word}'")
    return chosen


def _chosen(word: str, actions: Actions) -> Action:
    names = [action.name for action in actions.choices]
    for action in actions.choices:
        if action.name == word:
            return action
    choices = ", ".join(f"'{name}'" for name in names)
    near = nearest_words(word, names)
    hint = f"Did you mean {near[0]}?" if near else ""
    raise WrongUsageError(f"invalid choice: '{word}' (choose from {choices})", hint)


def _take(
    given: Given, known: dict[str, Flag], letters: dict[str, str], word: str, left: list[str]
) -> None:
    name, equals, value = word.lstrip("-").partition("=")
    name = letters.get(name) or LETTERS.get(name, name)
    found = [name] if name in known else [one for one in known if one.startswith(name)]
    if not found or (not word.startswith("--") and found != [name]):
        near = nearest_words(name, known)
        hint = f"Did you mean --{near[0]}?" if near else ""
        raise WrongUsageError(f"unrecognized arguments: '{word}'", hint)
    if len(found) > 1:
        could = ", ".join(f"--{one}" for one in sorted(found))
        raise WrongUsageError(f"ambiguous option: {word} could match {could}")
    flag = known[found[0]]
    if flag.takes is Takes.NOTHING:
        given.add(flag.name)
        return
    if not equals:
        if not left or left[0].startswith("--"):
            raise WrongUsageError(f"argument --{flag.name}: expected one argument")
        value = left.pop(0)
    _check_number(flag, _shown(flag.name, letters), value)
    given.add(flag.name, value)


def _shown(name: str, letters: dict[str, str]) -> str:
    letter = next((letter for letter, meant in letters.items() if meant == name), None)
    return f"--{name}" if letter is None else f"--{name}/-{letter}"


def _check_number(flag: Flag, shown: str, value: str) -> None:
    """Java's name of the type, and its own complaint."""
    if flag.takes is Takes.TEXT:
        return
    kind = "Integer" if flag.takes is Takes.INT else "Long"
    digits = value.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        raise WrongUsageError(
            f"argument {shown}: could not convert '{value}' to {kind} "
            f'(For input string: "{value}")'
        )


def _check(given: Given, action: Action | None) -> None:
    if given.has(HELP.name) or given.has(VERSION.name):
        return
    if action is None:
        raise WrongUsageError("too few arguments")
    for name in action.needs:
        if not given.has(name):
            raise WrongUsageError(f"argument {_shown(name, dict(action.letters))} is required")
