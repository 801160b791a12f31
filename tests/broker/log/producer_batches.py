"""Headers of a producer's batches, as terse as the tests want them."""

from __future__ import annotations

from moldau.broker.log.producers.end_marker import EndMarker
from moldau.protocol.records.batch import (
    CONTROL_BIT,
    HEADER_SIZE,
    LENGTH_END,
    NO_SEQUENCE,
    TRANSACTIONAL_BIT,
    BatchHeader,
)

PRODUCER = 7
ABORT = EndMarker(False, 0)
COMMIT = EndMarker(True, 0)


def data(
    offset: int,
    sequence: int,
    count: int = 1,
    *,
    producer_id: int = PRODUCER,
    epoch: int = 0,
    timestamp: int = 1_000,
    transactional: bool = False,
) -> BatchHeader:
    """A batch of `count` records."""
    return BatchHeader(
        base_offset=offset,
        length=HEADER_SIZE - LENGTH_END + 10 * count,
        leader_epoch=0,
        magic=2,
        crc=0,
        attributes=TRANSACTIONAL_BIT if transactional else 0,
        last_offset_delta=count - 1,
        base_timestamp=timestamp,
        max_timestamp=timestamp,
        producer_id=producer_id,
        producer_epoch=epoch,
        base_sequence=sequence,
        record_count=count,
    )


def end(
    offset: int, *, producer_id: int = PRODUCER, epoch: int = 0, timestamp: int = 1_000
) -> BatchHeader:
    """The batch of a transaction marker."""
    header = data(offset, NO_SEQUENCE, producer_id=producer_id, epoch=epoch, timestamp=timestamp)
    return header.replaced(attributes=TRANSACTIONAL_BIT | CONTROL_BIT)
