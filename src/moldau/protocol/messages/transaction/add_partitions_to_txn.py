"""Add partitions to a transaction, or ask whether they are in it.

The transaction coordinator answers. Two dialects share the key: up to version 3 clients call it for
one transaction, from 4 on brokers call it for many at once: to verify on behalf of older clients,
or to add on behalf of KIP-890 clients, which never call it themselves. The fields of the client
dialect carry `v3_and_below` in their names.

Versions: 2 PRODUCER_FENCED, 3 flexible, 4 batches and verify-only, 5 TRANSACTION_ABORTABLE.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bool, Int16, Int32, ProducerId, TopicName, TransactionalId


class AddPartitionsToTxnRequest(
    Request, key=24, versions="0-5", flexible="3+", listeners=("broker",)
):
    """Asks to add partitions to transactions, or only to look."""

    transactions: list[AddPartitionsToTxnTransaction] = at("4+")
    """From brokers."""
    v3_and_below_transactional_id: TransactionalId = at("-3")
    """From clients, with the next three."""
    v3_and_below_producer_id: ProducerId = at("-3")
    v3_and_below_producer_epoch: Int16 = at("-3")
    v3_and_below_topics: list[AddPartitionsToTxnTopic] = at("-3")

    class AddPartitionsToTxnTransaction(Struct):
        transactional_id: TransactionalId = at(map_key=True)
        producer_id: ProducerId
        producer_epoch: Int16
        verify_only: Bool = False
        """Look whether they are in the transaction; add nothing."""
        topics: list[AddPartitionsToTxnRequest.AddPartitionsToTxnTopic]

    class AddPartitionsToTxnTopic(Struct):
        name: TopicName = at(map_key=True)
        partitions: list[Int32]


class AddPartitionsToTxnResponse(Response, key=24, versions="0-5", flexible="3+"):
    """Answers for each partition of each transaction."""

    throttle_time_ms: Int32
    error_code: Int16 = at("4+", ignorable=True)
    """Concerns the call as a whole, such as missing rights of the broker."""
    results_by_transaction: list[AddPartitionsToTxnResult] = at("4+")
    """To brokers."""
    results_by_topic_v3_and_below: list[AddPartitionsToTxnTopicResult] = at("-3")
    """To clients."""

    class AddPartitionsToTxnResult(Struct):
        transactional_id: TransactionalId = at(map_key=True)
        topic_results: list[AddPartitionsToTxnResponse.AddPartitionsToTxnTopicResult]

    class AddPartitionsToTxnTopicResult(Struct):
        name: TopicName = at(map_key=True)
        results_by_partition: list[AddPartitionsToTxnResponse.AddPartitionsToTxnPartitionResult]

    class AddPartitionsToTxnPartitionResult(Struct):
        partition_index: Int32 = at(map_key=True)
        partition_error_code: Int16
