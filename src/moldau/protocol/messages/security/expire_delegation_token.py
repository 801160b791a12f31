"""Let a delegation token end earlier or now; called by its owner or a renewer (KIP-48).

A broker forwards it to the active controller.

Version 2 changes the encoding alone: it is flexible.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response
from moldau.protocol.wire.types import Bytes, Int16, Int32, Int64


class ExpireDelegationTokenRequest(
    Request, key=40, versions="1-2", flexible="2+", listeners=("broker", "controller")
):
    """Asks for another expiry of a token, or its end."""

    hmac: Bytes
    """Which token: its secret, not its id."""
    expiry_time_period_ms: Int64
    """Counted from now; below 0 the token ends at once."""


class ExpireDelegationTokenResponse(Response, key=40, versions="1-2", flexible="2+"):
    """Answers with the new expiry."""

    error_code: Int16
    expiry_timestamp_ms: Int64
    throttle_time_ms: Int32
