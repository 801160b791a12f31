"""Brackets around metadata records that count together or not at all (KIP-868).

The active controller writes them where one batch is too small, such as the bootstrap of a cluster.
They do not nest. A new controller that finds a bracket open writes AbortTransactionRecord; readers
apply what is inside at the end alone.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import MetadataRecord
from moldau.protocol.wire.types import String


class BeginTransactionRecord(MetadataRecord, key=23, versions="0", flexible="0+"):
    """Records where a metadata transaction begins."""

    name: String | None = at(default=None, tag=0)
    """For people who read logs."""


class EndTransactionRecord(MetadataRecord, key=24, versions="0", flexible="0+"):
    """Records that everything since the beginning counts."""


class AbortTransactionRecord(MetadataRecord, key=25, versions="0", flexible="0+"):
    """Records that everything since the beginning is void."""

    reason: String | None = at(default=None, tag=0)
    """For people who read logs."""
