"""Access rules, quotas and users."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, Final, TypeVar

from moldau.client.admin import (
    AccessOperation,
    AclFilter,
    AclRule,
    Mechanism,
    PatternType,
    Permission,
    ResourceKind,
    ScramDeletion,
    ScramUpsertion,
    entity_of,
)
from moldau.network.sasl.scram_keys import ITERATIONS as ITERATIONS_LEAST
from moldau.network.sasl.scram_keys import ITERATIONS_MAX
from moldau.programs.console.changes.change import Change, Difference, Given, Kind
from moldau.programs.console.changes.commands import command_line, secret
from moldau.programs.console.reach import Reach
from moldau.programs.http.messages import HttpError
from moldau.programs.rest.bodies import field_of, maybe_field
from moldau.programs.rest.refusals import bad_request

__all__ = ["ACCESS_KINDS"]

Choice = TypeVar("Choice", bound=IntEnum)

FLAGS: Final = {
    ResourceKind.TOPIC: "--topic",
    ResourceKind.GROUP: "--group",
    ResourceKind.TRANSACTIONAL_ID: "--transactional-id",
    ResourceKind.DELEGATION_TOKEN: "--delegation-token",
    ResourceKind.USER: "--user-principal",
}
RULE: Final = {
    "principal": "string",
    "permission": "string",
    "operation": "string",
    "kind": "string",
    "name": "string",
    "pattern": "string?",
    "host": "string?",
}
ITERATIONS: Final = 8192
QUOTA_MAX: Final = 2**63
SEARCHED: Final = ("UNKNOWN", "ANY", "MATCH")
WIDE: Final = "Everyone who can log in gets this."


async def _add_rule(reach: Reach, given: Given) -> Change:
    rule = _rule(given)

    async def run() -> None:
        (await reach.admin.create_acls([rule])).all()

    shown = _shown(rule)
    return Change(
        command_line(reach.settings, "acls", "--add", *_words(rule)),
        [Difference("rule", None, shown)],
        run,
        warning=WIDE if rule.principal == "User:*" else None,
        undo=("remove-acl", dict(given)),
    )


async def _remove_rule(reach: Reach, given: Given) -> Change:
    """One that is there; without the look, any would be shown as a change."""
    rule = _rule(given)
    wanted, shown = AclFilter.exactly(rule), _shown(rule)
    if not list(await reach.admin.describe_acls(wanted)):
        raise HttpError(404, f"There is no rule {shown}; the page Access rules has those there are")

    async def run() -> None:
        (await reach.admin.delete_acls([wanted])).all()

    return Change(
        command_line(reach.settings, "acls", "--remove", "--force", *_words(rule)),
        [Difference("rule", shown, None)],
        run,
        undo=("add-acl", dict(given)),
    )


async def _set_quota(reach: Reach, given: Given) -> Change:
    """Of a user, a client id, both, or an address; null is the default of all."""
    parts: Mapping[str, Any] = field_of(given, "entity", dict)
    changes = field_of(given, "values", dict)
    if not changes or not all(one is None or _is_number(one) for one in changes.values()):
        raise bad_request("values are numbers by their names, or null for what is given up")
    if not parts or not all(name is None or isinstance(name, str) for name in parts.values()):
        raise bad_request('an entity is like {"user": "ann"}; null is the default of all')
    entity = entity_of(parts)
    known = (await reach.admin.describe_client_quotas()).get(entity, {})
    for name, value in changes.items():
        if value is None and name not in known:
            raise HttpError(404, f"{entity} has no quota {name}; the page Quotas has what is set")

    async def run() -> None:
        (await reach.admin.alter_client_quotas({entity: changes})).all()

    return Change(
        command_line(reach.settings, "configs", *_quota_words(parts, changes)),
        [
            Difference(f"{name} of {entity}", _number(known.get(name)), _number(value))
            for name, value in changes.items()
        ],
        run,
        undo=(
            "set-quota",
            {"entity": parts, "values": {name: known.get(name) for name in changes}},
        ),
    )


async def _set_user(reach: Reach, given: Given) -> Change:
    user = field_of(given, "user", str)
    mechanism = _choice(Mechanism, given, "mechanism", "scram_sha_512")
    password = field_of(given, "password", str)
    iterations = maybe_field(given, "iterations", int)
    iterations = ITERATIONS if iterations is None else iterations
    if not ITERATIONS_LEAST <= iterations <= ITERATIONS_MAX:
        raise bad_request(
            f"iterations are {ITERATIONS_LEAST} to {ITERATIONS_MAX}, as Kafka takes them"
        )
    known = await _known(reach, user)

    async def run() -> None:
        one = ScramUpsertion(user, password, mechanism, iterations)
        (await reach.admin.alter_user_scram_credentials([one])).all()

    added = f"{_dashed(mechanism)}=[iterations={iterations},password={secret('password')}]"
    words = ("--alter", "--user", user, "--add-config", added)
    was = "a password" if mechanism in known else None
    return Change(
        command_line(reach.settings, "configs", *words),
        [Difference(f"{_dashed(mechanism)} of {user}", was, "this password")],
        run,
        warning=None if was is None else "Its former password cannot be restored.",
    )


async def _delete_user(reach: Reach, given: Given) -> Change:
    user = field_of(given, "user", str)
    mechanism = _choice(Mechanism, given, "mechanism", "scram_sha_512")
    if mechanism not in await _known(reach, user):
        raise HttpError(404, f"{user} has no {_dashed(mechanism)}: see the page Users")

    async def run() -> None:
        one = ScramDeletion(user, mechanism)
        (await reach.admin.alter_user_scram_credentials([one])).all()

    words = ("--alter", "--user", user, "--delete-config", _dashed(mechanism))
    return Change(
        command_line(reach.settings, "configs", *words),
        [Difference(f"{_dashed(mechanism)} of {user}", "a password", None)],
        run,
        warning="Its password cannot be restored.",
    )


async def _known(reach: Reach, user: str) -> set[Mechanism]:
    found = (await reach.admin.describe_user_scram_credentials()).values
    return {one.mechanism for one in found.get(user, ())}


def _rule(given: Given) -> AclRule:
    return AclRule(
        field_of(given, "principal", str),
        _choice(AccessOperation, given, "operation"),
        _choice(ResourceKind, given, "kind"),
        field_of(given, "name", str),
        _choice(PatternType, given, "pattern", "literal"),
        _choice(Permission, given, "permission", "allow"),
        maybe_field(given, "host", str) or "*",
    )


def _choice(choices: type[Choice], given: Given, name: str, default: str | None = None) -> Choice:
    """One that can be set; the others are only searched for."""
    text = (maybe_field(given, name, str) or default or "").upper().replace("-", "_")
    known = [one for one in choices.__members__ if one not in SEARCHED]
    if text not in known:
        raise bad_request(f"{name} is one of {', '.join(known).lower()}")
    return choices[text]


def _words(rule: AclRule) -> list[str]:
    word = "allow" if rule.permission is Permission.ALLOW else "deny"
    words = [f"--{word}-principal", rule.principal]
    words += [] if rule.host == "*" else [f"--{word}-host", rule.host]
    words += ["--operation", rule.operation.name.title().replace("_", "")]
    if rule.kind is ResourceKind.CLUSTER:
        return [*words, "--cluster"]
    words += [FLAGS[rule.kind], rule.name]
    return [*words, "--resource-pattern-type", "prefixed"] if _is_prefix(rule) else words


def _is_prefix(rule: AclRule) -> bool:
    return rule.pattern is PatternType.PREFIXED


def _shown(rule: AclRule) -> str:
    where = "" if rule.host == "*" else f" from {rule.host}"
    names = f"{rule.name}…" if _is_prefix(rule) else rule.name
    what = f"{rule.operation.name.lower()} on {rule.kind.name.lower()} {names}"
    return f"{rule.permission.name.lower()} {rule.principal} {what}{where}"


def _quota_words(parts: Mapping[str, Any], changes: Mapping[str, Any]) -> list[str]:
    words = ["--alter"]
    for kind, name in parts.items():
        flag = "client" if kind == "client-id" else kind
        words += [f"--{flag}-defaults"] if name is None else [f"--{flag}", str(name)]
    added = [f"{name}={_number(one)}" for name, one in changes.items() if one is not None]
    deleted = [name for name, one in changes.items() if one is None]
    words += ["--add-config", ",".join(added)] if added else []
    return [*words, "--delete-config", ",".join(deleted)] if deleted else words


def _is_number(value: object) -> bool:
    return type(value) in (int, float) and abs(value) < QUOTA_MAX  # type: ignore[arg-type]


def _number(value: float | None) -> str | None:
    """With all its digits, as the command sets it."""
    return None if value is None else f"{value:.0f}" if value == int(value) else repr(value)


def _dashed(mechanism: Mechanism) -> str:
    return str(mechanism.name).replace("_", "-")


ACCESS_KINDS: Final = (
    Kind("add-acl", "Add an access rule", RULE, _add_rule),
    Kind("remove-acl", "Remove an access rule", RULE, _remove_rule),
    Kind("set-quota", "Set quotas", {"entity": "object", "values": "object"}, _set_quota),
    Kind(
        "set-user",
        "Give a user a password",
        {"user": "string", "password": "string", "mechanism": "string?", "iterations": "integer?"},
        _set_user,
    ),
    Kind(
        "delete-user",
        "Take a user's password away",
        {"user": "string", "mechanism": "string?"},
        _delete_user,
    ),
)
