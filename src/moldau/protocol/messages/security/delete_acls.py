"""Remove access rules by filter; called by admin clients.

A broker forwards it to the active controller.

Versions: 1 pattern types (KIP-290), 2 flexible, 3 user as a resource type (KIP-373).
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Int8, Int16, Int32, String


class DeleteAclsRequest(
    Request, key=31, versions="1-3", flexible="2+", listeners=("broker", "controller")
):
    """Asks to remove every rule that matches any filter."""

    filters: list[DeleteAclsFilter]

    class DeleteAclsFilter(Struct):
        resource_type_filter: Int8
        """1 any, 2 topic, 3 group, 4 cluster, 5 transactional id, 6 token, 7 user."""
        resource_name_filter: String | None
        """Null matches any."""
        pattern_type_filter: Int8 = 3
        """1 any, 2 whatever would apply to the name, 3 literal, 4 prefixed."""
        principal_filter: String | None
        """Null matches any."""
        host_filter: String | None
        """Null matches any."""
        operation: Int8
        """AclOperation code: 1 any, 2 all, 3 read, 4 write, 5 create, and so on."""
        permission_type: Int8
        """1 any, 2 deny, 3 allow."""


class DeleteAclsResponse(Response, key=31, versions="1-3", flexible="2+"):
    """Answers for each filter with the rules it hit, in the request's order."""

    throttle_time_ms: Int32
    filter_results: list[DeleteAclsFilterResult]

    class DeleteAclsFilterResult(Struct):
        error_code: Int16
        error_message: String | None
        matching_acls: list[DeleteAclsMatchingAcl]

        class DeleteAclsMatchingAcl(Struct):
            """A rule that was hit."""

            error_code: Int16
            error_message: String | None
            resource_type: Int8
            """2 topic, 3 group, 4 cluster, 5 transactional id, 6 token, 7 user."""
            resource_name: String
            pattern_type: Int8 = 3
            """3 literal, 4 prefixed."""
            principal: String
            host: String
            operation: Int8
            permission_type: Int8
            """2 deny, 3 allow."""
