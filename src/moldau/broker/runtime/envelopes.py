"""Clients' requests that a broker passes on to the active controller: Envelope, the sealing side.

Within is the request as the client sent it, header and body; beside it stand who the client is and
where it comes from, so that the controller judges the client and not the broker. What opens them is
`server.controller.envelope`.
"""

from __future__ import annotations

from ipaddress import ip_address

from moldau.broker.controller.decision import Call, Sender
from moldau.errors import DecodeError, KafkaError
from moldau.protocol.messages.broker.envelope import EnvelopeRequest, EnvelopeResponse
from moldau.protocol.messages.headers import RequestHeader, ResponseHeader
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.messages.stored.principal import DefaultPrincipalData
from moldau.protocol.wire.compile import decode, decode_prefix, encode
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.frame import request_header_version, response_header_version
from moldau.protocol.wire.schema import Message

__all__ = ["open_answer", "seal"]

PRINCIPAL_VERSION = 0
NOWHERE = "0.0.0.0"  # noqa: S104  # sent, not listened on


def seal(request: Message, call: Call, sender: Sender) -> EnvelopeRequest:
    """The request in its envelope."""
    header = RequestHeader(
        request_api_key=request.KEY,
        request_api_version=call.version,
        correlation_id=sender.correlation_id,
        client_id=call.client_id,
    )
    header_version = request_header_version(type(request), call.version)
    return EnvelopeRequest(
        request_data=encode(header, header_version) + encode(request, call.version),
        request_principal=_principal(sender),
        client_host_address=_host(sender.host),
    )


def open_answer(response: EnvelopeResponse, request: Message, version: int) -> Message:
    """The answer within, or `KafkaError` where the envelope itself was refused."""
    code = ErrorCode.read(response.error_code)
    if code is not ErrorCode.NONE:
        raise KafkaError(code, f"the active controller refused the request: {code.message}")
    answer = BY_KEY[request.KEY].response
    if response.response_data is None:
        raise KafkaError(ErrorCode.UNKNOWN_SERVER_ERROR, "the controller's answer is empty")
    try:
        header_version = response_header_version(answer, version)
        _, start = decode_prefix(ResponseHeader, header_version, response.response_data)
        return decode(answer, version, memoryview(response.response_data)[start:])
    except DecodeError as error:
        text = f"the controller's answer cannot be read: {error}"
        raise KafkaError(ErrorCode.UNKNOWN_SERVER_ERROR, text) from error


def _principal(sender: Sender) -> bytes:
    data = DefaultPrincipalData(
        type=sender.principal.kind,
        name=sender.principal.name,
        token_authenticated=sender.principal.token_authenticated,
    )
    return PRINCIPAL_VERSION.to_bytes(2, "big") + encode(data, PRINCIPAL_VERSION)


def _host(host: str) -> bytes:
    """Its bytes; a name that is no address, as in a simulated world, is nowhere."""
    try:
        return ip_address(host.partition("%")[0]).packed
    except ValueError:
        return ip_address(NOWHERE).packed
