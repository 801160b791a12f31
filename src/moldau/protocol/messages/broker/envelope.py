"""Pass a client's request on in its name; brokers call it of the active controller (KIP-590).

The bytes within are a whole frame without the size: header and body. The controller authorises the
principal in the envelope, and the sender by ClusterAction. A failure inside the inner request is
in the inner response; the outer error is for the envelope alone.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response
from moldau.protocol.wire.types import Bytes, ByteView, Int16


class EnvelopeRequest(Request, key=58, versions="0", flexible="0+", listeners=("controller",)):
    """Wraps a client's request, with who the client is."""

    request_data: ByteView
    """Request header and body."""
    request_principal: Bytes | None
    """DefaultPrincipalData after a two-byte version, if Kafka's own builder wrote it."""
    client_host_address: Bytes
    """Four bytes or sixteen; access rules by host look at it."""


class EnvelopeResponse(Response, key=58, versions="0", flexible="0+"):
    """Answers with the client's response, header and all."""

    response_data: ByteView | None = None
    """Response header and body; null beside an error."""
    error_code: Int16
