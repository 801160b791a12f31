"""Durations of ISO 8601 in the form in which Java's `Duration.parse` reads them: `P1DT2H3M4.5S`.

Days, hours, minutes and seconds, in upper or lower case, one of them at least. Each may have a
sign, and so may the whole; only seconds have a fraction, of nine digits at most.

Of reset policies `by_duration:` stands before one: so long ago consumers and share groups begin.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["BY_DURATION", "ago_ms", "duration_ms"]

BY_DURATION: Final = "by_duration:"

_FORM: Final = re.compile(
    r"(?P<sign>[-+])?P(?:(?P<days>[-+]?\d+)D)?"
    r"(?:T(?=.)(?:(?P<hours>[-+]?\d+)H)?(?:(?P<minutes>[-+]?\d+)M)?"
    r"(?:(?P<seconds>[-+]?\d+(?:[.,]\d{0,9})?)S)?)?",
    re.IGNORECASE | re.ASCII,
)
_MS: Final = {"days": 86_400_000, "hours": 3_600_000, "minutes": 60_000, "seconds": 1_000}


def duration_ms(text: str) -> int | None:
    """None where it is none."""
    found = _FORM.fullmatch(text)
    if found is None or not any(found[unit] for unit in _MS):
        return None
    units = ((found[unit] or "0", each) for unit, each in _MS.items())
    total = round(sum(float(count.replace(",", ".")) * each for count, each in units))
    return -total if found["sign"] == "-" else total


def ago_ms(policy: str) -> int | None:
    """How long ago this reset policy begins; None where it is none by a duration."""
    if not policy.lower().startswith(BY_DURATION):
        return None
    found = duration_ms(policy[len(BY_DURATION) :])
    return None if found is None or found < 0 else found
