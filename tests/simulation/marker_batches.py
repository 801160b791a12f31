"""Transaction markers for scenarios."""

from __future__ import annotations

from struct import pack

from moldau.protocol.records.batch import CONTROL_BIT, NO_SEQUENCE, TRANSACTIONAL_BIT
from tests.broker.log.batches import around, record


def marker(producer_id: int, epoch: int, *, aborts: bool, timestamp: int) -> bytearray:
    """The control batch that ends a transaction."""
    body = record(0, pack(">hi", 0, 0), key=pack(">hh", 0, 0 if aborts else 1))
    producer = producer_id, epoch, NO_SEQUENCE
    return around(body, 1, 0, (timestamp,), 0, TRANSACTIONAL_BIT | CONTROL_BIT, producer)
