"""List delegation tokens; called by admin clients (KIP-48).

Any broker answers from its image of the metadata, with tokens that the caller owns, may renew or is
allowed to describe. The secret is in the answer.

Versions: 2 flexible, 3 who asked for the token (KIP-373).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bytes, Int16, Int32, Int64, String


class DescribeDelegationTokenRequest(
    Request, key=41, versions="1-3", flexible="2+", listeners=("broker", "controller")
):
    """Asks for the tokens of these owners, or of all."""

    owners: list[DescribeDelegationTokenOwner] | None
    """Null means all."""

    class DescribeDelegationTokenOwner(Struct):
        principal_type: String
        principal_name: String


class DescribeDelegationTokenResponse(Response, key=41, versions="1-3", flexible="2+"):
    """Answers with the tokens the caller may see."""

    error_code: Int16
    tokens: list[DescribedDelegationToken]
    throttle_time_ms: Int32

    class DescribedDelegationToken(Struct):
        principal_type: String
        principal_name: String
        token_requester_principal_type: String = at("3+")
        token_requester_principal_name: String = at("3+")
        issue_timestamp: Int64
        expiry_timestamp: Int64
        """Ends here unless renewed."""
        max_timestamp: Int64
        """No renewal goes beyond."""
        token_id: String
        hmac: Bytes
        renewers: list[DescribedDelegationTokenRenewer]

        class DescribedDelegationTokenRenewer(Struct):
            principal_type: String
            principal_name: String
