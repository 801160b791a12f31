"""Settings of a pipeline: a frozen dataclass whose fields say what they mean.

    @dataclass(frozen=True, kw_only=True)
    class EtlSettings:
        size_max: int = setting(1_048_576, "a larger value goes to the dead letters")

From that come `--set size_max=1000`, its checks, and what `moldau pipeline show` prints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import Field, field, fields
from difflib import get_close_matches
from inspect import get_annotations
from typing import Any, TypeVar

from moldau.programs.pipelines.errors import SettingError

__all__ = ["described", "read_settings", "setting"]

Value = TypeVar("Value", str, int, bool)
Settings = TypeVar("Settings")
NUMBER_MAX = 2**31 - 1
"""Spark's own numbers end there."""
DIGITS_MAX = 10


def setting(
    default: Value, description: str, *, among: Sequence[str] = (), least: int = 0
) -> Value:
    """A field with its default, and what it means; `among` are all values it may have."""
    known = {"description": description, "among": tuple(among), "least": least}
    made: Value = field(default=default, metadata=known)
    return made


def read_settings(kind: type[Settings], given: Sequence[str]) -> Settings:
    """The settings with what `NAME=VALUE` pairs change."""
    known = {found.name: found for found in _fields(kind)}
    values: dict[str, str | int | bool] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise SettingError(f"--set takes NAME=VALUE, and not {text!r}")
        if name not in known:
            near = get_close_matches(name, known, 1)
            meant = f"did you mean {near[0]}? " if near else ""
            raise SettingError(f"there is no setting {name}: {meant}known are {', '.join(known)}")
        values[name] = _read(known[name], value)
    return kind(**values)


def described(kind: type[Any]) -> Iterator[tuple[str, str, str]]:
    """Each setting: its name, its default as text, and what it means."""
    for found in _fields(kind):
        yield found.name, _written(found.default), found.metadata["description"]


def _fields(kind: type[Any]) -> list[Field[Any]]:
    """Its own before those that it shares with others."""
    shared = [get_annotations(each) for each in kind.__mro__]

    def distance(found: Field[Any]) -> int:
        return next(index for index, names in enumerate(shared) if found.name in names)

    return sorted(fields(kind), key=distance)


def _read(found: Field[Any], value: str) -> str | int | bool:
    among = found.metadata["among"]
    if among and value not in among:
        raise SettingError(f"{found.name} is one of {', '.join(among)}, and not {value!r}")
    return _READERS[type(found.default)](found, value)


def _read_number(found: Field[Any], value: str) -> int:
    digits, least = value.replace("_", ""), found.metadata["least"]
    is_number = digits.isascii() and digits.isdecimal() and len(digits) <= DIGITS_MAX
    if not is_number or not least <= int(digits) <= NUMBER_MAX:
        raise SettingError(
            f"{found.name} is a whole number from {least} to {NUMBER_MAX}, and not {value!r}"
        )
    return int(digits)


def _read_truth(found: Field[Any], value: str) -> bool:
    if value not in ("true", "false"):
        raise SettingError(f"{found.name} is true or false, and not {value!r}")
    return value == "true"


def _read_text(found: Field[Any], value: str) -> str:
    return value


_READERS: Mapping[type, Callable[[Field[Any], str], str | int | bool]] = {
    bool: _read_truth,
    int: _read_number,
    str: _read_text,
}


def _written(default: object) -> str:
    if isinstance(default, bool):
        return str(default).lower()
    return str(default) if default != "" else "(nothing)"
