"""`moldau groups`: all groups of a cluster, whatever their protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from moldau.client.admin import GroupType, ListedGroup
from moldau.errors import MoldauError
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import BOOTSTRAP, COMMAND_CONFIG, admin_of
from moldau.programs.tools.kafka.flags import OUTPUT, Flag, Given, Takes, WrongUsageError
from moldau.programs.tools.kafka.java_errors import cause_of
from moldau.programs.tools.kafka.java_order import in_java_order

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = ["FLAGS", "run"]

FAILED = 1
KINDS = ("consumer", "share", "streams")
NAME_WIDTH = 20
HEADS = ("GROUP", "TYPE", "PROTOCOL")
TYPES = [one for one in GroupType if one is not GroupType.UNKNOWN]

FLAGS = (
    OUTPUT,
    BOOTSTRAP,
    COMMAND_CONFIG,
    Flag("list", "List the groups."),
    Flag(
        "group-type",
        "Groups of this type: classic, consumer, share or streams.",
        Takes.TEXT,
        "TYPE",
    ),
    Flag("protocol", "Groups of this protocol.", Takes.TEXT, "PROTOCOL"),
    Flag("consumer", "Groups of consumers of every type, simple ones too."),
    Flag("share", "Share groups."),
    Flag("streams", "Groups of Kafka Streams."),
)


def run(given: Given, world: World) -> int:
    _check(given)
    try:
        with admin_of(given, world) as admin:
            _print(given, admin, world)
    except MoldauError as error:
        print(f"Error while executing groups command : {cause_of(error)}", file=world.out)
        return FAILED
    return 0


def _check(given: Given) -> None:
    if not given.has("bootstrap-server"):
        raise WrongUsageError("Missing required option(s) [bootstrap-server]")
    if not given.has("list"):
        raise WrongUsageError("Command must include exactly one action: --list.")
    kind = given.text("group-type")
    if kind is not None and kind.lower() not in TYPES:
        raise WrongUsageError("--group-type must be a valid group type.")
    given.refuse("consumer", ("group-type", "protocol", "share", "streams"))
    given.refuse("share", ("consumer", "group-type", "protocol", "streams"))
    given.refuse("streams", ("consumer", "group-type", "protocol", "share"))


def _print(given: Given, admin: Admin, world: World) -> None:
    groups = admin.list_groups().all()
    ordered = [groups[name] for name in in_java_order(groups) if _is_wanted(given, groups[name])]
    rows = [(group.group_id, group.type.capitalize(), group.protocol_type) for group in ordered]
    if world.takes(HEADS, rows):
        return
    width = max([NAME_WIDTH, *(len(row[0]) for row in rows)])
    for row in [HEADS, *rows]:
        print(" ".join(f"{text:<{width}}" for text in row), file=world.out)


def _is_wanted(given: Given, group: ListedGroup) -> bool:
    if given.has("consumer"):
        return group.type is GroupType.CONSUMER or (
            group.type is GroupType.CLASSIC and group.protocol_type in ("consumer", "")
        )
    for kind in (GroupType.SHARE, GroupType.STREAMS):
        if given.has(kind):
            return group.type is kind
    wanted, protocol = given.text("group-type"), given.text("protocol")
    is_of_type = wanted is None or group.type == wanted.lower()
    return is_of_type and protocol in (None, group.protocol_type)
