"""Who sends a batch, what came of it, and where its records are then."""

from __future__ import annotations

from typing import NamedTuple

from moldau.client.errors import ClientError

__all__ = ["Identity", "Outcome", "RecordMetadata"]


class RecordMetadata(NamedTuple):
    """Where a record is now."""

    topic: str
    partition: int
    offset: int
    """-1 where the brokers did not return it, as with acks=0."""
    timestamp: int


class Identity(NamedTuple):
    """Who a producer is to the brokers, which recognise by it what is sent again."""

    producer_id: int = -1
    epoch: int = -1


class Outcome(NamedTuple):
    """What came of a batch."""

    base_offset: int = -1
    log_append_time: int = -1
    error: ClientError | None = None
