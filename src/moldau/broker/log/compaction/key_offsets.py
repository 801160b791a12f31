"""Where each key was written last: the map that a round of compaction decides by.

It is filled from the dirty part of a log, oldest batch first, so what is in it for a key is its
last offset. When its room is used up the round ends there, and the next one goes on behind.

Keys longer than `KEY_BYTES_KEPT` are kept as digests of one byte more, so that a short key is never
taken for a digest. Kafka keeps MD5 sums of all keys; here short keys are exact, and two long ones
meet with a chance of 2⁻¹³² a pair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import blake2b

from moldau.broker.log.compaction.transactions import CleanedTransactions
from moldau.broker.log.segment.segment import Segment
from moldau.protocol.records.batch import BatchHeader, ensure_checksum, read_header
from moldau.protocol.records.record import records_block
from moldau.protocol.records.scan import ROW, scan_in_steps

Decrypt = Callable[[bytes], bytes]
"""Makes an encrypted batch readable."""

KEY_BYTES_KEPT = 32
_DIGEST_BYTES = KEY_BYTES_KEPT + 1
ENTRY_BYTES = 240
"""Memory for an entry at most: key, offset, and its part of a dictionary two thirds full."""
BUFFER_BYTES = 128 * 1024 * 1024
"""`log.cleaner.dedupe.buffer.size`, for all that a node compacts at the same time."""


def kept_key(key: bytes) -> bytes:
    """The form of a key in the map."""
    if len(key) <= KEY_BYTES_KEPT:
        return key
    return blake2b(key, digest_size=_DIGEST_BYTES).digest()


class KeyOffsets:
    """Last offset of each key, up to and including `latest_offset`."""

    def __init__(self, buffer_bytes: int = BUFFER_BYTES) -> None:
        self.entries_max = max(1, buffer_bytes // ENTRY_BYTES)
        self.offsets: dict[bytes, int] = {}
        self.latest_offset = -1

    def __repr__(self) -> str:
        return f"KeyOffsets({len(self.offsets)} keys, up to offset {self.latest_offset})"

    def last_offset(self, key: bytes) -> int:
        """Where the key was written last; -1 if it is not in the map."""
        return self.offsets.get(kept_key(key), -1)

    def add_segment(
        self,
        segment: Segment,
        first_dirty_offset: int,
        end_offset: int,
        transactions: CleanedTransactions,
        decrypt: Decrypt,
    ) -> bool:
        """Take in a segment that ends before `end_offset`; true if all of it had room."""
        for header, batch in whole_batches(segment, decrypt, first_dirty_offset):
            has_keys = not transactions.is_discarded(header, batch) and not header.is_control
            if has_keys and not self._add_batch(header, batch, first_dirty_offset):
                return False
            if header.last_offset >= first_dirty_offset:
                self.latest_offset = header.last_offset
        self.latest_offset = max(self.latest_offset, end_offset - 1)
        return True

    def _add_batch(self, header: BatchHeader, batch: bytes, first_dirty_offset: int) -> bool:
        """False, and nothing is taken in, where the batch might not have room.

        The first batch is always taken in, or a round would never come further.
        """
        if self.offsets and len(self.offsets) + header.record_count > self.entries_max:
            return False
        # hot: 0.3 to 0.5 µs a record, the scanner compiled; see bench/log_compaction.py
        offsets, base, limit = self.offsets, header.base_offset, KEY_BYTES_KEPT
        block = records_block(batch, header)
        for rows in scan_in_steps(block, header.record_count):
            for _, delta, start, length, _, _, _, _, _ in ROW.iter_unpack(rows):
                if length < 0 or base + delta < first_dirty_offset:
                    continue
                key = block[start : start + length]
                offsets[key if length <= limit else kept_key(key)] = base + delta
        return True


def whole_batches(
    segment: Segment, decrypt: Decrypt, from_offset: int = 0
) -> Iterator[tuple[BatchHeader, bytes]]:
    """Header and bytes of the batches from the one that holds `from_offset`, checksums checked."""
    position = segment.offset_index.lookup(from_offset).position
    for place, header in segment.batches(position):
        batch = segment.read_batch(place, header)
        ensure_checksum(batch, header)
        if header.is_encrypted:
            batch = decrypt(batch)
            header = read_header(batch)
        yield header, batch
