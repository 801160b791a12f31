"""Blocks of producer ids: each is handed out once, even if it is never used (KIP-730)."""

from __future__ import annotations

from moldau.broker.controller.brokers.standing import known_broker
from moldau.broker.controller.decision import Call, Decision
from moldau.broker.controller.situation import Situation
from moldau.errors import KafkaError
from moldau.protocol.messages.broker.allocate_producer_ids import (
    AllocateProducerIdsRequest,
    AllocateProducerIdsResponse,
)
from moldau.protocol.messages.stored.metadata_cluster import ProducerIdsRecord
from moldau.protocol.wire.error_codes import ErrorCode

BLOCK_SIZE = 1000
PRODUCER_ID_MAX = (1 << 63) - 1


def allocate_producer_ids(
    request: AllocateProducerIdsRequest, situation: Situation, call: Call
) -> Decision:
    """Give the broker the next block."""
    known_broker(request.broker_id, request.broker_epoch, situation)
    first = situation.image.producer_ids.next_producer_id
    if first > PRODUCER_ID_MAX - BLOCK_SIZE:
        text = f"all producer ids up to {first} are handed out, and there are no larger ones"
        raise KafkaError(ErrorCode.UNKNOWN_SERVER_ERROR, text)
    record = ProducerIdsRecord(
        broker_id=request.broker_id,
        broker_epoch=request.broker_epoch,
        next_producer_id=first + BLOCK_SIZE,
    )
    reply = AllocateProducerIdsResponse(
        throttle_time_ms=0, error_code=0, producer_id_start=first, producer_id_len=BLOCK_SIZE
    )
    return Decision([record], reply)
