"""Delegation tokens: short-lived secrets made from one secret of the cluster (KIP-48).

A token is an id, made up and written down, and its HMAC under the cluster's secret key, which is
not: with the key it can be computed from the id. The owner, and the renewers that it chose,
may let it live longer, until its largest lifetime, or end it.
"""

from __future__ import annotations

import hmac

from moldau.broker.controller.decision import Call, Decision
from moldau.broker.controller.situation import Situation
from moldau.broker.metadata.security import DelegationToken
from moldau.errors import KafkaError
from moldau.protocol.messages.security.create_delegation_token import (
    CreateDelegationTokenRequest,
    CreateDelegationTokenResponse,
)
from moldau.protocol.messages.security.expire_delegation_token import (
    ExpireDelegationTokenRequest,
    ExpireDelegationTokenResponse,
)
from moldau.protocol.messages.security.renew_delegation_token import (
    RenewDelegationTokenRequest,
    RenewDelegationTokenResponse,
)
from moldau.protocol.messages.stored.metadata_security import (
    DelegationTokenRecord,
    RemoveDelegationTokenRecord,
)
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.uuids import uuid_text

UUID_BYTES = 16
USER = "User"


def create_token(
    request: CreateDelegationTokenRequest, situation: Situation, call: Call
) -> Decision:
    """Make a token for the caller, or for another owner in whose name it may ask."""
    secret = _secret(situation)
    owner = call.principal
    if request.owner_principal_name:
        owner = f"{request.owner_principal_type}:{request.owner_principal_name}"
    check_renewers(request)
    settings, now_ms = situation.settings, situation.wall_ms
    lifetime_ms = settings.delegation_token_max_lifetime_ms
    if request.max_lifetime_ms > 0:
        lifetime_ms = min(lifetime_ms, request.max_lifetime_ms)
    last_ms = now_ms + lifetime_ms
    token = DelegationToken(
        owner=owner,
        requester=call.principal,
        renewers=tuple(f"{one.principal_type}:{one.principal_name}" for one in request.renewers),
        issue_timestamp_ms=now_ms,
        max_timestamp_ms=last_ms,
        expiration_timestamp_ms=min(last_ms, now_ms + settings.delegation_token_expiry_time_ms),
        token_id=uuid_text(situation.random.randbytes(UUID_BYTES)),
    )
    return Decision([_record(token)], _creation_reply(token, token_hmac(token.token_id, secret)))


def check_renewers(request: CreateDelegationTokenRequest) -> None:
    """Refuse those that are no users."""
    for renewer in request.renewers:
        if renewer.principal_type != USER:
            text = f"a renewer is a User, not a {renewer.principal_type}"
            raise KafkaError(ErrorCode.INVALID_PRINCIPAL_TYPE, text)


def renew_token(request: RenewDelegationTokenRequest, situation: Situation, call: Call) -> Decision:
    """Let a token live longer, counted from now; never by more than the cluster's own period."""
    token = _known(request.hmac, situation)
    _check_alive(token, situation)
    _check_is_allowed(token, call)
    period_ms = situation.settings.delegation_token_expiry_time_ms
    if request.renew_period_ms > 0:
        period_ms = min(period_ms, request.renew_period_ms)
    renewed = _ending(token, situation.wall_ms + period_ms)
    reply = RenewDelegationTokenResponse(
        error_code=0, expiry_timestamp_ms=renewed.expiration_timestamp_ms, throttle_time_ms=0
    )
    return Decision([_record(renewed)], reply)


def expire_token(
    request: ExpireDelegationTokenRequest, situation: Situation, call: Call
) -> Decision:
    """Let a token end at another time, or now."""
    token = _known(request.hmac, situation)
    _check_is_allowed(token, call)
    if request.expiry_time_period_ms < 0:
        reply = ExpireDelegationTokenResponse(
            error_code=0, expiry_timestamp_ms=situation.wall_ms, throttle_time_ms=0
        )
        return Decision([RemoveDelegationTokenRecord(token_id=token.token_id)], reply)
    _check_alive(token, situation)
    ending = _ending(token, situation.wall_ms + request.expiry_time_period_ms)
    reply = ExpireDelegationTokenResponse(
        error_code=0, expiry_timestamp_ms=ending.expiration_timestamp_ms, throttle_time_ms=0
    )
    return Decision([_record(ending)], reply)


def expired_records(situation: Situation) -> list[RemoveDelegationTokenRecord]:
    """Remove what has ended."""
    return [
        RemoveDelegationTokenRecord(token_id=token.token_id)
        for token in situation.image.tokens.by_id.values()
        if token.expiration_timestamp_ms < situation.wall_ms
    ]


def token_hmac(token_id: str, secret: str) -> bytes:
    """What the holder of the token logs in with."""
    return hmac.digest(secret.encode(), token_id.encode(), "sha512")


def _secret(situation: Situation) -> str:
    secret = situation.settings.delegation_token_secret_key
    if not secret:
        text = "this cluster has no delegation.token.secret.key"
        raise KafkaError(ErrorCode.DELEGATION_TOKEN_AUTH_DISABLED, text)
    if not situation.metadata_version.has_delegation_tokens:
        text = "delegation tokens are kept from metadata.version 3.6-IV2 on"
        raise KafkaError(ErrorCode.UNSUPPORTED_VERSION, text)
    return secret


def _known(asked: bytes, situation: Situation) -> DelegationToken:
    secret = _secret(situation)
    for token in situation.image.tokens.by_id.values():
        if hmac.compare_digest(token_hmac(token.token_id, secret), asked):
            return token
    raise KafkaError(ErrorCode.DELEGATION_TOKEN_NOT_FOUND, "no token has this secret")


def _check_is_allowed(token: DelegationToken, call: Call) -> None:
    """The requester of a token for another owner does not decide how long it lives."""
    if call.principal not in (token.owner, *token.renewers):
        text = f"{call.principal} is neither owner nor renewer of the token"
        raise KafkaError(ErrorCode.DELEGATION_TOKEN_OWNER_MISMATCH, text)


def _check_alive(token: DelegationToken, situation: Situation) -> None:
    if min(token.max_timestamp_ms, token.expiration_timestamp_ms) < situation.wall_ms:
        text = "the token has ended; make another one"
        raise KafkaError(ErrorCode.DELEGATION_TOKEN_EXPIRED, text)


def _ending(token: DelegationToken, at_ms: int) -> DelegationToken:
    return token._replace(expiration_timestamp_ms=min(token.max_timestamp_ms, at_ms))


def _record(token: DelegationToken) -> DelegationTokenRecord:
    return DelegationTokenRecord(
        owner=token.owner,
        requester=token.requester,
        renewers=list(token.renewers),
        issue_timestamp=token.issue_timestamp_ms,
        max_timestamp=token.max_timestamp_ms,
        expiration_timestamp=token.expiration_timestamp_ms,
        token_id=token.token_id,
    )


def _creation_reply(token: DelegationToken, secret: bytes) -> CreateDelegationTokenResponse:
    owner_type, _, owner_name = token.owner.partition(":")
    requester_type, _, requester_name = token.requester.partition(":")
    return CreateDelegationTokenResponse(
        error_code=0,
        principal_type=owner_type,
        principal_name=owner_name,
        token_requester_principal_type=requester_type,
        token_requester_principal_name=requester_name,
        issue_timestamp_ms=token.issue_timestamp_ms,
        expiry_timestamp_ms=token.expiration_timestamp_ms,
        max_timestamp_ms=token.max_timestamp_ms,
        token_id=token.token_id,
        hmac=secret,
        throttle_time_ms=0,
    )
