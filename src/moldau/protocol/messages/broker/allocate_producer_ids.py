"""Get a block of producer ids; a broker calls it when its last block runs low (KIP-730).

The active controller answers after it has written the block's end: a block is never handed out
twice, though ids may be lost.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response
from moldau.protocol.wire.types import BrokerId, Int16, Int32, Int64, ProducerId


class AllocateProducerIdsRequest(
    Request, key=67, versions="0", flexible="0+", listeners=("controller",)
):
    """Asks for producer ids to hand out."""

    broker_id: BrokerId
    broker_epoch: Int64 = -1
    """A stale one is refused."""


class AllocateProducerIdsResponse(Response, key=67, versions="0", flexible="0+"):
    """Answers with a block of a thousand."""

    throttle_time_ms: Int32
    error_code: Int16
    producer_id_start: ProducerId
    """The first of the block."""
    producer_id_len: Int32
    """How many there are."""
