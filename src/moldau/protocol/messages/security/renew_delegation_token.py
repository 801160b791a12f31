"""Let a delegation token live longer; called by its owner or a renewer (KIP-48).

A broker forwards it to the active controller. No renewal goes beyond the token's largest lifetime.

Version 2 changes the encoding alone: it is flexible.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response
from moldau.protocol.wire.types import Bytes, Int16, Int32, Int64


class RenewDelegationTokenRequest(
    Request, key=39, versions="1-2", flexible="2+", listeners=("broker", "controller")
):
    """Asks for a later expiry of a token."""

    hmac: Bytes
    """Which token: its secret, not its id."""
    renew_period_ms: Int64
    """Counted from now; -1 leaves it to the server."""


class RenewDelegationTokenResponse(Response, key=39, versions="1-2", flexible="2+"):
    """Answers with the new expiry."""

    error_code: Int16
    expiry_timestamp_ms: Int64
    throttle_time_ms: Int32
