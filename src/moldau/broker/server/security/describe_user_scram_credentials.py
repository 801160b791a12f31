"""DescribeUserScramCredentials: who can log in by SCRAM, and how (KIP-554).

Version 0. Answered from this node's image. Nothing that a login could be made of is shown.
"""

from __future__ import annotations

from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call, Slices
from moldau.broker.server.controller.access import require
from moldau.platform.slices import counted, each
from moldau.protocol.messages.security.describe_user_scram_credentials import (
    DescribeUserScramCredentialsRequest,
    DescribeUserScramCredentialsResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

Result = DescribeUserScramCredentialsResponse.DescribeUserScramCredentialsResult


def handle(
    call: Call[DescribeUserScramCredentialsRequest], broker: Broker
) -> Slices[None, None, DescribeUserScramCredentialsResponse]:
    request = call.request
    require(call, broker, Operation.DESCRIBE)
    infos: dict[str, list[Result.CredentialInfo]] = {}
    for (mechanism, user), stored in sorted(broker.metadata.image.scram.by_user.items()):
        infos.setdefault(user, []).append(
            Result.CredentialInfo(mechanism=mechanism, iterations=stored.iterations)
        )
    asked = yield from counted(user.name for user in request.users or ())
    results = yield from each(lambda user: _result(user, infos, asked[user]), asked or infos)
    return DescribeUserScramCredentialsResponse(
        throttle_time_ms=0, error_code=ErrorCode.NONE, error_message=None, results=results
    )


def _result(user: str, infos: dict[str, list[Result.CredentialInfo]], times: int) -> Result:
    code, message = ErrorCode.NONE, None
    if times > 1:
        code, message = ErrorCode.DUPLICATE_RESOURCE, f"the request names user {user!r} twice"
    elif user not in infos:
        code, message = ErrorCode.RESOURCE_NOT_FOUND, f"user {user!r} has no SCRAM credentials"
    return Result(
        user=user,
        error_code=code,
        error_message=message,
        credential_infos=[] if code else infos[user],
    )
