"""Describe transactions by their transactional ids; called by admin clients (KIP-664).

The transaction coordinator of each id answers.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import (
    Int16,
    Int32,
    Int64,
    ProducerId,
    String,
    TopicName,
    TransactionalId,
)


class DescribeTransactionsRequest(
    Request, key=65, versions="0", flexible="0+", listeners=("broker",)
):
    """Asks for the state of these transactional ids."""

    transactional_ids: list[TransactionalId]


class DescribeTransactionsResponse(Response, key=65, versions="0", flexible="0+"):
    """Answers with state, times, producer and partitions of each."""

    throttle_time_ms: Int32
    transaction_states: list[TransactionState]

    class TransactionState(Struct):
        error_code: Int16
        transactional_id: TransactionalId
        transaction_state: String
        transaction_timeout_ms: Int32
        transaction_start_time_ms: Int64
        """-1 when none is open."""
        producer_id: ProducerId
        producer_epoch: Int16
        topics: list[TopicData]
        """Once it is ending: only those whose marker is still to be written."""

        class TopicData(Struct):
            topic: TopicName = at(map_key=True)
            partitions: list[Int32]
