"""Commit or abort a transaction; called by transactional producers.

The transaction coordinator answers once its decision is replicated; markers follow afterwards by
WriteTxnMarkers. A retry is recognised and answered alike.

Versions: 2 PRODUCER_FENCED, 3 flexible, 4 TRANSACTION_ABORTABLE, 5 each end bumps the epoch and the
answer carries what to go on with (KIP-890).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response
from moldau.protocol.wire.types import Bool, Int16, Int32, ProducerId, TransactionalId


class EndTxnRequest(Request, key=26, versions="0-5", flexible="3+", listeners=("broker",)):
    """Asks to commit or to abort the open transaction."""

    transactional_id: TransactionalId
    producer_id: ProducerId
    producer_epoch: Int16
    committed: Bool
    """True commits, false aborts."""


class EndTxnResponse(Response, key=26, versions="0-5", flexible="3+"):
    """Answers with the decision taken and, from 5, the next identity."""

    throttle_time_ms: Int32
    error_code: Int16
    producer_id: ProducerId = at("5+", default=-1, ignorable=True)
    """To go on with; another one when the epochs are used up. -1: as before."""
    producer_epoch: Int16 = at("5+", default=-1, ignorable=True)
    """To go on with; one more than before. -1: as before."""
