"""What `moldau configs` is asked about: entities, by their types and names, and their settings."""

from __future__ import annotations

import re
from collections.abc import Sequence

from moldau.client.errors import RefusedError
from moldau.config.java_properties import parse_properties
from moldau.errors import FileMissingError, NetworkError
from moldau.platform.lazy_names import imported
from moldau.platform.ports.files import Files, read_whole
from moldau.platform.ports.network import Address
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.tools.kafka.clusters import (
    BOOTSTRAP,
    COMMAND_CONFIG,
    CONTROLLERS,
    DRY_RUN,
)
from moldau.programs.tools.kafka.flags import OUTPUT, Flag, Given, Takes, only_one_of
from moldau.programs.tools.kafka.tool import ToolFailedError
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["FLAGS", "Entity", "Wanted", "check", "entities_of", "is_alone", "wanted_of"]

TYPES = (
    "topics",
    "clients",
    "users",
    "brokers",
    "ips",
    "client-metrics",
    "groups",
    "broker-loggers",
)
WITH_DEFAULTS = ("users", "clients", "brokers", "ips")
BY_NAME = {
    "topic": "topics",
    "client": "clients",
    "user": "users",
    "broker": "brokers",
    "broker-logger": "broker-loggers",
    "ip": "ips",
    "client-metrics": "client-metrics",
    "group": "groups",
}
BY_DEFAULT = {
    "client-defaults": "clients",
    "user-defaults": "users",
    "broker-defaults": "brokers",
    "ip-defaults": "ips",
}
GENERAL = ("entity-type", "entity-name", "entity-default")
CHANGES = ("add-config", "add-config-file", "delete-config")
REFUSED_WITH_DESCRIBE = ("add-config", "delete-config")
"""A file of settings is ignored there, as in Kafka's."""
COMMA = re.compile(r",(?=[^\]]*(?:\[|$))")
"""That does not stand in brackets."""
EQUALS = re.compile(r"\s*=\s*(?=[^\]]*(?:\[|$))")
"""Likewise."""
HOST = re.compile(r"[\w:%-]+(?:\.[\w:%-]+)*\.?")
INTEGER = re.compile(r"[+-]?[0-9]{1,11}")
INT_MAX = 2**31 - 1
PLACES = "moldau.platform.system.places"
"""Imported where a host is named."""
LEGAL_NAME = re.compile(r"[a-zA-Z0-9._-]+")
NAME_SIZE_MAX = 249
"""Of a topic."""
WRONG_PAIR = (
    "requirement failed: Invalid entity config: all configs to be added must be in the format "
    '"key=val" or  "key=[val1,val2]" to group values which contain commas.'
)

FLAGS = (
    OUTPUT,
    BOOTSTRAP,
    CONTROLLERS,
    COMMAND_CONFIG,
    Flag("describe", "Show settings."),
    Flag("alter", "Change settings."),
    Flag("all", "Show settings that are not changed, too."),
    Flag("add-config", "Settings: k1=v1,k2=[v1,v2].", Takes.TEXT, "KEY=VALUE,..."),
    Flag("add-config-file", "The same in a file of properties.", Takes.TEXT, "FILE"),
    Flag("delete-config", "Settings to give up.", Takes.TEXT, "KEY,..."),
    Flag("topic", "A topic.", Takes.TEXT, "TOPIC"),
    Flag("broker", "A broker.", Takes.TEXT, "ID"),
    Flag("broker-defaults", "All brokers."),
    Flag("broker-logger", "The loggers of a broker.", Takes.TEXT, "ID"),
    Flag("user", "A user.", Takes.TEXT, "USER"),
    Flag("user-defaults", "All users without settings of their own."),
    Flag("client", "A client id.", Takes.TEXT, "ID"),
    Flag("client-defaults", "All client ids without settings of their own."),
    Flag("ip", "An address of clients.", Takes.TEXT, "ADDRESS"),
    Flag("ip-defaults", "All addresses without settings of their own."),
    Flag("group", "A group.", Takes.TEXT, "GROUP"),
    Flag("client-metrics", "A subscription to metrics of clients.", Takes.TEXT, "NAME"),
    Flag("entity-type", f"Of what: {', '.join(TYPES)}.", Takes.TEXT, "TYPE", choices=TYPES),
    Flag("entity-name", "Its name.", Takes.TEXT, "NAME"),
    Flag("entity-default", "All of the type without settings of their own."),
    DRY_RUN,
)


@dataclass(frozen=True, slots=True)
class Entity:
    """Something that has settings."""

    type: str
    name: str | None
    """None: all of the type; empty: the default of the type."""

    @property
    def singular(self) -> str:
        return self.type[:-1]


def entities_of(given: Given) -> list[Entity]:
    """In the order of Kafka's answers."""
    types, names = given.texts("entity-type"), _general_names(given)
    found = [
        Entity(kind, names[index] if index < len(names) else None)
        for index, kind in enumerate(types)
    ]
    for flag, kind in BY_NAME.items():
        name = given.text(flag)
        found += [] if name is None else [Entity(kind, name)]
    return found + [Entity(kind, "") for flag, kind in BY_DEFAULT.items() if given.has(flag)]


def _general_names(given: Given) -> list[str]:
    """What stands for names beside `--entity-type`, in its order; the default is empty."""
    named = iter(given.texts("entity-name"))
    flags = [word for word in given.order if word in ("entity-name", "entity-default")]
    return ["" if flag == "entity-default" else next(named) for flag in flags]


def is_alone(entities: Sequence[Entity], kind: str) -> bool:
    return [one.type for one in entities] == [kind]


def check(given: Given) -> list[Entity]:
    """What is meant, if the flags belong together."""
    action = only_one_of(
        given,
        ("describe", "alter"),
        "Command must include exactly one action: --describe, --alter",
    )
    entities = entities_of(given)
    _check_types(given, [one.type for one in entities])
    _check_servers(given)
    for entity in entities:
        _check_name(entity)
    if action == "describe":
        _check_described(given, entities)
    else:
        _check_altered(given, entities)
        _check_changes(given)
    return entities


def _check_described(given: Given, entities: Sequence[Entity]) -> None:
    first, names = entities[0].type, [one.name for one in entities]
    given.refuse("describe", REFUSED_WITH_DESCRIBE)
    if given.has("entity-default") and "" in names and first not in WITH_DEFAULTS:
        raise ToolFailedError(f"--entity-default must not be specified with --describe of {first}")
    if first == "broker-loggers" and not all(names):
        raise ToolFailedError("An entity name must be specified with --describe of broker-loggers")
    if first == "topics" and names[0] is not None and not given.has("entity-default"):
        _check_topic(names[0])


def _check_altered(given: Given, entities: Sequence[Entity]) -> None:
    first, names = entities[0].type, [one.name for one in entities]
    if first in WITH_DEFAULTS:
        if all(name is None for name in names):
            raise ToolFailedError(
                "An entity-name or default entity must be specified with --alter of users, "
                "clients, brokers or ips"
            )
    elif not names[0] and len(_general_names(given)) < 2:
        raise ToolFailedError(f"An entity name must be specified with --alter of {first}")
    if None in names or (given.has("entity-type") and len(_general_names(given)) > len(names)):
        raise ToolFailedError("An entity name must be specified for every entity type")


def _check_types(given: Given, types: Sequence[str]) -> None:
    twice = dict.fromkeys(kind for kind in types if types.count(kind) > 1)
    if twice:
        raise ToolFailedError(f"Duplicate entity type(s) specified: {','.join(twice)}")
    for kind in types:
        if kind not in TYPES:
            raise ToolFailedError(
                f"Invalid entity type {kind}, the entity type must be one of {', '.join(TYPES)} "
                "with a --bootstrap-server or --bootstrap-controller argument"
            )
    if not types:
        raise ToolFailedError("At least one entity type must be specified")
    if len(types) > 1 and set(types) != {"users", "clients"}:
        raise ToolFailedError("Only 'users' and 'clients' entity types may be specified together")
    specific = any(given.has(flag) for flag in (*BY_NAME, *BY_DEFAULT))
    if specific and any(given.has(flag) for flag in GENERAL):
        raise ToolFailedError(
            "--entity-{type,name,default} should not be used in conjunction with specific entity "
            "flags"
        )


def _check_servers(given: Given) -> None:
    servers, controllers = given.has(BOOTSTRAP.name), given.has(CONTROLLERS.name)
    if servers and controllers:
        raise ToolFailedError(
            "Only one of --bootstrap-server or --bootstrap-controller can be specified"
        )
    if not servers and not controllers:
        raise ToolFailedError(
            "Either --bootstrap-server or --bootstrap-controller must be specified."
        )


def _check_name(entity: Entity) -> None:
    if not entity.name:
        return
    if entity.type in ("brokers", "broker-loggers") and not _is_int(entity.name):
        raise ToolFailedError(
            f"The entity name for {entity.type} must be a valid integer broker id, but it is: "
            f"{entity.name}"
        )
    if entity.type == "ips" and not _is_host(entity.name):
        raise ToolFailedError(
            f"The entity name for ips must be a valid IP or resolvable host, but it is: "
            f"{entity.name}"
        )


def _is_int(text: str) -> bool:
    """Of 32 bits, as Java reads it."""
    return INTEGER.fullmatch(text) is not None and -INT_MAX - 1 <= int(text) <= INT_MAX


def _is_host(name: str) -> bool:
    """Whether it is an address, or a name that this machine can resolve."""
    if HOST.fullmatch(name) is None:
        return False
    try:
        return bool(imported(PLACES).places_of(Address(name, 0)))
    except NetworkError:
        return False


def _check_topic(name: str) -> None:
    why = ""
    if not name:
        why = "the empty string is not allowed"
    elif name in (".", ".."):
        why = f"'{name}' is not allowed"
    elif len(name) > NAME_SIZE_MAX:
        why = f"the length of '{name}' is longer than the max allowed length {NAME_SIZE_MAX}"
    elif LEGAL_NAME.fullmatch(name) is None:
        why = (
            f"'{name}' contains one or more characters other than ASCII alphanumerics, '.', '_' "
            "and '-'"
        )
    if why:
        raise ToolFailedError(f"Topic name is invalid: {why}")


def _check_changes(given: Given) -> None:
    if not any(given.has(flag) for flag in CHANGES):
        raise ToolFailedError(
            "At least one of --add-config, --add-config-file, or --delete-config must be specified "
            "with --alter"
        )
    if given.has("add-config") and given.has("add-config-file"):
        raise ToolFailedError("Only one of --add-config or --add-config-file must be specified")


TWICE = "Error due to duplicate config keys"
"""How a cluster refuses to set something and to give it up at once."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A change of settings."""

    values: dict[str, str | None]
    """By key; with None those to give up."""
    twice: frozenset[str]
    """Which are to be set and to be given up."""

    def refuse_twice(self) -> None:
        if self.twice:
            raise RefusedError("the change", ErrorCode.INVALID_REQUEST, TWICE)


def wanted_of(given: Given, files: Files) -> Wanted:
    wanted: dict[str, str | None] = {}
    text = given.text("add-config")
    if text is not None:
        wanted |= _pairs(text)
    path = given.text("add-config-file")
    if path is not None:
        if files.status(path) is None:
            raise FileMissingError(path, "there is no such file of properties")
        wanted |= parse_properties(read_whole(files, path))
    deleted = [key.strip() for text in given.texts("delete-config") for key in text.split(",")]
    twice = frozenset(key for key in deleted if key in wanted)
    return Wanted(wanted | {key: None for key in deleted if key}, twice)


def _pairs(text: str) -> dict[str, str]:
    found, parts = {}, COMMA.split(text)
    while len(parts) > 1 and not parts[-1]:
        parts.pop()  # as Java's split leaves them out
    for part in parts if any(parts) or not text else ():
        pair = EQUALS.split(part)
        if len(pair) != 2:
            raise ToolFailedError(WRONG_PAIR)
        found[pair[0].strip()] = re.sub(r"[\[\]]", "", pair[1]).strip()
    return found
