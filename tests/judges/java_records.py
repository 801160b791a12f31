"""Asks Kafka's own classes, in one run of a JVM, what they make of many record batches."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from struct import Struct
from typing import NamedTuple

from moldau.protocol.records.batch import BatchHeader, TimestampType
from moldau.protocol.records.builder import BatchFields
from moldau.protocol.records.control import EndMarker
from moldau.protocol.records.record import Header, Record
from moldau.protocol.records.validator import ValidationRules
from tests.judges.java_programs import compiled
from tests.judges.kafka_jars import class_path

PROGRAM = "JudgeRecords"
TIMEOUT_S = 110
ABSENT = -1

_LENGTH = Struct(">i")
_ANSWER = Struct(">bi")
_FIELDS = Struct(">bbbqqqhi?i")
_BATCH = Struct(">qqiqqhi???bq")
_RECORD = Struct(">qqi")
_RULES = Struct(">qqi?bbqq")
_VERDICT = Struct(">qq")


class Answer(NamedTuple):
    """The result, or the name of Java's error and no bytes."""

    data: bytes | None
    error: str = ""


class JudgedBatch(NamedTuple):
    """What Java says of a batch."""

    base_offset: int
    last_offset: int
    leader_epoch: int
    max_timestamp: int
    producer_id: int
    producer_epoch: int
    base_sequence: int
    is_transactional: bool
    is_control: bool
    has_valid_checksum: bool
    timestamp_type: int
    delete_horizon_ms: int
    records: list[Record]


def ask_java(libs: Path, questions: list[tuple[bytes, bytes]]) -> list[Answer]:
    """The answers to `questions`, each a verb and its details."""
    command = compiled(["java", "-Xmx300m", "-cp", class_path(libs)], PROGRAM)
    asked = b"".join(verb + _bytes(details) for verb, details in questions)
    run = subprocess.run(command, input=asked, capture_output=True, timeout=TIMEOUT_S, check=False)
    assert run.returncode == 0, run.stderr.decode(errors="replace")
    answers = list(_answers(run.stdout))
    assert len(answers) == len(questions), run.stderr.decode(errors="replace")
    return answers


def to_write(fields: BatchFields, records: list[Record], magic: int = 2) -> tuple[bytes, bytes]:
    """Ask for a batch with these records."""
    parts = [_fields(fields, magic), _LENGTH.pack(len(records))]
    for record in records:
        parts += [_RECORD.pack(record.offset, record.timestamp, 0)[:16]]
        parts += [_bytes(record.key), _bytes(record.value), _LENGTH.pack(len(record.headers))]
        parts += [_bytes(key.encode()) + _bytes(value) for key, value in record.headers]
    return b"w", b"".join(parts)


def to_mark(fields: BatchFields, marker: EndMarker, timestamp: int) -> tuple[bytes, bytes]:
    """Ask for a transaction marker."""
    tail = Struct(">q?i").pack(timestamp, marker.is_commit, marker.coordinator_epoch)
    return b"m", _fields(fields, 2) + tail


def to_read(batches: bytes | bytearray | memoryview) -> tuple[bytes, bytes]:
    """Ask what is in these batches."""
    return b"r", _bytes(bytes(batches))


def to_validate(
    batch: bytes, rules: ValidationRules, now_ms: int, base_offset: int, leader_epoch: int
) -> tuple[bytes, bytes]:
    """Ask for a broker's verdict on a producer's batch."""
    codec = ABSENT if rules.codec is None else rules.codec
    times = (rules.timestamp_type, rules.timestamp_before_max_ms, rules.timestamp_after_max_ms)
    head = _RULES.pack(now_ms, base_offset, leader_epoch, rules.is_compacted, codec, *times)
    return b"v", head + _bytes(batch)


def parse_read(data: bytes) -> list[JudgedBatch]:
    """What Java found in the batches."""
    batches = []
    position = 0
    while position < len(data):
        head = _BATCH.unpack_from(data, position)
        position += _BATCH.size
        (count,) = _LENGTH.unpack_from(data, position)
        position += _LENGTH.size
        records = []
        for _ in range(count):
            record, position = _parse_record(data, position)
            records.append(record)
        batches.append(JudgedBatch._make((*head, records)))
    return batches


def parse_verdict(data: bytes) -> tuple[int, int, bytes]:
    """Log append time, max timestamp and the batch as a broker would append it."""
    log_append_time, max_timestamp = _VERDICT.unpack_from(data)
    return log_append_time, max_timestamp, data[_VERDICT.size :]


def as_judged(header: BatchHeader, records: list[Record]) -> JudgedBatch:
    """What Java should say of a batch that we read so."""
    horizon = header.delete_horizon_ms
    return JudgedBatch(
        header.base_offset,
        header.last_offset,
        header.leader_epoch,
        header.max_timestamp,
        header.producer_id,
        header.producer_epoch,
        header.base_sequence,
        header.is_transactional,
        header.is_control,
        True,
        header.timestamp_type,
        ABSENT if horizon is None else horizon,
        records,
    )


def _fields(fields: BatchFields, magic: int) -> bytes:
    time = fields.log_append_time
    kind = TimestampType.CREATE if time is None else TimestampType.LOG_APPEND
    producer = (fields.producer_id, fields.producer_epoch, fields.base_sequence)
    place = (fields.base_offset, ABSENT if time is None else time)
    flags = (fields.is_transactional, fields.leader_epoch)
    return _FIELDS.pack(magic, fields.codec, kind, *place, *producer, *flags)


def _parse_record(data: bytes, position: int) -> tuple[Record, int]:
    offset, timestamp, sequence = _RECORD.unpack_from(data, position)
    key, position = _take(data, position + _RECORD.size)
    value, position = _take(data, position)
    (count,) = _LENGTH.unpack_from(data, position)
    position += _LENGTH.size
    headers = []
    for _ in range(count):
        name, position = _take(data, position)
        part, position = _take(data, position)
        assert name is not None
        headers.append(Header(name.decode(), part))
    return Record(offset, timestamp, key, value, tuple(headers), sequence), position


def _take(data: bytes, position: int) -> tuple[bytes | None, int]:
    (length,) = _LENGTH.unpack_from(data, position)
    position += _LENGTH.size
    if length < 0:
        return None, position
    return data[position : position + length], position + length


def _bytes(data: bytes | None) -> bytes:
    return _LENGTH.pack(-1) if data is None else _LENGTH.pack(len(data)) + data


def _answers(output: bytes) -> Iterator[Answer]:
    position = 0
    while position < len(output):
        good, length = _ANSWER.unpack_from(output, position)
        position += _ANSWER.size
        data = output[position : position + length]
        yield Answer(data) if good else Answer(None, data.decode(errors="replace"))
        position += length
