"""What a cluster shall have, as a file of YAML declares it.

    topics:
      orders: {partitions: 3, replication-factor: 3, configs: {retention.ms: 3600000}}
      old: {absent: true}
    acls:
      - {principal: "User:alice", operation: read, resource: "topic:orders"}
    quotas:
      - {user: alice, limits: {producer_byte_rate: 1048576}}
    users:
      alice: {mechanism: SCRAM-SHA-512, password-file: alice.secret}

Only what is named is compared and changed; what the file does not name stays as it is.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TypeVar

from moldau.client.admin import (
    AccessOperation,
    AclRule,
    Mechanism,
    PatternType,
    Permission,
    QuotaEntity,
    ResourceKind,
    entity_of,
)
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.located_yaml import Located

__all__ = ["Wanted", "WantedAcl", "WantedQuota", "WantedTopic", "WantedUser", "read_wanted"]

Choice = TypeVar("Choice", bound=IntEnum)
TOPIC_FIELDS = ("partitions", "replication-factor", "configs", "absent")
ACL_FIELDS = ("principal", "operation", "resource", "pattern", "permission", "host", "absent")
USER_FIELDS = ("mechanism", "password-file", "iterations", "absent")
ENTITIES = ("user", "client-id", "ip")
DEFAULT_ENTITY = "<default>"
ITERATIONS = 4096


@dataclass(frozen=True, slots=True)
class WantedTopic:
    name: str
    place: Located
    partitions: int | None
    replication_factor: int | None
    configs: dict[str, str | None]
    """None takes a setting back to its default."""
    absent: bool


@dataclass(frozen=True, slots=True)
class WantedAcl:
    rule: AclRule
    absent: bool


@dataclass(frozen=True, slots=True)
class WantedQuota:
    entity: QuotaEntity
    limits: dict[str, float | None]


@dataclass(frozen=True, slots=True)
class WantedUser:
    name: str
    place: Located
    mechanism: Mechanism
    password_file: str | None
    iterations: int
    absent: bool


@dataclass(frozen=True, slots=True)
class Wanted:
    """All of it."""

    topics: tuple[WantedTopic, ...] = ()
    acls: tuple[WantedAcl, ...] = ()
    quotas: tuple[WantedQuota, ...] = ()
    users: tuple[WantedUser, ...] = ()


def read_wanted(root: Located) -> Wanted:
    """What the file asks for, or `BadYamlError` with the line and column of what is wrong."""
    found = root.fields(("topics", "acls", "quotas", "users"))
    topics = found["topics"].items() if "topics" in found else ()
    users = found["users"].items() if "users" in found else ()
    return Wanted(
        tuple(_topic(name, value) for name, value in topics),
        tuple(_acl(one) for one in _elements(found, "acls")),
        tuple(_quota(one) for one in _elements(found, "quotas")),
        tuple(_user(name, value) for name, value in users),
    )


def _elements(found: dict[str, Located], name: str) -> list[Located]:
    return found[name].elements() if name in found else []


def _topic(name: str, value: Located) -> WantedTopic:
    fields = {} if value.is_null else value.fields(TOPIC_FIELDS)
    configs = dict(fields["configs"].items()) if "configs" in fields else {}
    return WantedTopic(
        name,
        value,
        fields["partitions"].whole_number(1) if "partitions" in fields else None,
        fields["replication-factor"].whole_number(1) if "replication-factor" in fields else None,
        {key: None if one.is_null else one.text() for key, one in configs.items()},
        _is_absent(fields),
    )


def _is_absent(fields: dict[str, Located]) -> bool:
    return "absent" in fields and fields["absent"].truth()


def _acl(value: Located) -> WantedAcl:
    fields = value.fields(ACL_FIELDS, required=("principal", "operation", "resource"))
    resource = fields["resource"].text()
    kind, colon, name = resource.partition(":")
    if resource == "cluster":
        kind, colon, name = "cluster", ":", "kafka-cluster"
    if not (colon and name):
        fields["resource"].fail(f"{resource} is no resource: write topic:orders, group:*, cluster")
    pattern = _choice(fields, "pattern", PatternType, PatternType.LITERAL)
    permission = _choice(fields, "permission", Permission, Permission.ALLOW)
    rule = AclRule(
        fields["principal"].text(),
        _one_of(fields["operation"], fields["operation"].text(), AccessOperation),
        _one_of(fields["resource"], kind, ResourceKind),
        name,
        pattern,
        permission,
        fields["host"].text() if "host" in fields else "*",
    )
    return WantedAcl(rule, _is_absent(fields))


def _choice(
    fields: dict[str, Located], name: str, choices: type[Choice], otherwise: Choice
) -> Choice:
    return _one_of(fields[name], fields[name].text(), choices) if name in fields else otherwise


def _one_of(place: Located, text: str, choices: type[Choice]) -> Choice:
    name = text.upper().replace("-", "_")
    names = [one.name for one in choices if one.name not in ("UNKNOWN", "ANY", "MATCH")]
    if name not in names:
        place.fail(f"{text} is none of {', '.join(one.lower() for one in names)}")
    return choices[name]


def _quota(value: Located) -> WantedQuota:
    fields = value.fields((*ENTITIES, "limits"), required=("limits",))
    parts = {kind: _entity_name(fields[kind]) for kind in ENTITIES if kind in fields}
    if not parts:
        value.fail(f"{', '.join(ENTITIES)}: one of these names whose quota it is")
    limits = {name: None if one.is_null else one.number() for name, one in fields["limits"].items()}
    return WantedQuota(entity_of(parts), limits)


def _entity_name(value: Located) -> str | None:
    return None if value.text() == DEFAULT_ENTITY else value.text()


def _user(name: str, value: Located) -> WantedUser:
    fields = value.fields(USER_FIELDS)
    absent = _is_absent(fields)
    if not absent and "password-file" not in fields:
        value.fail("password-file is missing here: passwords do not stand in this file")
    return WantedUser(
        name,
        value,
        _choice(fields, "mechanism", Mechanism, Mechanism.SCRAM_SHA_512),
        fields["password-file"].text() if "password-file" in fields else None,
        fields["iterations"].whole_number(ITERATIONS) if "iterations" in fields else ITERATIONS,
        absent,
    )
