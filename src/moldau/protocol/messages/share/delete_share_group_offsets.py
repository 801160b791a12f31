"""Make a share group forget whole topics; called by admin clients (KIP-932).

The group coordinator answers and refuses while the group has members.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import GroupId, Int16, Int32, String, TopicName, Uuid


class DeleteShareGroupOffsetsRequest(
    Request, key=92, versions="0", flexible="0+", listeners=("broker",)
):
    """Asks to drop an empty share group's state of topics."""

    group_id: GroupId
    topics: list[DeleteShareGroupOffsetsRequestTopic]

    class DeleteShareGroupOffsetsRequestTopic(Struct):
        topic_name: TopicName


class DeleteShareGroupOffsetsResponse(Response, key=92, versions="0", flexible="0+"):
    """Answers for each topic."""

    throttle_time_ms: Int32
    error_code: Int16
    error_message: String | None = None
    responses: list[DeleteShareGroupOffsetsResponseTopic]

    class DeleteShareGroupOffsetsResponseTopic(Struct):
        topic_name: TopicName
        topic_id: Uuid
        error_code: Int16
        error_message: String | None = None
