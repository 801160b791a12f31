"""Delete groups together with their offsets; called by admin clients.

The coordinator refuses with NON_EMPTY_GROUP while there are members. Works for every group type.

Version 2 changes the encoding alone: it is flexible.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import GroupId, Int16, Int32


class DeleteGroupsRequest(Request, key=42, versions="0-2", flexible="2+", listeners=("broker",)):
    """Asks to delete groups that have no members."""

    groups_names: list[GroupId]


class DeleteGroupsResponse(Response, key=42, versions="0-2", flexible="2+"):
    """Answers for each group."""

    throttle_time_ms: Int32
    results: list[DeletableGroupResult]

    class DeletableGroupResult(Struct):
        group_id: GroupId = at(map_key=True)
        error_code: Int16
