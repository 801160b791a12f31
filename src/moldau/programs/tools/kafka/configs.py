"""`moldau configs`: settings of topics, brokers, users and others are shown and changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from moldau.client.admin import ConfigEntry, ConfigResource, ConfigSource, ResourceType
from moldau.errors import MoldauError
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import DRY_RUN, admin_of
from moldau.programs.tools.kafka.config_entities import FLAGS, Entity, Wanted, check, wanted_of
from moldau.programs.tools.kafka.config_quotas import alter_quotas, describe_quotas
from moldau.programs.tools.kafka.flags import Given, WrongUsageError
from moldau.programs.tools.kafka.java_errors import java_cause_of
from moldau.programs.tools.kafka.java_order import in_java_order
from moldau.programs.tools.kafka.tool import ToolFailedError

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = ["FLAGS", "run"]

FAILED = 1
QUOTAS = ("users", "clients", "ips")
RESOURCES = {
    "topics": ResourceType.TOPIC,
    "brokers": ResourceType.BROKER,
    "broker-loggers": ResourceType.BROKER_LOGGER,
    "client-metrics": ResourceType.CLIENT_METRICS,
    "groups": ResourceType.GROUP,
}
SOURCES = {
    ConfigSource.TOPIC: "DYNAMIC_TOPIC_CONFIG",
    ConfigSource.BROKER: "DYNAMIC_BROKER_CONFIG",
    ConfigSource.ALL_BROKERS: "DYNAMIC_DEFAULT_BROKER_CONFIG",
    ConfigSource.FILE: "STATIC_BROKER_CONFIG",
    ConfigSource.DEFAULT: "DEFAULT_CONFIG",
    ConfigSource.BROKER_LOGGER: "DYNAMIC_BROKER_LOGGER_CONFIG",
    ConfigSource.CLIENT_METRICS: "DYNAMIC_CLIENT_METRICS_CONFIG",
    ConfigSource.GROUP: "DYNAMIC_GROUP_CONFIG",
    ConfigSource.UNKNOWN: "UNKNOWN",
}
ALWAYS_NAMED = ("client-metrics", "groups")
"""Types without a default of all, which an empty name would stand for."""
OWN = {
    "topics": ConfigSource.TOPIC,
    "client-metrics": ConfigSource.CLIENT_METRICS,
    "groups": ConfigSource.GROUP,
}
"""Where settings of these come from, if they are their own."""


def run(given: Given, world: World) -> int:
    entities = check(given)
    try:
        wanted = wanted_of(given, world.files) if given.has("alter") else None
        with admin_of(given, world) as admin:
            if wanted is None:
                _describe(given, entities, admin, world)
            else:
                _alter(given, entities, wanted, admin, world)
    except (ToolFailedError, WrongUsageError):
        raise
    except MoldauError as error:
        asked = " ".join(given.words)
        print(f"Error while executing config command with args '{asked}'", file=world.errors)
        print(java_cause_of(error), file=world.errors)
        return FAILED
    return 0


def _describe(given: Given, entities: list[Entity], admin: Admin, world: World) -> None:
    if entities[0].type in QUOTAS:
        describe_quotas(entities, admin, world)
        return
    entity, everything = entities[0], given.has("all")
    is_named = entity.name is not None if entity.type in ALWAYS_NAMED else bool(entity.name)
    if is_named and not everything and entity.name not in _names(entity.type, admin):
        print(
            f"The {_singular(entity)} '{entity.name}' doesn't exist and doesn't have dynamic "
            "config.",
            file=world.out,
        )
        return
    names = [entity.name] if entity.name is not None else _names(entity.type, admin)
    if entity.name is None and entity.type == "brokers":
        names = [*names, ""]
    for name in names:
        one = Entity(entity.type, name)
        if world.takes(HEADS, _rows(one, admin, everything=everything), ["SENSITIVE", "READ-ONLY"]):
            continue
        kind = "All" if everything else "Dynamic"
        if name:
            print(f"{kind} configs for {_singular(one)} {name} are:", file=world.out)
        else:
            print(f"Default configs for {one.type} in the cluster are:", file=world.out)
        for entry in _entries(one, admin, everything=everything):
            print(_line(entry), file=world.out)


HEADS = ("TYPE", "NAME", "KEY", "VALUE", "SOURCE", "SENSITIVE", "READ-ONLY")


def _rows(entity: Entity, admin: Admin, *, everything: bool) -> Iterator[tuple[object, ...]]:
    """A row for each setting; an empty name is the default of all."""
    for entry in _entries(entity, admin, everything=everything):
        kind = (entry.source.name, entry.is_sensitive, entry.is_read_only)
        yield entity.type, entity.name or None, entry.name, entry.value, *kind


def _singular(entity: Entity) -> str:
    return entity.singular


def _names(kind: str, admin: Admin) -> list[str]:
    match kind:
        case "topics":
            return in_java_order(admin.list_topics(internal=True))
        case "brokers" | "broker-loggers":
            return [str(node.node_id) for node in admin.describe_cluster().nodes]
        case "client-metrics":
            return in_java_order(admin.list_client_metrics_resources())
        case _:
            named = [one.name for one in admin.list_config_resources([ResourceType.GROUP])]
            return in_java_order(dict.fromkeys([*admin.list_groups().values, *named]))


def _entries(entity: Entity, admin: Admin, *, everything: bool) -> Iterable[ConfigEntry]:
    resource = _resource(entity)
    found = admin.describe_configs([resource], synonyms=True)[resource]
    ordered = [found[name] for name in sorted(found)]
    if everything or entity.type == "broker-loggers":
        return ordered
    own = OWN.get(entity.type, ConfigSource.BROKER if entity.name else ConfigSource.ALL_BROKERS)
    return [entry for entry in ordered if _is_own(entry, own)]


def _is_own(entry: ConfigEntry, own: ConfigSource) -> bool:
    return entry.source is own


def _resource(entity: Entity) -> ConfigResource:
    return ConfigResource(RESOURCES[entity.type], entity.name or "")


def _line(entry: ConfigEntry) -> str:
    synonyms = ", ".join(
        f"{SOURCES[one.source]}:{one.name}={_value(one.value)}" for one in entry.synonyms
    )
    sensitive = str(entry.is_sensitive).lower()
    return f"  {entry.name}={_value(entry.value)} sensitive={sensitive} synonyms={{{synonyms}}}"


def _value(value: str | None) -> str:
    return "null" if value is None else value


def _alter(
    given: Given,
    entities: list[Entity],
    wanted: Wanted,
    admin: Admin,
    world: World,
) -> None:
    first, dry_run = entities[0], given.has(DRY_RUN.name)
    if first.type in QUOTAS:
        alter_quotas(entities, wanted, admin, dry_run=dry_run)
    else:
        if first.type == "broker-loggers":
            _check_loggers(first, wanted.values, admin)
        wanted.refuse_twice()
        changes = {_resource(first): wanted.values}
        admin.incremental_alter_configs(changes, validate_only=dry_run).all()
    named = f" {first.name}" if first.name else ""
    what = f"config for {_singular(first)}{named}" if named else f"default config for {first.type}"
    where = "" if named else " in the cluster"
    head = "DRY RUN of updating" if dry_run else "Completed updating"
    print(f"{head} {what}{where}.", file=world.out)


def _check_loggers(entity: Entity, wanted: Mapping[str, str | None], admin: Admin) -> None:
    resource = _resource(entity)
    known = admin.describe_configs([resource])[resource]
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise ToolFailedError(f"Invalid broker logger(s): {','.join(unknown)}")
