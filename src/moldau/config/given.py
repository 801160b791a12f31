"""Settings as a program gives them: values of Python, under names that may be mistyped.

Settings are texts everywhere else, as in a file. A number, True or False, a path or a list becomes
the text that a file would have; None leaves the setting at its default.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from moldau.config.kinds import show
from moldau.config.nearest import nearest
from moldau.config.refusals import InvalidSettingError, SettingError, UnknownSettingError

__all__ = ["refuse_unknown", "texts"]


def texts(given: object) -> dict[str, str]:
    """The settings as texts, by name, or `SettingError`."""
    if not isinstance(given, Mapping):
        raise SettingError(
            f"settings are a mapping of names to values, such as {{'num.partitions': 3}}, and not "
            f"{given!r}"
        )
    for name in given:
        if not isinstance(name, str):
            raise SettingError(f"the name of a setting is text, and not {name!r}")
    return {name: _text(name, value) for name, value in given.items() if value is not None}


def _text(name: str, value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple):
        return ",".join(_text(name, item) for item in value)
    if isinstance(value, int | float):
        return str(show(value))
    if hasattr(value, "__fspath__"):
        return str(value.__fspath__())
    reason = "it has to be text, a number, True or False, or a list of them"
    raise InvalidSettingError(name, repr(value), reason)


def refuse_unknown(unknown: Iterable[str], known: Iterable[str], whose: str = "") -> None:
    """`UnknownSettingError` for the first of them, with the known name that is most like it."""
    for name in unknown:
        raise UnknownSettingError(name, nearest(name, known), whose)
