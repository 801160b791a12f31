"""The types that a setting may have: how a text is read, and the number that stands for it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

WHOLE: Final = re.compile(r"[0-9]{1,1000}")
"""Zeros may lead, as in Java; Python itself refuses to read more than 4,300 digits."""


class Kind(NamedTuple):
    """A type by Kafka's name."""

    name: str
    code: int
    """As DescribeConfigs answers it."""
    parse: Callable[[str], Any]
    """Raises ValueError with Kafka's sentence."""


def _whole(name: str, bits: int) -> Callable[[str], int]:
    most = 1 << (bits - 1)

    def parse(text: str) -> int:
        digits = text.removeprefix("-").removeprefix("+")
        if not WHOLE.fullmatch(digits) or not -most <= int(text) < most:
            raise ValueError(f"Not a number of type {name}")
        return int(text)

    return parse


def _boolean(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError("Expected value to be either true or false")
    return text.lower() == "true"


def _double(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError("Not a number of type DOUBLE") from None


def _list(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",")) if text else ()


BOOLEAN = Kind("boolean", 1, _boolean)
STRING = Kind("string", 2, str)
INT = Kind("int", 3, _whole("INT", 32))
SHORT = Kind("short", 4, _whole("SHORT", 16))
LONG = Kind("long", 5, _whole("LONG", 64))
DOUBLE = Kind("double", 6, _double)
LIST = Kind("list", 7, _list)
CLASS = Kind("class", 8, str)
PASSWORD = Kind("password", 9, str)

LARGEST_DOUBLE = 1.7976931348623157e308


def show(value: object) -> str | None:
    """The text that would be read as this value, spelled as Java spells it."""
    match value:
        case None:
            return None
        case bool():
            return "true" if value else "false"
        case tuple():
            return ",".join(value)
        case float():
            return repr(value).upper().replace("E+", "E") if "e" in repr(value) else repr(value)
        case _:
            return str(value)
