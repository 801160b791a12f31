"""SaslHandshake: on a listener without SASL there is no mechanism to choose.

Versions 0-1. Always ILLEGAL_SASL_STATE here: on a SASL listener the flow of authentication takes
the request before any handler sees it.
"""

from __future__ import annotations

from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.protocol.messages.security.sasl_handshake import SaslHandshakeResponse
from moldau.protocol.wire.error_codes import ErrorCode


def handle(call: Call, broker: Broker) -> SaslHandshakeResponse:
    return SaslHandshakeResponse(error_code=ErrorCode.ILLEGAL_SASL_STATE, mechanisms=[])
