"""DescribeDelegationToken: the tokens that the caller may see, with their secrets (KIP-48).

Versions 1-3: 3 who asked for the token (KIP-373). Answered from this node's image. A caller sees
what it owns or may renew, and what access rules let it describe: the token itself, or all of its
owner.
"""

from __future__ import annotations

from moldau.broker.controller.security.tokens import token_hmac
from moldau.broker.metadata.security import DelegationToken
from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.security.token_access import leave_out_requester, require_login
from moldau.errors import KafkaError
from moldau.protocol.messages.security.describe_delegation_token import (
    DescribeDelegationTokenRequest,
    DescribeDelegationTokenResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

Described = DescribeDelegationTokenResponse.DescribedDelegationToken


def handle(
    call: Call[DescribeDelegationTokenRequest], broker: Broker
) -> DescribeDelegationTokenResponse:
    request = call.request
    require_login(call, broker)
    secret = broker.settings.delegation_token_secret_key
    if not secret:
        text = "this cluster has no delegation.token.secret.key"
        raise KafkaError(ErrorCode.DELEGATION_TOKEN_AUTH_DISABLED, text)
    owners = None
    if request.owners is not None:
        owners = {f"{owner.principal_type}:{owner.principal_name}" for owner in request.owners}
    tokens = [
        _described(token, secret, call.version)
        for token in broker.metadata.image.tokens.by_id.values()
        if (owners is None or not owners.isdisjoint(_parties(token)))
        and _may_see(call, broker, token)
    ]
    return DescribeDelegationTokenResponse(
        error_code=ErrorCode.NONE, tokens=tokens, throttle_time_ms=0
    )


def _may_see(call: Call, broker: Broker, token: DelegationToken) -> bool:
    allows = broker.authorizer.allows
    return (
        str(call.principal) in _parties(token)
        or allows(call, Operation.DESCRIBE, Resource.DELEGATION_TOKEN, token.token_id)
        or allows(call, Operation.DESCRIBE_TOKENS, Resource.USER, token.owner)
    )


def _parties(token: DelegationToken) -> tuple[str, ...]:
    """Whom it concerns; a request for the tokens of an owner means those of all of them."""
    return token.owner, token.requester, *token.renewers


def _described(token: DelegationToken, secret: str, version: int) -> Described:
    owner_type, _, owner_name = token.owner.partition(":")
    requester_type, _, requester_name = token.requester.partition(":")
    renewers = [renewer.partition(":") for renewer in token.renewers]
    described = Described(
        principal_type=owner_type,
        principal_name=owner_name,
        token_requester_principal_type=requester_type,
        token_requester_principal_name=requester_name,
        issue_timestamp=token.issue_timestamp_ms,
        expiry_timestamp=token.expiration_timestamp_ms,
        max_timestamp=token.max_timestamp_ms,
        token_id=token.token_id,
        hmac=token_hmac(token.token_id, secret),
        renewers=[
            Described.DescribedDelegationTokenRenewer(principal_type=kind, principal_name=name)
            for kind, _, name in renewers
        ],
    )
    leave_out_requester(described, version)
    return described
