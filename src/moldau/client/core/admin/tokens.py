"""Delegation tokens: logins that are given on, and end."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from moldau.client.core.admin.calls import AdminCall
from moldau.client.core.admin.declared import declared
from moldau.client.core.admin.fulfilment import Failure, Plan, failure_or, fulfil_one
from moldau.client.core.admin.routes import AtBroker, ToController
from moldau.client.core.dialogue import Dialogue
from moldau.client.errors import InvalidArgumentError
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.security.create_delegation_token import (
    CreateDelegationTokenRequest,
    CreateDelegationTokenResponse,
)
from moldau.protocol.messages.security.describe_delegation_token import (
    DescribeDelegationTokenRequest,
    DescribeDelegationTokenResponse,
)
from moldau.protocol.messages.security.expire_delegation_token import (
    ExpireDelegationTokenRequest,
    ExpireDelegationTokenResponse,
)
from moldau.protocol.messages.security.renew_delegation_token import (
    RenewDelegationTokenRequest,
    RenewDelegationTokenResponse,
)

__all__ = [
    "DelegationToken",
    "create_delegation_token",
    "describe_delegation_token",
    "expire_delegation_token",
    "renew_delegation_token",
]

OWNERS_SINCE = 3
BY_THE_SERVER = -1
Renewer = CreateDelegationTokenRequest.CreatableRenewers
Owner = DescribeDelegationTokenRequest.DescribeDelegationTokenOwner
Expiry: TypeAlias = RenewDelegationTokenResponse | ExpireDelegationTokenResponse


@dataclass(frozen=True, slots=True)
class DelegationToken:
    """A token; times are milliseconds since 1970."""

    token_id: str
    """The user name to log in with by SCRAM."""
    hmac: bytes
    owner: str
    requester: str
    renewers: tuple[str, ...]
    issued_ms: int
    expires_ms: int
    """It ends then unless it is renewed."""
    max_ms: int
    """No renewal goes beyond."""

    @property
    def password(self) -> str:
        """To log in with."""
        return b64encode(self.hmac).decode()

    def __repr__(self) -> str:
        return f"DelegationToken({self.token_id!r}, of {self.owner}, expires_ms={self.expires_ms})"


@declared
def create_delegation_token(
    call: AdminCall,
    *,
    renewers: Iterable[str] = (),
    max_lifetime_ms: int | None = None,
    owner: str | None = None,
) -> Dialogue[DelegationToken]:
    """For the caller, or for another owner, who are principals such as `User:alice`."""
    may_renew = tuple(renewers)
    owner_type, owner_name = (None, None) if owner is None else _principal(owner)
    request = CreateDelegationTokenRequest(
        owner_principal_type=owner_type,
        owner_principal_name=owner_name,
        renewers=[
            Renewer(principal_type=kind, principal_name=name)
            for kind, name in map(_principal, may_renew)
        ],
        max_lifetime_ms=BY_THE_SERVER if max_lifetime_ms is None else max_lifetime_ms,
    )

    def read(
        answer: CreateDelegationTokenResponse, keys: Sequence[None]
    ) -> Iterator[tuple[None, DelegationToken | Failure]]:
        owned_by = f"{answer.principal_type}:{answer.principal_name}"
        kind, name = answer.token_requester_principal_type, answer.token_requester_principal_name
        token = DelegationToken(
            answer.token_id,
            bytes(answer.hmac),
            owned_by,
            f"{kind}:{name}" if kind else owned_by,
            may_renew,
            answer.issue_timestamp_ms,
            answer.expiry_timestamp_ms,
            answer.max_timestamp_ms,
        )
        yield None, failure_or(answer.error_code, None, token)

    plan = Plan(
        what="creating a delegation token",
        route=ToController[None](),
        request=lambda keys: request,
        read=read,
        noun=lambda key: "delegation token",
        oldest=lambda key: 0 if owner is None else OWNERS_SINCE,
    )
    return fulfil_one(call, plan)


@declared
def renew_delegation_token(
    call: AdminCall, hmac: bytes, period_ms: int | None = None
) -> Dialogue[int]:
    """When it expires now."""
    period = BY_THE_SERVER if period_ms is None else period_ms
    plan = Plan(
        what="renewing a delegation token",
        route=ToController[None](),
        request=lambda keys: RenewDelegationTokenRequest(hmac=hmac, renew_period_ms=period),
        read=_expiry,
        noun=lambda key: "delegation token",
    )
    return fulfil_one(call, plan)


@declared
def expire_delegation_token(
    call: AdminCall, hmac: bytes, period_ms: int | None = None
) -> Dialogue[int]:
    """When it expires now; None ends it at once."""
    period = -1 if period_ms is None else period_ms
    plan = Plan(
        what="ending a delegation token",
        route=ToController[None](),
        request=lambda keys: ExpireDelegationTokenRequest(hmac=hmac, expiry_time_period_ms=period),
        read=_expiry,
        noun=lambda key: "delegation token",
    )
    return fulfil_one(call, plan)


@declared
def describe_delegation_token(
    call: AdminCall, owners: Iterable[str] | None = None
) -> Dialogue[list[DelegationToken]]:
    """Those that the caller may see, of these owners or of all."""
    wanted = None if owners is None else [_principal(owner) for owner in owners]
    request = DescribeDelegationTokenRequest(
        owners=None
        if wanted is None
        else [Owner(principal_type=kind, principal_name=name) for kind, name in wanted]
    )
    plan = Plan(
        what="describing delegation tokens",
        route=AtBroker[None](lambda key: None),
        request=lambda keys: request,
        read=_described,
        noun=lambda key: "delegation tokens",
    )
    return fulfil_one(call, plan)


def _principal(text: str) -> tuple[str, str]:
    kind, colon, name = text.partition(":")
    if not (kind and colon and name):
        raise InvalidArgumentError(
            f"a principal is TYPE:NAME, such as User:alice, and not {text!r}"
        )
    return kind, name


def _expiry(answer: Expiry, keys: Sequence[None]) -> Iterator[tuple[None, int | Failure]]:
    yield None, failure_or(answer.error_code, None, answer.expiry_timestamp_ms)


def _described(
    answer: DescribeDelegationTokenResponse, keys: Sequence[None]
) -> Iterator[tuple[None, list[DelegationToken] | Failure]]:
    yield None, failure_or(answer.error_code, None, [_token(row) for row in answer.tokens])


def _token(row: DescribeDelegationTokenResponse.DescribedDelegationToken) -> DelegationToken:
    owner = f"{row.principal_type}:{row.principal_name}"
    kind, name = row.token_requester_principal_type, row.token_requester_principal_name
    return DelegationToken(
        row.token_id,
        bytes(row.hmac),
        owner,
        f"{kind}:{name}" if kind else owner,
        tuple(f"{one.principal_type}:{one.principal_name}" for one in row.renewers),
        row.issue_timestamp,
        row.expiry_timestamp,
        row.max_timestamp,
    )
