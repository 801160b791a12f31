"""The transaction marker inside a control batch, of which the log needs little.

Which batches hold one is decided here alone: control batches of a producer, unless compaction has
emptied them. Control batches without a producer are the quorum's.
"""

from __future__ import annotations

from moldau.errors import CorruptRecordError
from moldau.platform.buffers import Buffer
from moldau.protocol.records.batch import BatchHeader
from moldau.protocol.records.control import EndMarker, parse_marker
from moldau.protocol.records.record import iterate_records

__all__ = ["EndMarker", "holds_marker", "marker_in", "read_end_marker"]


def holds_marker(header: BatchHeader) -> bool:
    """Whether the batch ends a producer's transaction."""
    return header.producer_id >= 0 and header.is_control and header.record_count > 0


def marker_in(header: BatchHeader, batches: Buffer, position: int = 0) -> EndMarker | None:
    """The marker in the whole batch at `position`; None where it holds none."""
    return read_end_marker(batches, position) if holds_marker(header) else None


def read_end_marker(batch: Buffer, position: int = 0) -> EndMarker:
    """The marker in the whole batch at `position`, which holds one."""
    for record in iterate_records(memoryview(batch)[position:]):
        marker = parse_marker(record.key, record.value)
        if marker is not None:
            return marker
    raise CorruptRecordError("control batch of a producer without a transaction marker")
