"""Batches as a broker would send them."""

from __future__ import annotations

from moldau.protocol.records.batch import NO_PRODUCER_ID
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.compression import Codec
from moldau.protocol.records.control import EndMarker, build_marker_batch

TIME_MS = 1_700_000_000_000


def data_batch(
    base_offset: int,
    count: int = 3,
    *,
    leader_epoch: int = 0,
    producer_id: int = NO_PRODUCER_ID,
    transactional: bool = False,
    producer_epoch: int = 0,
    codec: Codec = Codec.NONE,
    last_offset_delta: int | None = None,
) -> bytes:
    """Records `k<offset>` and `v<offset>`, a millisecond apart."""
    fields = BatchFields(
        codec=codec,
        base_offset=base_offset,
        leader_epoch=leader_epoch,
        producer_id=producer_id,
        producer_epoch=producer_epoch if transactional else -1,
        base_sequence=0 if transactional else -1,
        is_transactional=transactional,
    )
    builder = BatchBuilder(fields)
    for offset in range(base_offset, base_offset + count):
        builder.append(TIME_MS + offset, b"k%d" % offset, b"v%d" % offset)
    return bytes(builder.build(last_offset_delta=last_offset_delta))


def marker(base_offset: int, producer_id: int, *, is_commit: bool) -> bytes:
    """The end of a transaction."""
    return bytes(
        build_marker_batch(
            EndMarker(is_commit, 0),
            producer_id=producer_id,
            producer_epoch=0,
            timestamp=TIME_MS,
            base_offset=base_offset,
        )
    )
