"""List access rules; called by admin clients.

Broker and controller answer from their own image of the metadata; without an authorizer it is
SECURITY_DISABLED. Enumerations start with 0 unknown and 1 any; see the fields.

Versions: 1 pattern types (KIP-290), 2 flexible, 3 user as a resource type (KIP-373).
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Int8, Int16, Int32, String


class DescribeAclsRequest(
    Request, key=29, versions="1-3", flexible="2+", listeners=("broker", "controller")
):
    """Asks for the rules that match one filter."""

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


class DescribeAclsResponse(Response, key=29, versions="1-3", flexible="2+"):
    """Answers with rules, gathered by resource."""

    throttle_time_ms: Int32
    error_code: Int16
    error_message: String | None
    resources: list[DescribeAclsResource]

    class DescribeAclsResource(Struct):
        resource_type: Int8
        """2 topic, 3 group, 4 cluster, 5 transactional id, 6 token, 7 user."""
        resource_name: String
        pattern_type: Int8 = 3
        """3 literal, 4 prefixed."""
        acls: list[AclDescription]

        class AclDescription(Struct):
            principal: String
            host: String
            operation: Int8
            permission_type: Int8
            """2 deny, 3 allow."""
