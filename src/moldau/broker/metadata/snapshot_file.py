"""The bytes of a snapshot: `<offset>-<epoch>.checkpoint` and `bootstrap.checkpoint` (KIP-630).

    control batch   SnapshotHeader, then KRaftVersion and KRaftVoters where kraft.version is 1
    data batches    metadata records
    control batch   SnapshotFooter

Offsets count from 0 and mean nothing. The epoch of the batches is that of the snapshot. A file
without its footer was not finished, and is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field

from moldau.broker.metadata.record_codec import decode_record, encode_at
from moldau.errors import CorruptRecordError
from moldau.platform.buffers import Buffer
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.stored.control import (
    KRaftVersionRecord,
    SnapshotFooterRecord,
    SnapshotHeaderRecord,
    VotersRecord,
)
from moldau.protocol.records.batch import ensure_checksum, iterate_batches, read_header
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.control import ControlType, build_quorum_batch, parse_key
from moldau.protocol.records.record import Record, iterate_records
from moldau.protocol.wire.compile import decode, encode
from moldau.protocol.wire.schema import Message

BOOTSTRAP_FILE_NAME = "bootstrap.checkpoint"
BATCH_RECORDS_MAX = 1024
BATCH_BYTES_MAX = 8 * 1024 * 1024
"""What a batch of the metadata log may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotFields:
    """What a snapshot holds beside its records."""

    epoch: int = 0
    created_ms: int
    last_contained_ms: int = 0
    """When the last record that is in it was appended to the log."""
    kraft_version: int = 0
    voters: VotersRecord | None = None


@dataclass(slots=True)
class Snapshot:
    """A snapshot that was read."""

    records: list[Message] = field(default_factory=list)
    kraft_version: int | None = None
    voters: VotersRecord | None = None
    last_contained_ms: int = 0
    finished: bool = False


def encode_snapshot(
    records: Iterable[Message], metadata_version: int, fields: SnapshotFields
) -> Iterator[Buffer]:
    """The batches of a snapshot file, one after the other."""
    offset = 0
    for batch in _batches(records, metadata_version, fields):
        header = read_header(batch)
        yield _placed(batch, offset)
        offset += header.record_count


def _batches(
    records: Iterable[Message], metadata_version: int, fields: SnapshotFields
) -> Iterator[bytearray]:
    yield _control(fields, _opening(fields))
    builder = _builder(fields)
    for record in records:
        value = encode_at(record, metadata_version)
        full = builder.record_count >= BATCH_RECORDS_MAX
        if full or not builder.has_room(BATCH_BYTES_MAX, fields.created_ms, None, value):
            yield builder.build()
            builder = _builder(fields)
        builder.append(fields.created_ms, None, value)
    if builder.record_count:
        yield builder.build()
    footer = SnapshotFooterRecord(version=0)
    yield _control(fields, [(ControlType.SNAPSHOT_FOOTER, encode(footer, 0))])


def _opening(fields: SnapshotFields) -> list[tuple[ControlType, bytes]]:
    header = SnapshotHeaderRecord(version=0, last_contained_log_timestamp=fields.last_contained_ms)
    opening = [(ControlType.SNAPSHOT_HEADER, encode(header, 0))]
    if fields.kraft_version > 0:
        version = KRaftVersionRecord(version=0, kraft_version=fields.kraft_version)
        opening.append((ControlType.KRAFT_VERSION, encode(version, 0)))
    if fields.kraft_version > 0 and fields.voters is not None:
        opening.append((ControlType.KRAFT_VOTERS, encode(fields.voters, 0)))
    return opening


def _control(fields: SnapshotFields, records: list[tuple[ControlType, bytes]]) -> bytearray:
    return build_quorum_batch(records, timestamp=fields.created_ms, leader_epoch=fields.epoch)


def _builder(fields: SnapshotFields) -> BatchBuilder:
    return BatchBuilder(BatchFields(leader_epoch=fields.epoch))


def _placed(batch: bytearray, offset: int) -> bytearray:
    batch[:8] = offset.to_bytes(8, "big")
    return batch


def decode_snapshot(contents: Buffer, path: str) -> Snapshot:
    """All that a snapshot holds, or `CorruptRecordError`."""
    snapshot = Snapshot()
    for batch in iterate_batches(contents):
        header = read_header(batch)
        ensure_checksum(batch, header)
        for record in iterate_records(batch):
            if header.is_control:
                _take_control(snapshot, record)
            else:
                snapshot.records.append(decode_record(record.value or b""))
    if not snapshot.finished:
        raise CorruptRecordError(f"{path}: it has no footer, and was never finished")
    return snapshot


def _take_control(snapshot: Snapshot, record: Record) -> None:
    value = record.value or b""
    match parse_key(record.key):
        case ControlType.SNAPSHOT_HEADER:
            header = decode(SnapshotHeaderRecord, 0, value)
            snapshot.last_contained_ms = header.last_contained_log_timestamp
        case ControlType.SNAPSHOT_FOOTER:
            snapshot.finished = True
        case ControlType.KRAFT_VERSION:
            snapshot.kraft_version = decode(KRaftVersionRecord, 0, value).kraft_version
        case ControlType.KRAFT_VOTERS:
            snapshot.voters = decode(VotersRecord, 0, value)
        case _:
            pass
