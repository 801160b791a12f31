"""Fetch requests of tests, and what is in their answers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from moldau.broker.log.segment.file_slice import FileSlice
from moldau.network.connection import Connection
from moldau.network.receiving import Receiving
from moldau.platform.ports.network import Address
from moldau.platform.system.clock import SystemClock
from moldau.protocol.messages.data.fetch import FetchRequest
from tests.broker.server.data_broker import topic_id

TWO: dict[str, Any] = {"replicas": [1, 2], "isr": [1, 2], "directories": [bytes(16), bytes(16)]}
NO_ONE = cast("Any", None)
LINK = cast("Any", SimpleNamespace(peer=Address("127.0.0.1", 1)))
SENDER = Connection(LINK, Receiving(SystemClock(), NO_ONE), NO_ONE, NO_ONE)
"""The connection that a request came on; nothing is asked of it."""
Asked = FetchRequest.FetchTopic.FetchPartition


def fetch(
    offset: int = 0, *, topic: str = "topic", indexes: tuple[int, ...] = (0,), **fields: Any
) -> FetchRequest:
    of_partition = {
        name: fields.pop(name)
        for name in ("current_leader_epoch", "last_fetched_epoch")
        if name in fields
    }
    asked = [
        Asked(
            partition=index,
            fetch_offset=offset,
            partition_max_bytes=fields.get("partition_max_bytes", 1 << 20),
            **of_partition,
        )
        for index in indexes
    ]
    fields.pop("partition_max_bytes", None)
    topics = [FetchRequest.FetchTopic(topic=topic, topic_id=topic_id(topic), partitions=asked)]
    given = {"max_wait_ms": 500, "min_bytes": 1, "topics": topics, **fields}
    given.setdefault("replica_state", FetchRequest.ReplicaState())
    return FetchRequest(forgotten_topics_data=[], **given)


def responses_of(response: Any) -> list[Any]:
    return [one for topic in response.responses for one in topic.partitions]


def only(response: Any) -> Any:
    (one,) = responses_of(response)
    return one


def bytes_of(data: Any) -> bytes:
    records = data.records
    return records.read() if isinstance(records, FileSlice) else bytes(records)
