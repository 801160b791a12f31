"""List the groups that one broker coordinates; called by admin clients, on every broker in turn.

Groups of every type are in the answer, also simple ones that only commit offsets.

Versions: 3 flexible, 4 filter by state, and the state in the answer (KIP-518), 5 the same for the
type: classic, consumer, share, streams (KIP-848).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import GroupId, Int16, Int32, String


class ListGroupsRequest(Request, key=16, versions="0-5", flexible="3+", listeners=("broker",)):
    """Asks which groups this broker coordinates."""

    states_filter: list[String] = at("4+")
    """Names of states in any case of letters; none means all."""
    types_filter: list[String] = at("5+")
    """`classic`, `consumer`, `share`, `streams`; none means all."""


class ListGroupsResponse(Response, key=16, versions="0-5", flexible="3+"):
    """Answers with one line per group."""

    throttle_time_ms: Int32 = at("1+", ignorable=True)
    error_code: Int16
    groups: list[ListedGroup]

    class ListedGroup(Struct):
        group_id: GroupId
        protocol_type: String
        """Empty for groups that only commit."""
        group_state: String = at("4+", ignorable=True)
        group_type: String = at("5+", ignorable=True)
