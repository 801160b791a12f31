"""What compaction makes of one batch: keeps it, shortens it, empties it, or drops it.

A record stays if it is the last one of its key as far as the map has it, and has a value; or is a
tombstone whose delete horizon has not come. Records without a key go. Records behind the end of
the map stay whatever they are.

The first round that keeps a tombstone, or meets a marker of an empty transaction, writes the time
from which it may be removed into the batch: the delete horizon, in place of the base timestamp
(KIP-534).

A batch that loses all records still stays as a bare header where it is a producer's last one, for
its sequence must be found when the producer state is rebuilt, or where it ends the round, for then
the end of the log must be. A marker that is a producer's last batch stays for its epoch.

A batch that keeps all its records is copied as it is. Otherwise what is left is copied record by
record: base offset, base timestamp and deltas stay, so neither offsets nor sequences ever change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from moldau.broker.log.compaction.key_offsets import KEY_BYTES_KEPT, KeyOffsets, kept_key
from moldau.broker.log.producers.entry import ProducerEntry
from moldau.protocol.records.batch import (
    CODEC_MASK,
    DELETE_HORIZON_BIT,
    HEADER_SIZE,
    NO_TIMESTAMP,
    BatchHeader,
    TimestampType,
)
from moldau.protocol.records.builder import assemble_batch
from moldau.protocol.records.pack import pack_rows
from moldau.protocol.records.record import records_block
from moldau.protocol.records.scan import ROW, scan_in_steps, scan_records


class Round(NamedTuple):
    """What all decisions of a round depend on."""

    keys: KeyOffsets
    end_offset: int
    """The first offset behind the round."""
    last_batches: Mapping[int, ProducerEntry]
    """The producers that are remembered, by id."""
    now_ms: int
    delete_retention_ms: int


class Kept(NamedTuple):
    """What is left of a batch's records."""

    records: int
    block: bytes
    """The records, as they were; empty where all are left."""
    has_tombstone: bool
    max_timestamp_delta: int


def filter_batch(
    header: BatchHeader, batch: bytes, plan: Round, *, is_discarded: bool
) -> bytes | bytearray | None:
    """The batch as it goes into the new segment; None if it does not."""
    is_over = header.is_control and is_discarded and _is_past_horizon(header, plan.now_ms)
    if is_discarded and (is_over or not header.is_control):
        return _emptied_or_none(header, batch, plan)
    if header.is_control:
        if header.record_count == 0:
            return _emptied_or_none(header, batch, plan)
        return _with_horizon(header, batch, plan) if _wants_horizon(header, is_discarded) else batch
    kept = _kept_records(header, batch, plan)
    if kept.records == 0:
        return _emptied_or_none(header, batch, plan)
    if kept.records == header.record_count:
        wants_horizon = _wants_horizon(header, kept.has_tombstone)
        return _with_horizon(header, batch, plan) if wants_horizon else batch
    return _shortened(header, kept, plan)


def _is_past_horizon(header: BatchHeader, now_ms: int) -> bool:
    horizon_ms = header.delete_horizon_ms
    return horizon_ms is not None and horizon_ms <= now_ms


def _wants_horizon(header: BatchHeader, has_something_to_delete: bool) -> bool:
    return has_something_to_delete and header.delete_horizon_ms is None


def _kept_records(header: BatchHeader, batch: bytes, plan: Round) -> Kept:
    """Which records stay."""
    # hot: 0.4 to 0.6 µs a record, the scanner compiled; see bench/log_compaction.py
    block = records_block(batch, header)
    offset_of, limit = plan.keys.offsets.get, KEY_BYTES_KEPT
    base, latest_offset = header.base_offset, plan.keys.latest_offset
    tombstones_stay = not _is_past_horizon(header, plan.now_ms)
    count, has_tombstone, largest = 0, False, -(1 << 63)
    pieces: list[bytes] = []
    piece_start = start = 0
    for rows in scan_in_steps(block, header.record_count):
        for time_delta, delta, key_at, key_size, _, value_size, _, _, end in ROW.iter_unpack(rows):
            offset = base + delta
            if key_size >= 0 and offset <= latest_offset:
                key = block[key_at : key_at + key_size]
                stays = offset_of(key if key_size <= limit else kept_key(key), -1) <= offset and (
                    value_size >= 0 or tombstones_stay
                )
            else:
                stays = offset > latest_offset
            if stays:
                count += 1
                has_tombstone = has_tombstone or value_size < 0
                largest = time_delta if time_delta > largest else largest
            else:
                pieces.append(block[piece_start:start])
                piece_start = end
            start = end
    pieces.append(block[piece_start:start] if pieces else b"")
    return Kept(count, b"".join(pieces), has_tombstone, largest)


def _shortened(header: BatchHeader, kept: Kept, plan: Round) -> bytearray:
    shorter = header.replaced(record_count=kept.records)
    if header.timestamp_type is TimestampType.CREATE:
        max_timestamp = header.base_timestamp + kept.max_timestamp_delta
        shorter = shorter.replaced(max_timestamp=max_timestamp)
    block = kept.block
    if _wants_horizon(header, kept.has_tombstone):
        shorter, block = _set_horizon(shorter, block, plan)
    return assemble_batch(shorter, block)


def _with_horizon(header: BatchHeader, batch: bytes, plan: Round) -> bytearray:
    return assemble_batch(*_set_horizon(header, records_block(batch, header), plan))


def _set_horizon(header: BatchHeader, block: bytes, plan: Round) -> tuple[BatchHeader, bytes]:
    """Header and records with the horizon as base timestamp; the records keep their times."""
    horizon_ms = plan.now_ms + plan.delete_retention_ms
    shift = header.base_timestamp - horizon_ms
    rows = b"".join(
        ROW.pack(time_delta + shift, *rest)
        for time_delta, *rest in ROW.iter_unpack(scan_records(block, header.record_count))
    )
    attributes = header.attributes | DELETE_HORIZON_BIT
    changed = header.replaced(base_timestamp=horizon_ms, attributes=attributes)
    return changed, pack_rows(rows, block, block, block)


def _emptied_or_none(header: BatchHeader, batch: bytes, plan: Round) -> bytes | bytearray | None:
    """The bare header where the batch must not vanish."""
    if not _is_last_of_producer(header, plan) and header.next_offset != plan.end_offset:
        return None
    if header.record_count == 0:
        return batch
    bare = header.replaced(
        attributes=header.attributes & ~(CODEC_MASK | DELETE_HORIZON_BIT),
        base_timestamp=NO_TIMESTAMP,
        record_count=0,
        length=HEADER_SIZE,
    )
    return assemble_batch(bare, b"")


def _is_last_of_producer(header: BatchHeader, plan: Round) -> bool:
    entry = plan.last_batches.get(header.producer_id)
    if entry is None or header.producer_id < 0:
        return False
    if entry.batches:
        return header.last_offset == entry.last_offset
    return header.is_control and header.producer_epoch == entry.epoch
