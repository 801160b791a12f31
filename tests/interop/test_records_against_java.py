"""Kafka's own classes and ours on the same batches: written, read, damaged, validated."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from moldau.errors import CorruptRecordError
from moldau.platform.buffers import Buffer
from moldau.protocol.records.batch import iterate_batches, read_whole_header
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.compression import Codec
from moldau.protocol.records.control import EndMarker, build_marker_batch
from moldau.protocol.records.legacy import iterate_legacy_records
from moldau.protocol.records.record import Record, iterate_records
from moldau.protocol.records.refusals import BatchRefusedError
from moldau.protocol.records.validator import ValidationRules, validate_batch
from tests.interop.drawn_batches import (
    BASE_OFFSET,
    NOW,
    damaged_batch,
    drawn_fields,
    drawn_legacy_records,
    drawn_records,
    drawn_rules,
    producer_batch,
)
from tests.judges.java_records import (
    Answer,
    as_judged,
    ask_java,
    parse_read,
    parse_verdict,
    to_mark,
    to_read,
    to_validate,
    to_write,
)

pytestmark = pytest.mark.judge

REFUSALS = {"InvalidTimestampException": 32, "InvalidRecordException": 87}


def test_java_reads_what_we_write(
    kafka_libs: Path, seed: int, volume: Callable[[int, int], int]
) -> None:
    random = Random(seed)
    batches = []
    for _ in range(volume(500, 10_000)):
        fields = drawn_fields(random)
        builder = BatchBuilder(fields)
        for record in drawn_records(random, fields):
            delta = record.offset - fields.base_offset
            builder.append(*record[1:5], offset_delta=delta)
        batches.append(builder.build())
    answers = ask_java(kafka_libs, [to_read(batch) for batch in batches])
    for batch, answer in zip(batches, answers, strict=True):
        ours = as_judged(read_whole_header(batch), list(iterate_records(batch)))
        assert answer.data is not None, answer.error
        assert parse_read(answer.data) == [ours]


def test_we_read_what_java_writes(
    kafka_libs: Path, seed: int, volume: Callable[[int, int], int]
) -> None:
    random = Random(seed)
    recipes = []
    for _ in range(volume(500, 10_000)):
        fields = drawn_fields(random)
        recipes.append((fields, drawn_records(random, fields)))
    answers = ask_java(kafka_libs, [to_write(*recipe) for recipe in recipes])
    for (fields, records), answer in zip(recipes, answers, strict=True):
        assert answer.data is not None, answer.error
        (batch,) = iterate_batches(answer.data)
        assert list(iterate_records(batch)) == records
        header = read_whole_header(batch)
        assert (header.base_offset, header.leader_epoch) == (fields.base_offset, 3)
        assert header.is_transactional == fields.is_transactional


def test_uncompressed_batches_and_markers_are_byte_for_byte_javas(
    kafka_libs: Path, seed: int
) -> None:
    random = Random(seed)
    questions: list[tuple[bytes, bytes]] = []
    ours: list[bytes | None] = []
    for epoch in range(200):
        fields = drawn_fields(random, codec=Codec.NONE)
        records = drawn_records(random, fields)
        builder = BatchBuilder(fields)
        for record in records:
            builder.append(*record[1:5], offset_delta=record.offset - fields.base_offset)
        marker = EndMarker(random.random() < 0.5, epoch)
        producer = BatchFields(producer_id=7, producer_epoch=2, is_transactional=True)
        questions += [to_write(fields, records), to_mark(producer, marker, NOW)]
        markers = build_marker_batch(marker, producer_id=7, producer_epoch=2, timestamp=NOW)
        ours += [bytes(builder.build()), bytes(markers)]
    assert [answer.data for answer in ask_java(kafka_libs, questions)] == ours


def test_we_read_the_message_sets_that_java_writes(
    kafka_libs: Path, seed: int, volume: Callable[[int, int], int]
) -> None:
    random = Random(seed)
    recipes = []
    for _ in range(volume(200, 5_000)):
        magic = random.randrange(2)
        recipes.append((magic, *drawn_legacy_records(random, magic)))
    questions = [to_write(fields, records, magic) for magic, fields, records in recipes]
    for (_, _, records), answer in zip(recipes, ask_java(kafka_libs, questions), strict=True):
        assert answer.data is not None, answer.error
        assert list(iterate_legacy_records(answer.data)) == records


def test_damaged_batches_are_read_or_refused_as_java_does(
    kafka_libs: Path, seed: int, volume: Callable[[int, int], int]
) -> None:
    random = Random(seed)
    batches = [damaged_batch(random) for _ in range(volume(2_000, 50_000))]
    answers = ask_java(kafka_libs, [to_read(batch) for batch in batches])
    for batch, answer in zip(batches, answers, strict=True):
        theirs = None if answer.data is None else parse_read(answer.data)[0].records
        assert records_or_none(batch) == theirs, batch.hex()


def test_verdicts_are_those_of_kafkas_validator(
    kafka_libs: Path, seed: int, volume: Callable[[int, int], int]
) -> None:
    random = Random(seed)
    cases = [(producer_batch(random), drawn_rules(random)) for _ in range(volume(1_000, 20_000))]
    questions = [to_validate(*case, NOW, BASE_OFFSET, 4) for case in cases]
    for (batch, rules), answer in zip(cases, ask_java(kafka_libs, questions), strict=True):
        ours = our_verdict(batch, rules)
        assert ours == java_verdict(answer), (batch.hex(), rules)


Accepted = tuple[int, int, int, list[Record]]


def our_verdict(batch: bytes, rules: ValidationRules) -> Accepted | tuple[int, str]:
    try:
        valid = validate_batch(batch, rules, now_ms=NOW, base_offset=BASE_OFFSET, leader_epoch=4)
    except BatchRefusedError as refusal:
        indexes = ",".join(str(error.batch_index) for error in refusal.record_errors)
        return refusal.code, indexes
    return accepted(valid.log_append_time, valid.header.max_timestamp, valid.batch)


def accepted(log_append_time: int, max_timestamp: int, batch: Buffer) -> Accepted:
    header = read_whole_header(batch)
    assert header.max_timestamp == max_timestamp
    return log_append_time, header.attributes, header.leader_epoch, list(iterate_records(batch))


def java_verdict(answer: Answer) -> Accepted | tuple[int, str]:
    """A refusal is the code and the records that Java names: `Kind` or `Wrapper:Kind:0,3`."""
    if answer.data is not None:
        return accepted(*parse_verdict(answer.data))
    *_, kind, indexes = answer.error.split(":") if ":" in answer.error else (answer.error, "")
    return REFUSALS[kind], indexes


def records_or_none(batch: bytes) -> list[Record] | None:
    try:
        return list(iterate_records(batch))
    except CorruptRecordError:
        return None
