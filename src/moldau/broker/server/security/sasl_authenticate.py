"""SaslAuthenticate: on a listener without SASL there is nothing to prove.

Versions 0-2. Always ILLEGAL_SASL_STATE here, for the reason that SaslHandshake has.
"""

from __future__ import annotations

from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.protocol.messages.security.sasl_authenticate import SaslAuthenticateResponse
from moldau.protocol.wire.error_codes import ErrorCode


def handle(call: Call, broker: Broker) -> SaslAuthenticateResponse:
    return SaslAuthenticateResponse(
        error_code=ErrorCode.ILLEGAL_SASL_STATE,
        error_message="SaslAuthenticate request received after successful authentication",
        auth_bytes=b"",
    )
