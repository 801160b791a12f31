"""Changing settings of topics, brokers and groups."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final

from moldau.client.admin import ConfigChange, ConfigEntry, ConfigResource, ConfigSource
from moldau.programs.console.changes.change import NUMBER, Change, Difference, Given, Kind
from moldau.programs.console.changes.commands import command_line, secret
from moldau.programs.console.changes.topics import text_map
from moldau.programs.console.reach import Reach
from moldau.programs.rest.bodies import field_of, maybe_field
from moldau.programs.rest.refusals import bad_request

__all__ = ["SETTING_KINDS"]

EVERY: Final = ""
"""The name of all brokers, in Kafka's protocol as well."""
OWN: Final = {
    "topic": ConfigSource.TOPIC,
    "broker": ConfigSource.BROKER,
    "group": ConfigSource.GROUP,
}
"""Where a value lies that was set for the one thing itself."""
SECRET: Final = re.compile(r"(password|jaas\.config|secret|ssl\.keystore\.key)$")
HIDDEN: Final = "…"
BROKERS_END: Final = 2**31
NOT_RESTORED: Final = "Its former value is not shown, so it cannot be restored from here."


async def _alter(reach: Reach, given: Given) -> Change:
    """Set some settings, and remove others; all of them or none."""
    kind, name = field_of(given, "of", str), field_of(given, "name", str)
    resource = _resource(kind, name)
    changes = _changes(given)
    call = {resource: changes}
    (await reach.admin.incremental_alter_configs(call, validate_only=True)).all()
    entries = (await reach.admin.describe_configs(resource))[resource]
    secrets = {one for one in changes if _is_secret(one, entries)}
    is_every = (kind, name) == ("broker", EVERY)
    own = ConfigSource.ALL_BROKERS if is_every else OWN[kind]

    async def run() -> None:
        (await reach.admin.incremental_alter_configs(call)).all()

    words = ["--alter", *(["--broker-defaults"] if is_every else [f"--{kind}", name])]
    return Change(
        command_line(reach.settings, "configs", *words, *_words(changes, secrets)),
        [
            _difference(one, change, entries, is_secret=one in secrets)
            for one, change in changes.items()
        ],
        run,
        warning=NOT_RESTORED if secrets else None,
        undo=None
        if secrets
        else ("alter-configs", {"of": kind, "name": name, **_undo(own, changes, entries)}),
    )


def _is_secret(name: str, entries: Mapping[str, ConfigEntry]) -> bool:
    """What is not set for all brokers, or has a listener's name before it, is known by its own."""
    known = entries.get(name)
    return SECRET.search(name) is not None or (known is not None and known.is_sensitive)


def _resource(kind: str, name: str) -> ConfigResource:
    if kind == "topic":
        return ConfigResource.topic(name)
    if kind == "group":
        return ConfigResource.group(name)
    if kind == "broker" and name == EVERY:
        return ConfigResource.broker()
    if kind == "broker" and NUMBER.fullmatch(name) and int(name) < BROKERS_END:
        return ConfigResource.broker(int(name))
    raise bad_request("settings are of a topic, a broker (its number; none: all) or a group")


def _changes(given: Given) -> dict[str, ConfigChange]:
    found = {name: ConfigChange.set(value) for name, value in text_map(given, "set").items()}
    for name in maybe_field(given, "delete", list) or []:
        if not isinstance(name, str):
            raise bad_request("delete has names of settings")
        found[name] = ConfigChange.delete()
    if not found:
        raise bad_request("name a setting in `set` or in `delete`")
    return found


def _words(changes: Mapping[str, ConfigChange], secrets: Collection[str]) -> list[str]:
    added = [
        f"{name}={_grouped(one.value, secret(name) if name in secrets else one.value)}"
        for name, one in changes.items()
        if one.value is not None
    ]
    deleted = [name for name, one in changes.items() if one.value is None]
    words = ["--add-config", ",".join(added)] if added else []
    return [*words, "--delete-config", ",".join(deleted)] if deleted else words


def _grouped(value: str, word: str) -> str:
    """A list is written in brackets, as its commas would divide settings."""
    return f"[{word}]" if "," in value else word


def _difference(
    name: str, change: ConfigChange, entries: Mapping[str, ConfigEntry], *, is_secret: bool
) -> Difference:
    known = entries.get(name)
    before = None if known is None else HIDDEN if is_secret else known.value
    after = "the default" if change.value is None else HIDDEN if is_secret else change.value
    return Difference(name, before, after)


def _undo(
    own: ConfigSource, changes: Mapping[str, ConfigChange], entries: Mapping[str, ConfigEntry]
) -> dict[str, object]:
    was_set = {
        name: entry.value
        for name in changes
        if (entry := entries.get(name)) is not None
        and entry.source is own
        and entry.value is not None
    }
    return {"set": was_set, "delete": [name for name in changes if name not in was_set]}


SETTING_KINDS: Final = (
    Kind(
        "alter-configs",
        "Set settings and remove others",
        {"of": "string", "name": "string", "set": "object?", "delete": "array?"},
        _alter,
    ),
)
