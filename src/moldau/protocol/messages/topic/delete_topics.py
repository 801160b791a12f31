"""Delete topics by name or id; called by admin clients.

A broker forwards it to the active controller. `delete.topic.enable=false` answers
TOPIC_DELETION_DISABLED.

Versions: 4 flexible, 5 error messages and THROTTLING_QUOTA_EXCEEDED (KIP-599), 6 by id as well
(KIP-516: another list in the request).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Int16, Int32, String, TopicName, Uuid


class DeleteTopicsRequest(
    Request, key=20, versions="1-6", flexible="4+", listeners=("broker", "controller")
):
    """Asks to delete topics and their data."""

    topics: list[DeleteTopicState] = at("6+")
    topic_names: list[TopicName] = at("-5", ignorable=True)
    """The whole request, up to version 5."""
    timeout_ms: Int32

    class DeleteTopicState(Struct):
        name: TopicName | None = None
        """Null when named by id: one of the two, not both."""
        topic_id: Uuid
        """All zero when named by name."""


class DeleteTopicsResponse(Response, key=20, versions="1-6", flexible="4+"):
    """Answers for each topic."""

    throttle_time_ms: Int32 = at(ignorable=True)
    responses: list[DeletableTopicResult]

    class DeletableTopicResult(Struct):
        name: TopicName | None = at(nullable="6+", map_key=True)
        """Null if the id is not known, or the caller may not see the name."""
        topic_id: Uuid = at("6+", ignorable=True)
        error_code: Int16
        error_message: String | None = at("5+", default=None, ignorable=True)
