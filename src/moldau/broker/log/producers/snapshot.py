"""The state of all producers as a file: `<offset>.snapshot`.

    0  version = 1 (int16)    2  CRC-32C of all that follows it (uint32)    6  count (int32)

and for each producer 46 bytes: id (int64), epoch (int16), last sequence (int32), last offset
(int64), offset delta of the last batch (int32), last timestamp (int64), coordinator epoch (int32),
first offset of the open transaction or -1 (int64). Of the five batches only the last one is kept:
after a restart older repeats are refused as out of order.

Kafka writes the entries in the order of a Java hash map. The order has no meaning, but we
write them in the same order, so that files of the two can be compared byte by byte.
"""

from __future__ import annotations

from collections.abc import Iterable
from struct import Struct

from moldau.broker.log.producers.entry import NO_OFFSET, BatchNote, ProducerEntry
from moldau.errors import CorruptRecordError
from moldau.protocol.records.checksum import crc32c

VERSION = 1
_PREFIX = Struct(">hI")
_COUNT = Struct(">i")
_ENTRY = Struct(">qhiqiqiq")
_ENTRIES_START = _PREFIX.size + _COUNT.size


def encode_snapshot(entries: Iterable[ProducerEntry]) -> bytes:
    packed = [_pack(entry) for entry in entries]
    body = b"".join([_COUNT.pack(len(packed)), *packed])
    return _PREFIX.pack(VERSION, crc32c(body)) + body


def decode_snapshot(contents: bytes, path: str) -> list[ProducerEntry]:
    """The entries in the order of the file, or `CorruptRecordError`."""
    if len(contents) < _ENTRIES_START:
        raise _corrupt(path, f"{len(contents)} bytes are no snapshot")
    version, crc = _PREFIX.unpack_from(contents)
    if version != VERSION:
        raise _corrupt(path, f"version {version} where {VERSION} was expected")
    if crc32c(memoryview(contents)[_PREFIX.size :]) != crc:
        raise _corrupt(path, "the checksum does not match")
    (count,) = _COUNT.unpack_from(contents, _PREFIX.size)
    if len(contents) != _ENTRIES_START + count * _ENTRY.size:
        raise _corrupt(path, f"{len(contents)} bytes cannot hold {count} entries")
    return [_unpack(*fields) for fields in _ENTRY.iter_unpack(contents[_ENTRIES_START:])]


def _pack(entry: ProducerEntry) -> bytes:
    first_offset = entry.transaction_first_offset
    return _ENTRY.pack(
        entry.producer_id,
        entry.epoch,
        entry.last_sequence,
        entry.last_offset,
        entry.last_offset_delta,
        entry.last_timestamp,
        entry.coordinator_epoch,
        NO_OFFSET if first_offset is None else first_offset,
    )


def _unpack(
    producer_id: int,
    epoch: int,
    last_sequence: int,
    last_offset: int,
    offset_delta: int,
    timestamp: int,
    coordinator_epoch: int,
    first_offset: int,
) -> ProducerEntry:
    note = BatchNote(last_sequence, last_offset, offset_delta, timestamp)
    return ProducerEntry(
        producer_id,
        epoch,
        coordinator_epoch,
        timestamp,
        first_offset if first_offset >= 0 else None,
        note if last_offset >= 0 else None,
    )


def _corrupt(path: str, reason: str) -> CorruptRecordError:
    return CorruptRecordError(f"{path}: {reason}; it is ignored and rebuilt from the log")
