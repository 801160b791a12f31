"""Get a producer id and epoch; called by every idempotent or transactional producer at start.

Without a transactional id any broker answers, from a block it got by AllocateProducerIds, with
epoch 0. With one, the transaction coordinator bumps the epoch, which fences older instances; an
open transaction is first aborted, and the client retries on CONCURRENT_TRANSACTIONS meanwhile.

Versions: 2 flexible, 3 the producer's present id and epoch, to recover without a restart (KIP-360),
4 PRODUCER_FENCED, 5 TRANSACTION_ABORTABLE (KIP-890), 6 two-phase commit (KIP-939; unstable, offered
only with `unstable.api.versions.enable`).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response
from moldau.protocol.wire.types import Bool, Int16, Int32, ProducerId, TransactionalId


class InitProducerIdRequest(
    Request, key=22, versions="0-6", flexible="2+", unstable="6", listeners=("broker",)
):
    """Asks for an identity under which batches are deduplicated."""

    transactional_id: TransactionalId | None
    """Null for a producer that is idempotent only."""
    transaction_timeout_ms: Int32
    """An open transaction older than this is aborted."""
    producer_id: ProducerId = at("3+", default=-1)
    """What the producer has, to go on with; -1 if nothing."""
    producer_epoch: Int16 = at("3+", default=-1)
    """What the producer has, to go on with; -1 if nothing."""
    enable2_pc: Bool = at("6+", default=False)
    keep_prepared_txn: Bool = at("6+", default=False)
    """Take over the open transaction rather than abort it."""


class InitProducerIdResponse(Response, key=22, versions="0-6", flexible="2+"):
    """Answers with the producer id and the epoch to use."""

    throttle_time_ms: Int32 = at(ignorable=True)
    error_code: Int16
    producer_id: ProducerId = -1
    """-1 on an error."""
    producer_epoch: Int16
    ongoing_txn_producer_id: ProducerId = at("6+", default=-1)
    """Of the transaction that was kept; -1 if there is none."""
    ongoing_txn_producer_epoch: Int16 = at("6+", default=-1)
    """Of the transaction that was kept; -1 if there is none."""
