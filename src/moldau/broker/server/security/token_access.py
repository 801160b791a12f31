"""Who may have anything to do with delegation tokens (KIP-48).

A token is as good as a login, so only an authenticated client may ask for one: not
through a listener without proof, and not with a token, or it would live for ever.
"""

from __future__ import annotations

from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.errors import KafkaError
from moldau.network.principal import ANONYMOUS
from moldau.protocol.messages.security.create_delegation_token import CreateDelegationTokenResponse
from moldau.protocol.messages.security.describe_delegation_token import (
    DescribeDelegationTokenResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

Creation = CreateDelegationTokenResponse
Description = DescribeDelegationTokenResponse.DescribedDelegationToken

PLAINTEXT = "PLAINTEXT"
REQUESTER_SINCE = 3
"""The version of CreateDelegationToken and DescribeDelegationToken (KIP-373)."""
AT_NO_TIME = -1
"""When a token expires that is not the caller's; Kafka's other refusals say 0."""


def require_login(call: Call, broker: Broker) -> None:
    """Refuse a caller that is not authenticated, or only by a token."""
    if has_logged_in(call, broker):
        return
    text = "tokens are for those who logged in by SASL or TLS, and not with a token"
    raise KafkaError(ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED, text)


def leave_out_requester(token: Creation | Description, version: int) -> None:
    """Older versions have no place for who asked for the token."""
    if version < REQUESTER_SINCE:
        token.token_requester_principal_type = token.token_requester_principal_name = ""


def has_logged_in(call: Call, broker: Broker) -> bool:
    protocol = broker.settings.protocols.get(call.listener, call.listener)
    anonymous = call.principal == ANONYMOUS
    return protocol != PLAINTEXT and not call.principal.token_authenticated and not anonymous
