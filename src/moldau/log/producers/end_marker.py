"""The transaction marker inside a control batch: what the log wants of `moldau.records.control`."""

from __future__ import annotations

from moldau.buffers import Buffer
from moldau.errors import CorruptRecordError
from moldau.records.control import EndMarker, parse_marker
from moldau.records.record import iterate_records

__all__ = ["EndMarker", "read_end_marker"]


def read_end_marker(batch: Buffer, position: int = 0) -> EndMarker:
    """The marker in the whole control batch at `position`, which names a producer."""
    for record in iterate_records(memoryview(batch)[position:]):
        marker = parse_marker(record.key, record.value)
        if marker is not None:
            return marker
    raise CorruptRecordError("control batch of a producer without a transaction marker")
