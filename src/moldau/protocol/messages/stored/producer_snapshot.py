"""Producer state in the `.snapshot` files of a partition, written at roll and at shutdown.

The file is a two-byte version 1 and this body, not flexible. Its name is the offset up to which it
holds; recovery starts from the newest and replays the batches above.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Data, Struct
from moldau.protocol.wire.types import Int16, Int32, Int64, UInt32


class ProducerSnapshot(Data, versions="1"):
    """Holds the state of every producer of a partition."""

    crc: UInt32
    """CRC-32C of all bytes that follow it."""
    producer_entries: list[ProducerEntry]

    class ProducerEntry(Struct):
        producer_id: Int64
        epoch: Int16
        last_sequence: Int32
        """Of the last record; -1 after a marker alone."""
        last_offset: Int64
        """Of the last record; -1 after a marker alone."""
        offset_delta: Int32
        """From the first to the last record of the last batch."""
        timestamp: Int64
        """Of the last batch; expiry counts from it."""
        coordinator_epoch: Int32
        """Of the last marker; -1 if none was written yet."""
        current_txn_first_offset: Int64
        """-1 if none is open."""
