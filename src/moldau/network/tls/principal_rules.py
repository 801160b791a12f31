"""Which name in a certificate stands for which principal: `ssl.principal.mapping.rules` (KIP-371).

    RULE:^CN=(.*?),OU=ServiceUsers.*$/$1/,RULE:^.*$/$0/L,DEFAULT

The rules are tried in their order; the first whose pattern fits the whole name replaces it, and `L`
or `U` makes the result small or large. `DEFAULT` leaves the name as it is. With no rule that fits
there is no principal, and the connection is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from moldau.config.refusals import SettingError

__all__ = ["PrincipalRules"]

SETTING = "ssl.principal.mapping.rules"
DEFAULT = "DEFAULT"
_RULE = re.compile(r"(DEFAULT)|RULE:((?:\\.|[^\\/])*)/((?:\\.|[^\\/])*)/([LU]?)")
"""Pattern, replacement and case."""
_PART = re.compile(r"\s*(DEFAULT|RULE:(?:\\.|[^\\/])*/(?:\\.|[^\\/])*/[LU]?.*?|.*?)\s*(?:,\s*|$)")
"""What stands between commas, those within a rule left out."""
_REFERENCE = re.compile(r"\$(\d)|\\(.)", re.DOTALL)
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
            found = rule.pattern.fullmatch(subject)
            if found is not None:
                return CASES[rule.case](_replaced(found, rule.replacement))
        return None


def _split(text: str) -> list[str]:
    rules = [found[1] for found in _PART.finditer(text.strip())]
    return [rule for rule in rules if rule] or [DEFAULT]


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


def _replaced(found: re.Match[str], replacement: str) -> str:
    """With `$1` for what the first group has found, as in Java."""

    def one(reference: re.Match[str]) -> str:
        if reference[2] is not None:
            return reference[2]
        return found[int(reference[1])] or ""

    return _REFERENCE.sub(one, replacement)
