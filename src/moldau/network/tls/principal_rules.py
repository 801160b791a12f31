"""Which name in a certificate stands for which principal: `ssl.principal.mapping.rules` (KIP-371).

    RULE:^CN=(.*?),OU=ServiceUsers.*$/$1/,RULE:^.*$/$0/L,DEFAULT

The rules are tried in their order; the first whose pattern fits the whole name replaces it, and `L`
or `U` makes the result small or large. `DEFAULT` leaves the name as it is. With no rule that fits
there is no principal, and the connection is refused; so it is without any rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from moldau.config.refusals import SettingError
from moldau.network.replacing import ReplacementError, replaced

__all__ = ["PrincipalRules"]

SETTING = "ssl.principal.mapping.rules"
_RULE = re.compile(r"(DEFAULT)|RULE:((?:\\.|[^\\/])*)/((?:\\.|[^\\/])*)/([LU]?)")
"""Pattern, replacement and case."""
_PART = re.compile(r"\s*(DEFAULT|RULE:(?:\\.|[^\\/])*/(?:\\.|[^\\/])*/[LU]?.*?|.*?)\s*(?:,\s*|$)")
"""What stands between commas, those within a rule left out."""
_REFERENCE = re.compile(r"\$(\d+)")
CASES: dict[str, Callable[[str], str]] = {"L": str.lower, "U": str.upper, "": str}


class _Rule(NamedTuple):
    pattern: re.Pattern[str]
    replacement: str
    case: str


class PrincipalRules:
    """Made of the setting, or `SettingError`."""

    def __init__(self, text: str) -> None:
        self._rules = [_read(rule) for rule in _split(text)]

    def __repr__(self) -> str:
        return f"PrincipalRules({len(self._rules)})"

    def name_of(self, subject: str) -> str | None:
        """None where no rule fits."""
        for rule in self._rules:
            if rule is None:
                return subject
            if rule.pattern.fullmatch(subject) is not None:
                return _replaced(rule, subject)
        return None


def _split(text: str) -> list[str]:
    return [found[1] for found in _PART.finditer(text.strip()) if found[1]]


def _read(text: str) -> _Rule | None:
    """None stands for the name as it is."""
    found = _RULE.fullmatch(text)
    if found is None:
        raise SettingError(f"Invalid rule in {SETTING}: `{text}`")
    if found[1]:
        return None
    try:
        return _Rule(re.compile(found[2]), found[3], found[4])
    except re.error as error:
        raise SettingError(f"Invalid rule in {SETTING}: `{text}`, {error}") from None


def _replaced(rule: _Rule, subject: str) -> str | None:
    """None where the replacement names what the pattern does not have: Kafka lets no one in then.

    All that the pattern finds is replaced, as in Java: `.*` finds the end of the name once more.
    """
    replacement = _with_literals(rule.replacement, rule.pattern.groups)
    try:
        return CASES[rule.case](replaced(rule.pattern, replacement, subject))
    except ReplacementError:
        return None


def _with_literals(replacement: str, groups: int) -> str:
    """Where there are groups at all, one that is not among them is text; places are Kafka's."""
    if not groups:
        return replacement
    found = replacement
    for reference in _REFERENCE.finditer(replacement):
        number = int(reference[1])
        while number > groups and number >= 10:
            number //= 10
        if number > groups and not reference[1].startswith("0"):
            found = f"{found[: reference.start()]}\\{found[reference.start() :]}"
    return found
