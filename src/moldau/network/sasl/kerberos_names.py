"""Short names of Kerberos principals, as `sasl.kerberos.principal.to.local.rules` has them.

    DEFAULT                                 alice@OUR.REALM is alice, and so is alice/host@OUR.REALM
    RULE:[n:format](pattern)s/from/to/g/L   for names of n components: $0 is the realm, $1 and $2
                                            are the components; all behind ] may be left out

The first rule that matches has the name; where none does the login fails. A name that still has a
/ or @ after its rule is refused: it would be taken for another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from moldau.errors import MoldauError
from moldau.network.replacing import ReplacementError, replaced
from moldau.network.sasl.dialogue import SaslError

__all__ = ["NameRule", "NameRuleError", "local_name", "parse_name_rules"]

_NAME = re.compile(r"([^/@]*)(?:/([^/@]*))?@([^/@]*)")
_RULE = re.compile(
    r"(DEFAULT)|RULE:\[(\d{1,9}):([^\]]*)\](?:\(([^)]*)\))?(?:s/([^/]*)/([^/]*)/(g)?)?/?([LU])?"
)
_PARAMETER = re.compile(r"\$(\d*)")
_NOT_SIMPLE = re.compile(r"[/@]")
DIGITS_MAX = 9


class NameRuleError(MoldauError):
    """A rule that cannot be read."""


class NameRule(NamedTuple):
    """One of them, taken apart; DEFAULT is the one without a format."""

    text: str
    components: int = 0
    form: str | None = None
    pattern: re.Pattern[str] | None = None
    before: re.Pattern[str] | None = None
    after: str = ""
    repeats: bool = False
    case: str = ""

    def apply(self, parts: list[str], default_realm: str) -> str | None:
        """The short name; None where the rule is for other names. `parts[0]` is the realm."""
        found = self._match(parts, default_realm)
        if found is None:
            return None
        if _NOT_SIMPLE.search(found):
            raise SaslError(f"the rule {self.text} makes the name {found}, which is not simple")
        return found.lower() if self.case == "L" else found.upper() if self.case == "U" else found

    def _match(self, parts: list[str], default_realm: str) -> str | None:
        if self.form is None:
            return parts[1] if parts[0] == default_realm else None
        if len(parts) - 1 != self.components:
            return None
        base = _PARAMETER.sub(lambda number: _part(parts, number[1]), self.form)
        if self.pattern is not None and not self.pattern.fullmatch(base):
            return None
        if self.before is None:
            return base
        try:
            return replaced(self.before, self.after, base, count=0 if self.repeats else 1)
        except ReplacementError as error:
            raise SaslError(f"the rule {self.text} cannot be applied: {error}") from None


def _part(parts: list[str], number: str) -> str:
    if not number or len(number) > DIGITS_MAX or int(number) >= len(parts):
        raise SaslError(
            f"a rule names ${number}, and the principal has {len(parts) - 1} components"
        )
    return parts[int(number)]


def parse_name_rules(texts: Iterable[str]) -> tuple[NameRule, ...]:
    return tuple(_rule(text.strip()) for text in texts)


def _rule(text: str) -> NameRule:
    match = _RULE.fullmatch(text)
    if match is None:
        raise NameRuleError(
            f"sasl.kerberos.principal.to.local.rules has {text}, which is neither DEFAULT nor "
            "RULE:[n:format](pattern)s/from/to/"
        )
    if match[1]:
        return NameRule(text)
    try:
        pattern = None if match[4] is None else re.compile(match[4])
        before = None if match[5] is None else re.compile(match[5])
    except re.error as error:
        raise NameRuleError(f"sasl.kerberos.principal.to.local.rules has {text}: {error}") from None
    return NameRule(
        text,
        int(match[2]),
        match[3],
        pattern,
        before,
        match[6] or "",
        bool(match[7]),
        match[8] or "",
    )


def local_name(principal: str, rules: Iterable[NameRule], default_realm: str) -> str:
    """By the first rule that matches, or `SaslError`."""
    match = _NAME.fullmatch(principal)
    if match is None:
        if "@" in principal:
            raise SaslError(f"{principal} is no name of Kerberos")
        return principal
    first, host, realm = match.groups()
    parts = [realm, first] if host is None else [realm, first, host]
    for rule in rules:
        found = rule.apply(parts, default_realm)
        if found is not None:
            return found
    raise SaslError(f"no rule of sasl.kerberos.principal.to.local.rules has a name for {principal}")
