"""`moldau client-metrics`: which metrics clients send to their brokers (KIP-714)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from moldau.client.admin import ConfigResource, ResourceType
from moldau.errors import MoldauError
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import BOOTSTRAP, COMMAND_CONFIG, DRY_RUN, admin_of
from moldau.programs.tools.kafka.flags import OUTPUT, Flag, Given, Takes, only_one_of
from moldau.programs.tools.kafka.java_errors import cause_of
from moldau.programs.tools.kafka.java_order import in_java_order
from moldau.programs.tools.kafka.tool import ToolFailedError
from moldau.protocol.wire.uuids import new_uuid, uuid_text

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = ["FLAGS", "run"]

ACTIONS = ("alter", "delete", "describe", "list")
ACTIONS_WANTED = "Command must include exactly one action: --alter, --delete, --describe or --list."
SETTINGS = {"metrics": "metrics", "interval": "interval.ms", "match": "match"}
"""Flags, and the settings that they change."""
FAILED = 1

HEADS = ("NAME", "KEY", "VALUE")

FLAGS = (
    OUTPUT,
    BOOTSTRAP,
    COMMAND_CONFIG,
    Flag("alter", "Change what is sent."),
    Flag("delete", "Have it sent no more."),
    Flag("describe", "Show what is sent, by this name or by all."),
    Flag("list", "List names."),
    Flag("name", "What it is called.", Takes.TEXT, "NAME"),
    Flag("generate-name", "Make up a name."),
    Flag("metrics", "Beginnings of names of metrics.", Takes.TEXT, "NAME,..."),
    Flag("interval", "How often they are sent (ms); empty for the default.", Takes.TEXT, "MS"),
    Flag("match", "Which clients send them: client_id=app.*,...", Takes.TEXT, "KEY=REGEX,..."),
    DRY_RUN,
)


def run(given: Given, world: World) -> int:
    action = only_one_of(given, ACTIONS, ACTIONS_WANTED)
    if not given.has(BOOTSTRAP.name):
        raise ToolFailedError("--bootstrap-server must be specified.")
    _check(given, action)
    try:
        with admin_of(given, world) as admin:
            _act(given, action, admin, world)
    except ToolFailedError:
        raise
    except MoldauError as error:
        print(f"Error while executing client metrics command : {cause_of(error)}", file=world.out)
        return FAILED
    return 0


def _check(given: Given, action: str) -> None:
    if action == "alter" and given.has("name") == given.has("generate-name"):
        raise ToolFailedError("One of --name or --generate-name must be specified with --alter.")
    if action == "delete" and not given.has("name") and not given.has("generate-name"):
        raise ToolFailedError("A client metrics resource name must be specified with --delete.")
    interval = given.text("interval")
    if interval and not interval.lstrip("-").isdecimal():
        raise ToolFailedError("Invalid interval value. Enter an integer, or leave empty to reset.")
    if action != "alter":
        given.refuse(action, ("generate-name", "metrics", "interval", "match"))
    if action == "list":
        given.refuse("list", ("name",))


def _act(given: Given, action: str, admin: Admin, world: World) -> None:
    if action == "list":
        names = in_java_order(admin.list_client_metrics_resources())
        if not world.takes(["NAME"], [[name] for name in names]):
            print("\n".join(names), file=world.out)
    elif action == "describe":
        _describe(given.text("name"), admin, world)
    elif action == "alter":
        _alter(given, admin, world)
    else:
        _delete(given, admin, world)


def _describe(name: str | None, admin: Admin, world: World) -> None:
    there = admin.list_client_metrics_resources()
    if name is not None and name not in there:
        print(
            f"The client metric resource {name} doesn't exist and doesn't have dynamic config.",
            file=world.out,
        )
        return
    for one in in_java_order(there) if name is None else [name]:
        resource = _resource(one)
        entries = admin.describe_configs([resource])[resource].values()
        if world.takes(HEADS, [(one, entry.name, entry.value) for entry in entries]):
            continue
        print(f"Client metrics configs for {one} are:", file=world.out)
        for entry in entries:
            print(f"  {entry.name}={entry.value}", file=world.out)


def _resource(name: str) -> ConfigResource:
    return ConfigResource(ResourceType.CLIENT_METRICS, name)


def _alter(given: Given, admin: Admin, world: World) -> None:
    named = given.text("name")
    name = uuid_text(new_uuid(world.random)) if named is None else named
    changes = {
        setting: ",".join(filter(None, given.texts(flag))) or None
        for flag, setting in SETTINGS.items()
        if given.has(flag)
    }
    if given.has(DRY_RUN.name):
        _change(admin, name, changes, dry_run=True)
        print(f"DRY RUN of altering client metrics config for {name}.", file=world.out)
        return
    _change(admin, name, changes)
    print(f"Altered client metrics config for {name}.", file=world.out)


def _change(
    admin: Admin, name: str, changes: dict[str, str | None], *, dry_run: bool = False
) -> None:
    wanted = {_resource(name): changes}
    admin.incremental_alter_configs(wanted, validate_only=dry_run).all()


def _delete(given: Given, admin: Admin, world: World) -> None:
    name = given.text("name") or ""
    there = admin.describe_configs([_resource(name)])[_resource(name)]
    changes: dict[str, str | None] = dict.fromkeys(there)
    if given.has(DRY_RUN.name):
        print(f"DRY RUN of deleting client metrics config for {name}.", file=world.out)
        return
    _change(admin, name, changes)
    print(f"Deleted client metrics config for {name}.", file=world.out)
