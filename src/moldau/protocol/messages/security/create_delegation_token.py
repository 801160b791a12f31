"""Make a delegation token, a short-lived secret to log in with; called by admin clients (KIP-48).

A broker forwards it to the active controller, unless the caller's own login forbids it
(DELEGATION_TOKEN_REQUEST_NOT_ALLOWED: such as a login with a token).

Versions: 2 flexible, 3 tokens for another principal (KIP-373).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bytes, Int16, Int32, Int64, String


class CreateDelegationTokenRequest(
    Request, key=38, versions="1-3", flexible="2+", listeners=("broker", "controller")
):
    """Asks for a token for the caller or another owner."""

    owner_principal_type: String | None = at("3+")
    """Null with the name: the caller."""
    owner_principal_name: String | None = at("3+")
    renewers: list[CreatableRenewers]
    """Who may renew it besides the owner."""
    max_lifetime_ms: Int64
    """-1 leaves it to the server, which also bounds it."""

    class CreatableRenewers(Struct):
        """A principal that may renew the token."""

        principal_type: String
        principal_name: String


class CreateDelegationTokenResponse(Response, key=38, versions="1-3", flexible="2+"):
    """Answers with the token, its secret and its times."""

    error_code: Int16
    principal_type: String
    principal_name: String
    token_requester_principal_type: String = at("3+")
    token_requester_principal_name: String = at("3+")
    issue_timestamp_ms: Int64
    expiry_timestamp_ms: Int64
    """Ends here unless renewed."""
    max_timestamp_ms: Int64
    """No renewal goes beyond."""
    token_id: String
    """The user name to log in with by SCRAM."""
    hmac: Bytes
    """The password to log in with, as base64."""
    throttle_time_ms: Int32
