"""List transactional ids; called by admin clients on every broker in turn (KIP-664).

Each broker answers for the ids that it coordinates. A transaction must pass every filter given.

Versions: 1 filter by age (KIP-994), 2 filter by pattern (KIP-1152: a bad one is
INVALID_REGULAR_EXPRESSION).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Int16, Int32, Int64, ProducerId, String, TransactionalId


class ListTransactionsRequest(
    Request, key=66, versions="0-2", flexible="0+", listeners=("broker",)
):
    """Asks which transactional ids this broker coordinates."""

    state_filters: list[String]
    """None means all."""
    producer_id_filters: list[ProducerId]
    """None means all."""
    duration_filter: Int64 = at("1+", default=-1)
    """Only those open longer than this, in milliseconds; below 0 all."""
    transactional_id_pattern: String | None = at("2+", default=None)
    """RE2 syntax for the whole id; null or empty means all."""


class ListTransactionsResponse(Response, key=66, versions="0-2", flexible="0+"):
    """Answers with id, producer and state of each."""

    throttle_time_ms: Int32
    error_code: Int16
    unknown_state_filters: list[String]
    """Names asked for that are no states."""
    transaction_states: list[TransactionState]

    class TransactionState(Struct):
        transactional_id: TransactionalId
        producer_id: ProducerId
        transaction_state: String
