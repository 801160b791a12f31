"""Store a group's positions inside a transaction; called by read-process-write applications.

The group coordinator answers. The offsets stay invisible until the transaction's marker reaches
their partition of `__consumer_offsets`.

Versions: 2 leader epoch, 3 member, instance and generation, so that zombies are fenced (KIP-447),
flexible, 4 TRANSACTION_ABORTABLE, 5 the coordinator itself adds its partition to the transaction
(KIP-890; clients of older clusters stay at 4).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import (
    GroupId,
    Int16,
    Int32,
    Int64,
    ProducerId,
    String,
    TopicName,
    TransactionalId,
)


class TxnOffsetCommitRequest(Request, key=28, versions="0-5", flexible="3+", listeners=("broker",)):
    """Asks to store offsets that count only if the transaction commits."""

    transactional_id: TransactionalId
    group_id: GroupId
    producer_id: ProducerId
    producer_epoch: Int16
    generation_id: Int32 = at("3+", default=-1)
    """-1 with an empty member id: not a member, not fenced."""
    member_id: String = at("3+", default="")
    group_instance_id: String | None = at("3+", default=None)
    """Null for dynamic members."""
    topics: list[TxnOffsetCommitRequestTopic]

    class TxnOffsetCommitRequestTopic(Struct):
        name: TopicName
        partitions: list[TxnOffsetCommitRequestPartition]

        class TxnOffsetCommitRequestPartition(Struct):
            partition_index: Int32
            committed_offset: Int64
            """The next record to read."""
            committed_leader_epoch: Int32 = at("2+", default=-1, ignorable=True)
            """Leader epoch of the last record consumed; -1 if not known."""
            committed_metadata: String | None


class TxnOffsetCommitResponse(Response, key=28, versions="0-5", flexible="3+"):
    """Answers for each partition."""

    throttle_time_ms: Int32
    topics: list[TxnOffsetCommitResponseTopic]

    class TxnOffsetCommitResponseTopic(Struct):
        name: TopicName
        partitions: list[TxnOffsetCommitResponsePartition]

        class TxnOffsetCommitResponsePartition(Struct):
            partition_index: Int32
            error_code: Int16
