"""Replacements as Java writes them: `$1` and `\\`, in rules that make names of other names.

`$` and a number is what that group has found, by as many digits as there is such a group for; `$0`
is all. Behind a backslash stands a character as it is.
"""

from __future__ import annotations

import re

from moldau.errors import MoldauError

__all__ = ["ReplacementError", "replaced"]


class ReplacementError(MoldauError):
    """A replacement that names a group which its pattern does not have, or ends in its middle."""


def replaced(pattern: re.Pattern[str], replacement: str, text: str, *, count: int = 0) -> str:
    """All that the pattern finds, or the first `count` of it; or `ReplacementError`."""
    return pattern.sub(lambda found: _filled(replacement, found), text, count=count)


def _filled(replacement: str, found: re.Match[str]) -> str:
    made: list[str] = []
    at = 0
    while at < len(replacement):
        sign = replacement[at]
        at += 1
        if sign == "$":
            number, at = _group(replacement, at, found.re.groups)
            made.append(found[number] or "")
            continue
        if sign == "\\":
            sign, at = replacement[at : at + 1], at + 1
            if not sign:
                raise ReplacementError(
                    f"{replacement} ends with a backslash, and nothing behind it"
                )
        made.append(sign)
    return "".join(made)


def _group(replacement: str, at: int, groups: int) -> tuple[int, int]:
    """Its number, and where it ends."""
    number, start = 0, at
    while at < len(replacement) and replacement[at] in "0123456789":
        longer = 10 * number + int(replacement[at])
        if at > start and longer > groups:
            break
        number, at = longer, at + 1
    if at == start or number > groups:
        raise ReplacementError(f"{replacement} names a group that its pattern does not have")
    return number, at
