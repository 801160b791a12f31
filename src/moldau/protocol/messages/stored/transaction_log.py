"""Transactions in `__transaction_state`, key type 0, written by transaction coordinators.

One record per change of state, keyed by transactional id, whole each time; a null value forgets an
expired id. Keys begin with the key type, values with the version, each two bytes.

Value version 1 is flexible and written from transaction.version 1 on; its tags came with KIP-890.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import CoordinatorKey, CoordinatorValue, Struct
from moldau.protocol.wire.types import Int8, Int16, Int32, Int64, String


class TransactionLogKey(CoordinatorKey, key=0, versions="0"):
    """Names a transactional id."""

    transactional_id: String


class TransactionLogValue(CoordinatorValue, key=0, versions="0-1", flexible="1+"):
    """Records where its transaction stands."""

    producer_id: Int64
    previous_producer_id: Int64 = at("1+", default=-1, tag=0)
    """Before the last change of id, to recognise retries; -1: none."""
    next_producer_id: Int64 = at("1+", default=-1, tag=1)
    """Decided while a transaction ends; -1: none."""
    producer_epoch: Int16
    next_producer_epoch: Int16 = at("1+", default=-1, tag=3)
    """Decided while a transaction ends; -1: none."""
    transaction_timeout_ms: Int32
    transaction_status: Int8
    """0 empty, 1 ongoing, 2 and 3 prepare commit, abort, 4 and 5 completed, 6 dead."""
    transaction_partitions: list[PartitionsSchema] | None
    """Null when none is open."""
    transaction_last_update_timestamp_ms: Int64
    transaction_start_timestamp_ms: Int64
    """-1 when none is open."""
    client_transaction_version: Int16 = at("1+", default=0, tag=2)
    """2 if the client bumps its epoch at each end (KIP-890)."""

    class PartitionsSchema(Struct):
        topic: String
        partition_ids: list[Int32]
