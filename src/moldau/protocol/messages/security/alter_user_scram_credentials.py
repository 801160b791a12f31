"""Set and delete SCRAM credentials; called by admin clients (KIP-554).

A broker forwards it to the active controller. The password itself never travels: the client salts
it. A user named twice is refused with DUPLICATE_RESOURCE.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bytes, Int8, Int16, Int32, String


class AlterUserScramCredentialsRequest(
    Request, key=51, versions="0", flexible="0+", listeners=("broker", "controller")
):
    """Asks to delete and to upsert credentials."""

    deletions: list[ScramCredentialDeletion]
    upsertions: list[ScramCredentialUpsertion]

    class ScramCredentialDeletion(Struct):
        name: String
        mechanism: Int8
        """1 SCRAM-SHA-256, 2 SCRAM-SHA-512."""

    class ScramCredentialUpsertion(Struct):
        name: String
        mechanism: Int8
        """1 SCRAM-SHA-256, 2 SCRAM-SHA-512."""
        iterations: Int32
        """4096 to 16384."""
        salt: Bytes
        salted_password: Bytes
        """The password after all iterations; keys are derived by the controller."""


class AlterUserScramCredentialsResponse(Response, key=51, versions="0", flexible="0+"):
    """Answers for each user."""

    throttle_time_ms: Int32
    results: list[AlterUserScramCredentialsResult]

    class AlterUserScramCredentialsResult(Struct):
        user: String
        error_code: Int16
        error_message: String | None
