"""Changing settings of topics, brokers and groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from moldau.client.admin import ConfigChange, ConfigEntry, ConfigResource, ConfigSource
from moldau.programs.console.changes.change import NUMBER, Change, Difference, Given, Kind
from moldau.programs.console.changes.commands import command_line
from moldau.programs.console.changes.topics import text_map
from moldau.programs.console.reach import Reach
from moldau.programs.rest.bodies import field_of, maybe_field
from moldau.programs.rest.refusals import bad_request

__all__ = ["SETTING_KINDS"]

OWN: Final = {
    "topic": ConfigSource.TOPIC,
    "broker": ConfigSource.BROKER,
    "group": ConfigSource.GROUP,
}
"""Where a value lies that was set for the one thing itself."""


async def _alter(reach: Reach, given: Given) -> Change:
    """Set some settings, and give up others; all of them or none."""
    kind, name = field_of(given, "of", str), field_of(given, "name", str)
    resource = _resource(kind, name)
    changes = _changes(given)
    call = {resource: changes}
    (await reach.admin.incremental_alter_configs(call, validate_only=True)).all()
    entries = (await reach.admin.describe_configs(resource))[resource]

    async def run() -> None:
        (await reach.admin.incremental_alter_configs(call)).all()

    return Change(
        command_line(reach.settings, "configs", *_words(kind, name, changes)),
        [_difference(setting, change, entries) for setting, change in changes.items()],
        run,
        undo=("alter-configs", {"of": kind, "name": name, **_undo(kind, changes, entries)}),
    )


def _resource(kind: str, name: str) -> ConfigResource:
    if kind == "topic":
        return ConfigResource.topic(name)
    if kind == "group":
        return ConfigResource.group(name)
    if kind == "broker" and NUMBER.fullmatch(name):
        return ConfigResource.broker(int(name))
    raise bad_request("settings are of a topic, a broker (its number) or a group")


def _changes(given: Given) -> dict[str, ConfigChange]:
    found = {name: ConfigChange.set(value) for name, value in text_map(given, "set").items()}
    for name in maybe_field(given, "delete", list) or []:
        found[str(name)] = ConfigChange.delete()
    if not found:
        raise bad_request("name a setting in `set` or in `delete`")
    return found


def _words(kind: str, name: str, changes: Mapping[str, ConfigChange]) -> list[str]:
    added = [
        f"{key}={_grouped(one.value)}" for key, one in changes.items() if one.value is not None
    ]
    deleted = [key for key, one in changes.items() if one.value is None]
    words = ["--alter", f"--{kind}", name]
    words += ["--add-config", ",".join(added)] if added else []
    return [*words, "--delete-config", ",".join(deleted)] if deleted else words


def _grouped(value: str) -> str:
    """A list is written in brackets, as its commas would divide settings."""
    return f"[{value}]" if "," in value else value


def _difference(name: str, change: ConfigChange, entries: Mapping[str, ConfigEntry]) -> Difference:
    known = entries.get(name)
    before = None if known is None else ("•••" if known.is_sensitive else known.value)
    after = "the default" if change.value is None else change.value
    return Difference(name, before, "•••" if known is not None and known.is_sensitive else after)


def _undo(
    kind: str, changes: Mapping[str, ConfigChange], entries: Mapping[str, ConfigEntry]
) -> dict[str, object]:
    was_set = {
        name: entry.value
        for name in changes
        if (entry := entries.get(name)) is not None
        and entry.source is OWN[kind]
        and entry.value is not None
    }
    return {"set": was_set, "delete": [name for name in changes if name not in was_set]}


SETTING_KINDS: Final = (
    Kind(
        "alter-configs",
        "Set settings and give up others",
        {"of": "string", "name": "string", "set": "object?", "delete": "array?"},
        _alter,
    ),
)
