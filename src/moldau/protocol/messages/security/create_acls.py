"""Add access rules; called by admin clients.

A broker forwards it to the active controller. A rule already there succeeds without a record.

Versions: 1 pattern types (KIP-290), 2 flexible, 3 user as a resource type (KIP-373).
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Int8, Int16, Int32, String


class CreateAclsRequest(
    Request, key=30, versions="1-3", flexible="2+", listeners=("broker", "controller")
):
    """Asks to add rules."""

    creations: list[AclCreation]

    class AclCreation(Struct):
        resource_type: Int8
        """2 topic, 3 group, 4 cluster, 5 transactional id, 6 token, 7 user."""
        resource_name: String
        """`*` means all of them; the cluster is `kafka-cluster`."""
        resource_pattern_type: Int8 = 3
        """3 literal, 4 prefixed."""
        principal: String
        """`User:name`, or `User:*` for every principal."""
        host: String
        """An address, or `*` for everywhere."""
        operation: Int8
        """AclOperation code from 2 on: 2 all, 3 read, 4 write, 5 create, and so on."""
        permission_type: Int8
        """2 deny, 3 allow."""


class CreateAclsResponse(Response, key=30, versions="1-3", flexible="2+"):
    """Answers for each rule, in the request's order."""

    throttle_time_ms: Int32
    results: list[AclCreationResult]

    class AclCreationResult(Struct):
        error_code: Int16
        error_message: String | None
