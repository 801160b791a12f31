"""Add access rules; called by admin clients.

A broker forwards it to the active controller. A rule already there succeeds without a record.

Versions: 1 pattern types (KIP-290), 2 flexible, 3 user as a resource type (KIP-373).
"""

from __future__ import annotations

from moldau.wire.schema import Request, Response, Struct
from moldau.wire.types import Int8, Int16, Int32, String


class CreateAclsRequest(
    Request, key=30, versions="1-3", flexible="2+", listeners=("broker", "controller")
):
    """Asks to add rules."""

    creations: list[AclCreation]

    class AclCreation(Struct):
        resource_type: Int8
        resource_name: String
        resource_pattern_type: Int8 = 3
        principal: String
        host: String
        operation: Int8
        permission_type: Int8


class CreateAclsResponse(Response, key=30, versions="1-3", flexible="2+"):
    """Answers for each rule, in the request's order."""

    throttle_time_ms: Int32
    results: list[AclCreationResult]

    class AclCreationResult(Struct):
        error_code: Int16
        error_message: String | None
