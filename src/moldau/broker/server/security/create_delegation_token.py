"""CreateDelegationToken: a short-lived secret to log in with (KIP-48).

Versions 1-3: 3 tokens for another principal (KIP-373), for which the caller needs the right to
create tokens of that user. The controller decides (`controller.security.tokens`). A refusal names
the owner and who asked, as the token would.
"""

from __future__ import annotations

from typing import cast

from moldau.broker.controller.security.tokens import check_renewers
from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.controller.access import forward, require
from moldau.broker.server.security.token_access import (
    AT_NO_TIME,
    leave_out_requester,
    require_login,
)
from moldau.errors import KafkaError
from moldau.network.principal import Principal
from moldau.protocol.messages.security.create_delegation_token import (
    CreateDelegationTokenRequest,
    CreateDelegationTokenResponse,
)

AT_NO_TIME_OF_CONTROLLERS = 0
"""The times of a token that the controller refuses to make; where it is not asked they are -1."""


async def handle(
    call: Call[CreateDelegationTokenRequest], broker: Broker
) -> CreateDelegationTokenResponse:
    request = call.request
    owner = call.principal
    if request.owner_principal_name:
        owner = Principal(request.owner_principal_type or "", request.owner_principal_name)
    at = AT_NO_TIME
    try:
        require_login(call, broker)
        if str(owner) != str(call.principal):
            require(call, broker, Operation.CREATE_TOKENS, Resource.USER, str(owner))
        if not broker.serves_controllers(call.listener):
            check_renewers(request)
        at = AT_NO_TIME_OF_CONTROLLERS
        answer = cast("CreateDelegationTokenResponse", await forward(call, broker, request))
    except KafkaError as error:
        answer = _refused(error, call, owner, at)
    leave_out_requester(answer, call.version)
    return answer


def _refused(
    error: KafkaError, call: Call, owner: Principal, at: int
) -> CreateDelegationTokenResponse:
    return CreateDelegationTokenResponse(
        error_code=error.code,
        principal_type=owner.kind,
        principal_name=owner.name,
        token_requester_principal_type=call.principal.kind,
        token_requester_principal_name=call.principal.name,
        issue_timestamp_ms=at,
        expiry_timestamp_ms=at,
        max_timestamp_ms=at,
        token_id="",
        hmac=b"",
        throttle_time_ms=0,
    )
