"""Carry one SASL token each way; repeated until the mechanism is through (KIP-152).

Also called later on a live connection to authenticate anew. A failure is answered after a pause,
then the connection is closed.

Versions: 1 the answer limits the session's life (KIP-368), 2 flexible.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response
from moldau.protocol.wire.types import Bytes, Int16, Int64, String


class SaslAuthenticateRequest(
    Request, key=36, versions="0-2", flexible="2+", listeners=("broker", "controller")
):
    """Brings the client's next token."""

    auth_bytes: Bytes
    """As the mechanism has it."""


class SaslAuthenticateResponse(Response, key=36, versions="0-2", flexible="2+"):
    """Answers with the server's next token, or why it failed."""

    error_code: Int16
    error_message: String | None
    """Shown to the client's user: gives no secrets away."""
    auth_bytes: Bytes
    """As the mechanism has it."""
    session_lifetime_ms: Int64 = at("1+", default=0, ignorable=True)
    """After this the client must have authenticated anew; 0: no limit."""
