"""A node's settings as commands are given them: a file, flags of the command, and `--set`.

The last one wins. What is wrong is reported in terms of the command: the file and its line, or the
flag that would help.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from moldau.broker.node.server_properties import PropertiesFile, node_settings
from moldau.config.broker.settings import BrokerSettings
from moldau.config.refusals import InvalidSettingError, MissingSettingError, SettingError

__all__ = ["parse_assignments", "settings_from_file"]

NOTHING: Mapping[str, str] = {}


def parse_assignments(texts: Iterable[str]) -> dict[str, str]:
    """`key=value` of each `--set`, or `SettingError`."""
    found = {}
    for text in texts:
        name, separator, value = text.partition("=")
        if not separator or not name.strip():
            raise SettingError(f"--set takes key=value, not {text!r}")
        found[name.strip()] = value
    return found


def settings_from_file(
    file: PropertiesFile, assigned: Mapping[str, str], flags: Mapping[str, str] = NOTHING
) -> BrokerSettings:
    """The settings of a file, with what flags and `--set` change of it."""
    with _located(file, {**flags, **assigned}):
        return node_settings(file.values, flags, assigned)


@contextmanager
def _located(file: PropertiesFile, overridden: Mapping[str, str]) -> Iterator[None]:
    """Name the file and the line in what is wrong with the file."""
    try:
        yield
    except InvalidSettingError as error:
        where = "" if error.name in overridden else file.where(error.name)
        raise SettingError(f"{where}{error}") from error
    except MissingSettingError as error:
        remedy = f"add a line {error.name}=... to it, or pass --set {error.name}=..."
        hint = f"; {unknown}" if (unknown := file.first_unknown) else ""
        raise SettingError(f"{file.path}: {error}; {remedy}{hint}") from error
