"""Moments as REST writes them: milliseconds since 1970 as ISO 8601, in UTC, and back."""

from __future__ import annotations

import re
from calendar import monthrange, timegm
from typing import Final

from moldau.programs.rest.refusals import bad_request

__all__ = ["iso_time", "time_ms"]

MS_PER_DAY: Final = 86_400_000
MS_PER_HOUR: Final = 3_600_000
MS_PER_MINUTE: Final = 60_000
DAYS_PER_ERA: Final = 146_097
"""Of 400 years, after which the calendar repeats."""
DAYS_BEFORE_1970: Final = 719_468
"""Since the first of March of the year 0."""
DAYS_PER_FIVE_MONTHS: Final = 153
MARCH: Final = 3
MONTHS: Final = 12
MINUTE_MAX: Final = 59
LAST_SECOND: Final = (23, 59, 59)
_ISO: Final = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)"
)


def iso_time(ms: int) -> str:
    """`2026-01-31T12:00:00.250Z`, with milliseconds only where there are some."""
    days, rest = divmod(ms, MS_PER_DAY)
    year, month, day = _date(days)
    hours, rest = divmod(rest, MS_PER_HOUR)
    minutes, rest = divmod(rest, MS_PER_MINUTE)
    seconds, fraction = divmod(rest, 1000)
    tail = f".{fraction:03}" if fraction else ""
    return f"{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}{tail}Z"


def time_ms(given: object) -> int:
    """The milliseconds of such a text, or milliseconds as they are."""
    if isinstance(given, int) and not isinstance(given, bool):
        return given
    match = _ISO.fullmatch(given) if isinstance(given, str) else None
    if match is None:
        raise bad_request(f"a timestamp is like 2026-01-31T12:00:00Z, and not {given!r}")
    year, month, day, hour, minute = map(int, match.groups()[:5])
    second, fraction = int(match[6] or 0), (match[7] or "0").ljust(3, "0")[:3]
    is_day = year > 0 and 1 <= month <= MONTHS and 1 <= day <= monthrange(year, month)[1]
    if not is_day or (hour, minute, second) > LAST_SECOND or max(minute, second) > MINUTE_MAX:
        raise bad_request(f"there is no such moment as {given}")
    at = timegm((year, month, day, hour, minute, second)) * 1000 + int(fraction)
    return at - _zone_ms(match[8])


def _zone_ms(zone: str) -> int:
    if zone == "Z":
        return 0
    ahead = int(zone[1:3]) * MS_PER_HOUR + int(zone[-2:]) * MS_PER_MINUTE
    return -ahead if zone[0] == "-" else ahead


def _date(days: int) -> tuple[int, int, int]:
    """Year, month and day; years begin in March here, so that a leap day is their last one."""
    era, day = divmod(days + DAYS_BEFORE_1970, DAYS_PER_ERA)
    year = (day - day // 1460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // DAYS_PER_FIVE_MONTHS
    day -= (DAYS_PER_FIVE_MONTHS * month + 2) // 5
    of_calendar = (month + MARCH - 1) % 12 + 1
    return year + era * 400 + (of_calendar < MARCH), of_calendar, day + 1
