"""List the users that have SCRAM credentials; called by admin clients (KIP-554).

Any broker answers from its image of the metadata. Salts and keys never leave the cluster.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Int8, Int16, Int32, String


class DescribeUserScramCredentialsRequest(
    Request, key=50, versions="0", flexible="0+", listeners=("broker", "controller")
):
    """Asks which SCRAM mechanisms users can use."""

    users: list[UserName] | None
    """Null or empty means all."""

    class UserName(Struct):
        name: String


class DescribeUserScramCredentialsResponse(Response, key=50, versions="0", flexible="0+"):
    """Answers with mechanisms and iterations of each user."""

    throttle_time_ms: Int32
    error_code: Int16
    error_message: String | None
    results: list[DescribeUserScramCredentialsResult]

    class DescribeUserScramCredentialsResult(Struct):
        user: String
        error_code: Int16
        error_message: String | None
        credential_infos: list[CredentialInfo]

        class CredentialInfo(Struct):
            mechanism: Int8
            """1 SCRAM-SHA-256, 2 SCRAM-SHA-512."""
            iterations: Int32
