"""The settings of a node from a `server.properties` and from the command line.

The command line wins. Names that are no settings are warned about, not refused: a file for Kafka
with plug-ins starts here too. A file that is no text is refused, with its first wrong line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib import import_module

from moldau.config.broker.checks import check
from moldau.config.broker.settings import BrokerSettings
from moldau.config.java_properties import Entry, parse_entries
from moldau.config.own import OwnSettings
from moldau.config.prefixes import is_known
from moldau.config.refusals import SettingError
from moldau.config.without_effect import WITHOUT_EFFECT
from moldau.errors import FileMissingError
from moldau.platform.ports.files import Files, read_whole

__all__ = [
    "FILE_BYTES_MAX",
    "PropertiesFile",
    "node_settings",
    "read_properties",
    "suggestion",
    "warnings",
]

NAME_MAX = 100
"""Characters of a name that a message shows."""
FILE_BYTES_MAX = 1 << 20
"""Far above any file of settings; whatever is larger is something else."""
PLUGINS = (
    "alter.config.policy.class.name",
    "client.quota.callback.class",
    "create.topic.policy.class.name",
)
"""Classes that would forbid something: a file that names one is refused, since none does here."""


NEAREST = "moldau.config.nearest"
"""Imported where a name is written wrongly."""
NO_TEXT = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")
"""Control characters, which no text has; form feeds and tabs are blanks."""
BAD_ESCAPE = re.compile(rb"(?<!\\)(?:\\\\)*\\u(?![0-9a-fA-F]{4})")
LINE_ENDS = re.compile(rb"\r\n|\r|\n")


class PropertiesFile:
    """A file of settings, and where in it each of them is."""

    def __init__(self, path: str, entries: Sequence[Entry]) -> None:
        self.path = path
        self.values: Mapping[str, str] = {entry.key: entry.value for entry in entries}
        self._lines = {entry.key: entry.line for entry in entries}

    def __repr__(self) -> str:
        return f"PropertiesFile({self.path}, {len(self.values)} settings)"

    def where(self, name: str) -> str:
        """`FILE, line N: `, or nothing for what the file does not set."""
        return f"{self.path}, line {self._lines[name]}: " if name in self._lines else ""

    @property
    def first_unknown(self) -> str:
        """A clause about the first name that is no setting; nothing where there is none."""
        for name, line in self._lines.items():
            if name not in OwnSettings.KEYS and not is_known(name, BrokerSettings.KEYS):
                return f"line {line} sets {_shown(name)}, which is no setting{suggestion(name)}"
        return ""


def read_properties(files: Files, path: str) -> PropertiesFile:
    """What the file has, or `SettingError`."""
    status = files.status(path)
    if status is None:
        raise FileMissingError(path, "there is no such file of settings")
    if status.is_directory:
        raise FileMissingError(path, "it is a directory, and not a file of settings")
    if status.size > FILE_BYTES_MAX:
        raise SettingError(f"{path} has {status.size} bytes, too many for a file of settings")
    contents = read_whole(files, path)
    _check_text(path, contents)
    return PropertiesFile(path, list(parse_entries(contents)))


def _check_text(path: str, contents: bytes) -> None:
    if not (NO_TEXT.search(contents) or BAD_ESCAPE.search(contents)):
        return
    for number, line in enumerate(LINE_ENDS.split(contents), start=1):
        odd = NO_TEXT.search(line)
        if odd is not None:
            raise SettingError(
                f"{path}, line {number}: byte {odd[0][0]:#04x} is not text; a file of settings has "
                "a line name=value for each"
            )
        if BAD_ESCAPE.search(line) and not line.lstrip().startswith((b"#", b"!")):
            raise SettingError(f"{path}, line {number}: \\u is followed by four hexadecimal digits")


def suggestion(name: str) -> str:
    """` (did you mean NAME?)` where a setting has nearly that name."""
    found = import_module(NEAREST).nearest(name, (*BrokerSettings.KEYS, *OwnSettings.KEYS))
    return f" (did you mean {found}?)" if found else ""


def _shown(name: str) -> str:
    """A name as one short word of a sentence, whatever was in the file."""
    is_plain = name.isascii() and name.isprintable() and len(name) <= NAME_MAX
    return name if is_plain else ascii(name[:NAME_MAX])


def node_settings(*layers: Mapping[str, str]) -> BrokerSettings:
    """Settings of all layers, later ones winning, or `SettingError`."""
    merged: dict[str, str] = {}
    for layer in layers:
        merged.update(layer)
    if "node.id" not in merged and "broker.id" in merged:
        merged["node.id"] = merged["broker.id"]
    merged.setdefault("broker.id", merged.get("node.id", "-1"))
    settings = BrokerSettings.of(merged)
    check(settings)
    return settings


def warnings(settings: BrokerSettings, file: PropertiesFile | None = None) -> list[str]:
    """One sentence for each thing that will not be as its writer may expect."""

    def where(name: str) -> str:
        return "" if file is None else file.where(name)

    unknown = [
        f"{where(name)}{_shown(name)} is no setting; it is ignored{suggestion(name)}"
        for name in settings.unrecognised()
    ]
    classes = [
        f"{where(name)}{name} names a class of Java, {value}, which cannot run here; it is ignored"
        for name in PLUGINS
        if name in WITHOUT_EFFECT and (value := settings.all_given.get(name))
    ]
    return unknown + classes + _without_effect(settings) + _unwise(settings)


def _without_effect(settings: BrokerSettings) -> list[str]:
    """Of those that were changed from their default; classes are named by themselves."""
    idle = [
        name
        for name in settings.given
        if name in WITHOUT_EFFECT and name not in PLUGINS and not settings.is_default(name)
    ]
    if not idle:
        return []
    first, *others = idle
    return [
        f"{first} has no effect here, because {WITHOUT_EFFECT[first]}"
        + (f"; nor have {', '.join(others)}, see docs/generated/settings.md" if others else "")
    ]


def _unwise(settings: BrokerSettings) -> list[str]:
    if settings.broker_heartbeat_interval_ms * 2 <= settings.broker_session_timeout_ms:
        return []
    return [
        "broker.heartbeat.interval.ms is more than half of broker.session.timeout.ms; one late "
        "heartbeat takes the broker out of service"
    ]
