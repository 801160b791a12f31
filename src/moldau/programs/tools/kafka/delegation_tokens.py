"""`moldau delegation-tokens`: logins that are lent for a while."""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error
from collections.abc import Sequence
from typing import TYPE_CHECKING

from moldau.client.admin import DelegationToken
from moldau.platform.system.host import local_fields
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import (
    BOOTSTRAP,
    COMMAND_CONFIG,
    DRY_RUN,
    admin_of,
)
from moldau.programs.tools.kafka.flags import (
    OUTPUT,
    Flag,
    Given,
    Takes,
    WrongUsageError,
    only_one_of,
)
from moldau.programs.tools.kafka.tool import ToolFailedError

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = ["FLAGS", "run", "time_text"]

ACTIONS = ("create", "renew", "expire", "describe")
ACTIONS_WANTED = (
    "Command must include exactly one action: --create, --renew, --expire or --describe"
)
NEEDED = {
    "create": ("max-life-time-period",),
    "renew": ("hmac", "renew-time-period"),
    "expire": ("hmac", "expiry-time-period"),
    "describe": (),
}
REFUSED = {
    "create": ("hmac", "renew-time-period", "expiry-time-period"),
    "renew": ("renewer-principal", "max-life-time-period", "expiry-time-period", "owner-principal"),
    "expire": ("max-life-time-period", "renew-time-period", "owner-principal"),
    "describe": ("renew-time-period", "max-life-time-period", "hmac", "expiry-time-period"),
}
"""By action, the flags that say nothing to it."""
MS_PER_S = 1000
HEADS = ("TOKENID", "HMAC", "OWNER", "REQUESTER", "RENEWERS", "ISSUEDATE", "EXPIRYDATE", "MAXDATE")
LINE = "\n{:<15} {:<30} {:<15} {:<15} {:<25} {:<15} {:<15} {:<15}\n"

FLAGS = (
    OUTPUT,
    BOOTSTRAP,
    Flag(
        COMMAND_CONFIG.name,
        "A file of properties with settings of the client, its login among them. Required.",
        Takes.TEXT,
        "FILE",
    ),
    Flag("create", "Create a token."),
    Flag("renew", "Let a token live longer."),
    Flag("expire", "Let a token end sooner, or at once."),
    Flag("describe", "Show tokens."),
    Flag("owner-principal", "Whose tokens: User:alice; may be repeated.", Takes.TEXT, "PRINCIPAL"),
    Flag("renewer-principal", "Who may renew it; may be repeated.", Takes.TEXT, "PRINCIPAL"),
    Flag("max-life-time-period", "How long it may live (ms); -1 as brokers say.", Takes.LONG, "MS"),
    Flag("renew-time-period", "How much longer (ms); -1 as brokers say.", Takes.LONG, "MS"),
    Flag("expiry-time-period", "How long it still lives (ms); -1 ends it.", Takes.LONG, "MS"),
    Flag("hmac", "The token's HMAC, in base64.", Takes.TEXT, "HMAC"),
    DRY_RUN,
)


def run(given: Given, world: World) -> int:
    action = only_one_of(given, ACTIONS, ACTIONS_WANTED)
    given.need("bootstrap-server", COMMAND_CONFIG.name, *NEEDED[action])
    given.refuse(action, REFUSED[action])
    owners = _principals(given.texts("owner-principal"))
    renewers = _principals(given.texts("renewer-principal"))
    with admin_of(given, world) as admin:
        match action:
            case "create":
                _create(given, owners, renewers, admin, world)
            case "describe":
                _describe(owners, admin, world)
            case _:
                _change(given, action, admin, world)
    return 0


def _principals(texts: Sequence[str]) -> list[str]:
    for text in texts:
        if ":" not in text:
            raise ToolFailedError(
                f"expected a string in format principalType:principalName but got {text.strip()}"
            )
    return [text.strip() for text in texts]


def _create(
    given: Given, owners: Sequence[str], renewers: Sequence[str], admin: Admin, world: World
) -> None:
    period = given.number("max-life-time-period") or 0
    print(
        f"Calling create token operation with renewers :[{', '.join(renewers)}] , "
        f"max-life-time-period :{period}",
        file=world.out,
    )
    if given.has(DRY_RUN.name):
        print("DRY RUN of creating a token", file=world.out)
        return
    if len(owners) > 1:
        raise WrongUsageError("Specified multiple owner principals: a token has one")
    token = admin.create_delegation_token(
        renewers=renewers,
        max_lifetime_ms=None if period < 0 else period,
        owner=owners[0] if owners else None,
    )
    print(f"Created delegation token with tokenId : {token.token_id}", file=world.out)
    _print([token], world)


def _describe(owners: Sequence[str], admin: Admin, world: World) -> None:
    whose = f"owners: [{', '.join(owners)}]" if owners else "current user."
    if world.rows is None:
        print(f"Calling describe token operation for {whose}", file=world.out)
    tokens = admin.describe_delegation_token(owners or None)
    if world.takes(FIELDS, [_fields(token) for token in tokens], ["HMAC"]):
        return
    world.out.write(f"Total number of tokens : {len(tokens)}")
    _print(tokens, world)


FIELDS = (
    "TOKEN-ID",
    "HMAC",
    "OWNER",
    "REQUESTER",
    "RENEWERS",
    "ISSUE-DATE",
    "EXPIRY-DATE",
    "MAX-DATE",
)


def _fields(token: DelegationToken) -> tuple[object, ...]:
    times = map(time_text, (token.issued_ms, token.expires_ms, token.max_ms))
    who = (str(token.owner), str(token.requester), [str(one) for one in token.renewers])
    return token.token_id, b64encode(token.hmac).decode(), *who, *times


def _print(tokens: Sequence[DelegationToken], world: World) -> None:
    world.out.write(LINE.format(*HEADS))
    for token in tokens:
        times = (token.issued_ms, token.expires_ms, token.max_ms)
        row = (
            token.token_id,
            b64encode(token.hmac).decode(),
            token.owner,
            token.requester,
            f"[{', '.join(token.renewers)}]",
            *map(time_text, times),
        )
        world.out.write(LINE.format(*row))


def time_text(time_ms: int) -> str:
    """As `2030-01-31T12:00`, in the zone of this machine."""
    year, month, day, hour, minute, _ = local_fields(time_ms // MS_PER_S)
    return f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}"


def _change(given: Given, action: str, admin: Admin, world: World) -> None:
    flag = "renew-time-period" if action == "renew" else "expiry-time-period"
    name = f"{action}-time-period"
    period, text = given.number(flag) or 0, given.text("hmac") or ""
    print(f"Calling {action} token operation with hmac :{text} , {name} :{period}", file=world.out)
    try:
        hmac = b64decode(text, validate=True)
    except Error:
        raise ToolFailedError(f"{text!r} is no HMAC: it has to be base64") from None
    if given.has(DRY_RUN.name):
        print(f"DRY RUN: the token is not changed ({action})", file=world.out)
        return
    wanted = None if period < 0 else period
    change = admin.renew_delegation_token if action == "renew" else admin.expire_delegation_token
    expiry = change(hmac, wanted)
    print(f"Completed {action} operation. New expiry date : {time_text(expiry)}", file=world.out)
