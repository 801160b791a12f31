"""Batches, message sets and topic rules, drawn from a seed to be shown to Kafka's own classes."""

from __future__ import annotations

import struct
from dataclasses import replace
from random import Random

from moldau.protocol.records.batch import (
    HEADER_SIZE,
    LENGTH_END,
    TimestampType,
    read_header,
    set_checksum,
    write_header,
)
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.compression import Codec
from moldau.protocol.records.record import SEQUENCE_MAX, Header, Record
from moldau.protocol.records.validator import ValidationRules

NOW = 1_700_000_000_000
HOUR_MS = 3_600_000
BASE_OFFSET = 77
PARTS = (None, b"", b"k", b"key", b"value " * 30)
EDGES = bytes((0, 1, 2, 3, 127, 128, 255))


def drawn_fields(random: Random, codec: Codec | None = None) -> BatchFields:
    fields = BatchFields(
        codec=random.choice(list(Codec)) if codec is None else codec,
        base_offset=random.choice((0, 1, 2**40)),
        leader_epoch=3,
        log_append_time=random.choice((None, None, NOW)),
    )
    if random.random() < 0.5:
        return fields
    sequence = random.choice((0, 9, SEQUENCE_MAX - 1))
    return replace(
        fields,
        producer_id=2**45,
        producer_epoch=random.choice((0, 2**15 - 1)),
        base_sequence=sequence,
        is_transactional=random.random() < 0.5,
    )


def drawn_records(random: Random, fields: BatchFields) -> list[Record]:
    """Records as they should be read back, with gaps between their offsets."""
    records = []
    delta = 0
    for _ in range(random.choice((1, 2, 3, 50))):
        sequence = (fields.base_sequence + delta) & SEQUENCE_MAX
        records.append(
            Record(
                fields.base_offset + delta,
                fields.log_append_time or random.choice((NOW, NOW + 1, NOW - HOUR_MS, 0)),
                random.choice(PARTS),
                random.choice(PARTS),
                _headers(random),
                sequence if fields.base_sequence >= 0 else -1,
            )
        )
        delta += random.choice((1, 1, 1, 2, 500))
    return records


def drawn_legacy_records(random: Random, magic: int) -> tuple[BatchFields, list[Record]]:
    """A message set's fields, and its records as they should be read back."""
    codec = random.choice((Codec.NONE, Codec.GZIP, Codec.SNAPPY, Codec.LZ4))
    time = NOW if magic and codec and random.random() < 0.3 else None
    fields = BatchFields(codec=codec, base_offset=40, log_append_time=time)
    records = []
    offset = 40
    for _ in range(random.choice((1, 2, 9))):
        timestamp = (time or NOW + offset) if magic else -1
        parts = (random.choice(PARTS), random.choice(PARTS))
        records.append(Record(offset, timestamp, *parts))
        offset += random.choice((1, 1, 3))
    return fields, records


def damaged_batch(random: Random) -> bytes:
    """An uncompressed batch whose records are changed, and whose checksum agrees with that."""
    builder = BatchBuilder(BatchFields())
    for _ in range(random.choice((1, 2, 4))):
        timestamp = random.choice((5, 10**12, -1))
        parts = (random.choice(PARTS), random.choice(PARTS))
        builder.append(timestamp, *parts, _headers(random))
    batch = builder.build()
    for _ in range(random.choice((1, 1, 2, 3))):
        _damage(batch, random)
    struct.pack_into(">i", batch, 8, len(batch) - LENGTH_END)
    set_checksum(batch, len(batch))
    return bytes(batch)


def producer_batch(random: Random) -> bytes:
    """A batch from a producer who mostly keeps the rules."""
    fields = replace(drawn_fields(random), base_offset=0, log_append_time=None, leader_epoch=-1)
    if random.random() < 0.05:
        fields = replace(fields, is_control=True)
    builder = BatchBuilder(fields)
    keyless = random.random() < 0.2
    for _ in range(random.choice((1, 1, 2, 5, 20))):
        away = random.choice((0, 0, 5, -500, 4 * HOUR_MS if random.random() < 0.1 else 0))
        timestamp = -1 if random.random() < 0.05 else NOW + away
        key = None if keyless and random.random() < 0.5 else b"key"
        builder.append(timestamp, key, random.choice(PARTS), _headers(random))
    batch = builder.build()
    if random.random() < 0.15:
        _lie(batch, random)
    return bytes(batch)


def drawn_rules(random: Random) -> ValidationRules:
    return ValidationRules(
        is_compacted=random.random() < 0.3,
        codec=random.choice((None, None, *Codec)),
        timestamp_type=random.choice((TimestampType.CREATE, *TimestampType)),
        timestamp_before_max_ms=random.choice((2**63 - 1, 2**63 - 1, 1_000, 100)),
    )


def _headers(random: Random) -> tuple[Header, ...]:
    headers = (Header("h", b"1"), Header("", None), Header("název", b""))
    return headers[: random.choice((0, 0, 1, 3))]


def _lie(batch: bytearray, random: Random) -> None:
    header = read_header(batch)
    lies: tuple[dict[str, int], ...] = (
        {"record_count": random.choice((0, -1, header.record_count + 1))},
        {"last_offset_delta": header.last_offset_delta + 2},
        {"max_timestamp": NOW - 7},
        {"producer_id": 9, "base_sequence": -1},
    )
    write_header(batch, header.replaced(**random.choice(lies)))
    set_checksum(batch, len(batch))


def _damage(batch: bytearray, random: Random) -> None:
    position = random.randrange(HEADER_SIZE, len(batch))
    match random.randrange(4):
        case 0:
            batch[position] ^= 1 << random.randrange(8)
        case 1:
            batch[position] = random.choice(EDGES)
        case 2:
            batch[position:position] = bytes((random.randrange(256),))
        case _ if len(batch) > HEADER_SIZE + 1:
            del batch[position]
        case _:
            batch[position] = 0
