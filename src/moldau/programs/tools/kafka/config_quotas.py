"""Quotas and passwords, which `moldau configs` shows and changes as settings of users."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from moldau.client.admin import (
    Mechanism,
    QuotaEntity,
    QuotaMatch,
    ScramDeletion,
    ScramUpsertion,
    entity_of,
)
from moldau.client.errors import RefusedError
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.config_entities import Entity, Wanted, is_alone
from moldau.programs.tools.kafka.java_order import in_java_order
from moldau.programs.tools.kafka.tool import ToolFailedError
from moldau.protocol.wire.error_codes import ErrorCode

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = ["alter_quotas", "describe_quotas", "java_double", "java_number", "salted_rounds"]

KINDS = {"users": "user", "clients": "client-id", "ips": "ip"}
SHOWN = {"user": "user-principal", "client-id": "client-id", "ip": "ip"}
OF_CLIENTS = (
    "producer_byte_rate",
    "consumer_byte_rate",
    "request_percentage",
    "controller_mutation_rate",
)
OF_ADDRESSES = ("connection_creation_rate",)
MECHANISMS = {"SCRAM-SHA-256": Mechanism.SCRAM_SHA_256, "SCRAM-SHA-512": Mechanism.SCRAM_SHA_512}
JAVA_DOUBLE = re.compile(
    r"([+-]?(?:NaN|Infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
    r"|0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+))[fFdD]?"
)
"""What Java reads as a double; the letter of its type says nothing more."""
INT_MAX = 2**31 - 1
PASSWORD = re.compile(r"(?:iterations=(-?\d*),)?password=(.*)", re.DOTALL)
ITERATIONS = 4096
"""The least, and what is taken without a number."""
MOST_DIGITS = 17
"""More are never needed to distinguish two doubles."""
PLAIN_FROM, PLAIN_BELOW = 1e-3, 1e7
"""Where Java writes numbers without an exponent."""
Values = Mapping[str, str | None]


def describe_quotas(entities: Sequence[Entity], admin: Admin, world: World) -> None:
    match: dict[str, str | QuotaMatch | None] = {
        KINDS[one.type]: QuotaMatch.ANY if one.name is None else one.name or None
        for one in entities
    }
    for entity, quotas in admin.describe_client_quotas(match, strict=True).items():
        values = ", ".join(
            f"{name}={java_number(quotas[name])}" for name in in_java_order(quotas, len(quotas))
        )
        print(f"Quota configs for {_shown(entity)} are {values}", file=world.out)
    if is_alone(entities, "users") and entities[0].name != "":
        _describe_passwords(entities[0].name, admin, world)


def _shown(entity: QuotaEntity) -> str:
    parts = sorted(entity.parts, key=lambda part: part[0] != "user")
    return ", ".join(
        f"the default {SHOWN[kind]}" if name is None else f"{SHOWN[kind]} '{name}'"
        for kind, name in parts
    )


def _describe_passwords(user: str | None, admin: Admin, world: World) -> None:
    found = admin.describe_user_scram_credentials(None if user is None else [user])
    for name, infos in found.values.items():
        names = {mechanism: text for text, mechanism in MECHANISMS.items()}
        values = ", ".join(f"{names[one.mechanism]}=iterations={one.iterations}" for one in infos)
        print(f"SCRAM credential configs for user-principal '{name}' are {values}", file=world.out)


def java_number(value: float) -> str:
    """As Java writes a double: 1.0E11."""
    if value == 0 or PLAIN_FROM <= abs(value) < PLAIN_BELOW:
        return repr(float(value))
    for digits in range(MOST_DIGITS):
        text = f"{value:.{digits}e}"
        if float(text) == value:
            break
    mantissa, _, exponent = text.partition("e")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}E{int(exponent)}"


def alter_quotas(
    entities: Sequence[Entity], change: Wanted, admin: Admin, *, dry_run: bool
) -> None:
    wanted = change.values
    allowed = OF_ADDRESSES if is_alone(entities, "ips") else OF_CLIENTS
    with_passwords = is_alone(entities, "users")
    _check_names(entities, wanted, [*allowed, *(MECHANISMS if with_passwords else ())])
    passwords = {name: value for name, value in wanted.items() if name in MECHANISMS}
    if passwords and len(passwords) < len(wanted):
        raise ToolFailedError(
            "Cannot alter both quota and SCRAM credential configs simultaneously for 'users' using "
            "--bootstrap-server."
        )
    if passwords:
        change.refuse_twice()
        _alter_passwords(entities[0], passwords, admin, dry_run=dry_run)
        return
    parts = {KINDS[one.type]: one.name or None for one in entities}
    entity = entity_of(parts)
    there = admin.describe_client_quotas(parts, strict=True).get(entity, {})
    missing = [name for name, value in wanted.items() if value is None and name not in there]
    if missing:
        raise ToolFailedError(f"Invalid config(s): {','.join(missing)}")
    change.refuse_twice()
    quotas = {name: _quota(name, value) for name, value in wanted.items()}
    admin.alter_client_quotas({entity: quotas}, validate_only=dry_run).all()


def _check_names(entities: Sequence[Entity], wanted: Values, allowed: Collection[str]) -> None:
    kind = entities[0].type
    what = {"users": "quota and SCRAM credential", "clients": "quota", "ips": "connection quota"}
    for verb, group, names in (
        ("added", "Set", [name for name, value in wanted.items() if value is not None]),
        (
            "added" if kind == "ips" else "deleted",
            "ArrayBuffer",
            [name for name, value in wanted.items() if value is None],
        ),
    ):
        unknown = [name for name in names if name not in allowed]
        if unknown:
            shown = ",".join(unknown) if kind == "ips" else f"{group}({', '.join(unknown)})"
            raise ToolFailedError(
                f"Only {what[kind]} configs can be {verb} for '{kind}' using --bootstrap-server. "
                f"Unexpected config names: {shown}"
            )


def _quota(name: str, value: str | None) -> float | None:
    if value is None:
        return None
    found = java_double(value)
    if found is None:
        raise ToolFailedError(f"Cannot parse quota configuration value for {name}: {value}")
    return found


def java_double(text: str) -> float | None:
    """As Java reads a double: 1.0E11, 7d, 0x1p3; None for what it does not take."""
    found = JAVA_DOUBLE.fullmatch(text.strip())
    if found is None:
        return None
    return float.fromhex(found[1]) if "x" in found[1].lower() else float(found[1])


def _alter_passwords(entity: Entity, wanted: Values, admin: Admin, *, dry_run: bool) -> None:
    if not entity.name:
        raise ToolFailedError(
            "The use of --entity-default or --user-defaults is not allowed with User SCRAM "
            "Credentials using --bootstrap-server."
        )
    changes = [_password(entity.name, name, value) for name, value in wanted.items()]
    if not dry_run:
        admin.alter_user_scram_credentials(changes).all()


def salted_rounds(text: str | None) -> int:
    """How often a password is hashed, by what is given."""
    if text is None or text == "-1":
        return ITERATIONS
    if text in ("", "-") or abs(int(text)) > INT_MAX:
        raise ToolFailedError(f'For input string: "{text}"')
    return int(text)


def _password(user: str, name: str, value: str | None) -> ScramUpsertion | ScramDeletion:
    mechanism = MECHANISMS[name]
    if value is None:
        return ScramDeletion(user, mechanism)
    found = PASSWORD.fullmatch(value)
    if found is None:
        raise ToolFailedError(f"Invalid credential property {mechanism.name}={value}")
    iterations = salted_rounds(found[1])
    if iterations < ITERATIONS:
        raise ToolFailedError(
            f"Iterations {iterations} is less than the minimum {ITERATIONS} required for {name}"
        )
    if not found[2]:
        raise RefusedError(
            "the change", ErrorCode.UNACCEPTABLE_CREDENTIAL, "Password must not be empty"
        )
    return ScramUpsertion(user, found[2], mechanism, iterations)
