"""Describe classic groups; called by admin clients.

The coordinator of each group answers. An unknown group was reported as Dead with no error until
version 5; from 6 on it is GROUP_ID_NOT_FOUND with a message (KIP-1043).

Versions: 3 authorized operations, 4 instance ids (KIP-345), 5 flexible, 6 as above.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bool, Bytes, GroupId, Int16, Int32, String


class DescribeGroupsRequest(Request, key=15, versions="0-6", flexible="5+", listeners=("broker",)):
    """Asks for state, protocol and members of classic groups."""

    groups: list[GroupId]
    include_authorized_operations: Bool = at("3+")


class DescribeGroupsResponse(Response, key=15, versions="0-6", flexible="5+"):
    """Answers with each group as its coordinator sees it."""

    throttle_time_ms: Int32 = at("1+", ignorable=True)
    groups: list[DescribedGroup]

    class DescribedGroup(Struct):
        error_code: Int16
        error_message: String | None = at("6+", default=None)
        group_id: GroupId
        group_state: String
        protocol_type: String
        protocol_data: String
        """The chosen assignor."""
        members: list[DescribedGroupMember]
        authorized_operations: Int32 = at("3+", default=-2_147_483_648)
        """Bit n is set if the caller may do ACL operation n; the smallest int: not asked
        for.
        """

        class DescribedGroupMember(Struct):
            member_id: String
            group_instance_id: String | None = at("4+", default=None, ignorable=True)
            """Null for dynamic members."""
            client_id: String
            client_host: String
            member_metadata: Bytes
            """For the chosen assignor alone."""
            member_assignment: Bytes
