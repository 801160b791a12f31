"""Add the group's offsets partition to a transaction; called by TV1 clients before TxnOffsetCommit.

The transaction coordinator answers: it finds the partition of `__consumer_offsets` by the group id
and adds it like any other. KIP-890 clients leave this to the group coordinator.

Versions: 2 PRODUCER_FENCED, 3 flexible, 4 TRANSACTION_ABORTABLE.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response
from moldau.protocol.wire.types import GroupId, Int16, Int32, ProducerId, TransactionalId


class AddOffsetsToTxnRequest(Request, key=25, versions="0-4", flexible="3+", listeners=("broker",)):
    """Asks that a group's offsets become part of the transaction."""

    transactional_id: TransactionalId
    producer_id: ProducerId
    producer_epoch: Int16
    group_id: GroupId


class AddOffsetsToTxnResponse(Response, key=25, versions="0-4", flexible="3+"):
    """Answers whether they are part of it now."""

    throttle_time_ms: Int32
    error_code: Int16
