"""Find who coordinates a group, a transactional id or a share partition; any client asks.

Any broker answers: the key's hash picks a partition of `__consumer_offsets`,
`__transaction_state` or `__share_group_state`, and that partition's leader is the coordinator.
The internal topic is created by the first question.

Versions: 1 key type, 3 flexible, 4 many keys at once (KIP-699: other fields both ways),
5 TRANSACTION_ABORTABLE, 6 share partitions, whose key reads `group:topicId:partition` (KIP-932).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import BrokerId, Int8, Int16, Int32, String


class FindCoordinatorRequest(Request, key=10, versions="0-6", flexible="3+", listeners=("broker",)):
    """Asks who coordinates these keys."""

    key: String = at("-3")
    """Group id or transactional id, by the type below."""
    key_type: Int8 = at("1+", default=0)
    """0 group, 1 transactional id, 2 share partition."""
    coordinator_keys: list[String] = at("4+")


class FindCoordinatorResponse(Response, key=10, versions="0-6", flexible="3+"):
    """Answers with a node for each key, or why there is none."""

    throttle_time_ms: Int32 = at("1+", ignorable=True)
    error_code: Int16 = at("-3")
    error_message: String | None = at("1-3", ignorable=True)
    node_id: BrokerId = at("-3")
    """-1 on an error."""
    host: String = at("-3")
    port: Int32 = at("-3")
    coordinators: list[Coordinator] = at("4+")

    class Coordinator(Struct):
        key: String
        node_id: BrokerId
        """-1 on an error."""
        host: String
        port: Int32
        error_code: Int16
        error_message: String | None = at(ignorable=True)
