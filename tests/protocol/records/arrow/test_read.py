"""Batches become columns: the same records that the plain iterator finds, payload uncopied."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from random import Random

import pyarrow as pa
import pytest

from moldau.errors import CorruptRecordError
from moldau.protocol.records.arrow import EXTRA_COLUMNS, SCHEMA, read_batches
from moldau.protocol.records.batch import read_whole_header, set_checksum, write_header
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.compression import Codec
from moldau.protocol.records.record import iterate_records
from tests.protocol.records.librdkafka_vectors import (
    BASE_TIMESTAMP,
    CODEC_NAMES,
    read_vector,
    vector_records,
)

LONG_VALUE = b"a value that is longer than twelve bytes"


def a_batch(base_offset: int = 0, count: int = 3, **fields: object) -> bytes:
    builder = BatchBuilder(BatchFields(base_offset=base_offset, **fields))  # type: ignore[arg-type]
    for index in range(count):
        builder.append(100 + index, b"k%d" % index, LONG_VALUE, [("name", b"%d" % index)])
    return bytes(builder.build())


@pytest.mark.parametrize("codec_name", CODEC_NAMES)
def test_what_librdkafka_sent_is_read(codec_name: str) -> None:
    columns = read_batches(read_vector(codec_name, "large"))
    columns.validate(full=True)
    sent = vector_records("large")
    assert columns["key"].to_pylist() == [record.key for record in sent]
    assert columns["value"].to_pylist() == [record.value for record in sent]
    assert columns["offset"].to_pylist() == list(range(len(sent)))
    assert columns["timestamp"].cast(pa.int64()).to_pylist() == [
        BASE_TIMESTAMP + record.timestamp_delta for record in sent
    ]
    assert columns["headers"].to_pylist() == [
        [{"key": key.decode(), "value": value} for key, value in record.headers] for record in sent
    ]


def test_several_batches_become_one_record_batch() -> None:
    buffer = a_batch(10) + a_batch(20, codec=Codec.LZ4) + a_batch(30)
    columns = read_batches(buffer)
    assert columns["offset"].to_pylist() == [10, 11, 12, 20, 21, 22, 30, 31, 32]
    assert columns["key"].to_pylist() == [b"k0", b"k1", b"k2"] * 3
    assert columns["value"].to_pylist() == [LONG_VALUE] * 9


def test_values_are_views_on_the_given_buffer() -> None:
    buffer = bytearray(a_batch())
    columns = read_batches(memoryview(buffer))
    buffer[buffer.index(LONG_VALUE) + 20] = ord("!")
    assert columns["value"][0].as_py() == LONG_VALUE[:20] + b"!" + LONG_VALUE[21:]


def test_log_append_time_is_the_time_of_all_records() -> None:
    columns = read_batches(a_batch() + a_batch(log_append_time=7_000))
    assert columns["timestamp"].cast(pa.int64()).to_pylist() == [100, 101, 102, *[7_000] * 3]
    assert columns["timestamp_type"].to_pylist() == [0, 0, 0, 1, 1, 1]


def test_fields_of_the_batch_come_when_asked_for() -> None:
    producer = a_batch(producer_id=7, producer_epoch=2, base_sequence=2**31 - 2, leader_epoch=9)
    columns = read_batches(producer + a_batch(), extra_columns=EXTRA_COLUMNS)
    assert columns["producer_id"].to_pylist() == [7, 7, 7, -1, -1, -1]
    assert columns["producer_epoch"].to_pylist() == [2, 2, 2, -1, -1, -1]
    assert columns["leader_epoch"].to_pylist() == [9, 9, 9, -1, -1, -1]
    assert columns["sequence"].to_pylist() == [2**31 - 2, 2**31 - 1, 0, -1, -1, -1]


def test_aborted_transactions_can_be_left_out_by_their_headers() -> None:
    buffer = a_batch(0, producer_id=1, base_sequence=0) + a_batch(3, producer_id=2, base_sequence=0)
    columns = read_batches(buffer, keep=lambda header: header.producer_id != 1)
    assert columns["offset"].to_pylist() == [3, 4, 5]


@pytest.mark.parametrize("buffer", [b"", a_batch()[:-1], a_batch(is_control=True)])
def test_no_batches_are_no_rows_of_the_same_schema(buffer: bytes) -> None:
    columns = read_batches(buffer)
    assert columns.num_rows == 0
    assert columns.schema == SCHEMA


def test_columns_can_become_plain_binary() -> None:
    columns = read_batches(a_batch())
    assert columns["value"].cast(pa.binary()).to_pylist() == [LONG_VALUE] * 3


@pytest.mark.parametrize("field", ["base_offset", "base_timestamp"])
def test_numbers_beyond_64_bits_are_refused(field: str) -> None:
    batch = bytearray(a_batch())
    write_header(batch, read_whole_header(batch).replaced(**{field: 2**63 - 1}))
    set_checksum(batch, len(batch))
    with pytest.raises(CorruptRecordError, match="beyond 64 bits"):
        read_batches(batch)


def test_hostile_batches_give_sound_columns_or_one_error(
    seed: int, volume: Callable[[int, int], int]
) -> None:
    random = Random(seed)
    whole = [a_batch(), a_batch(count=90), *(a_batch(codec=codec) for codec in Codec)]
    refused = 0
    for _ in range(volume(1_500, 30_000)):
        batch = bytearray(random.choice(whole))
        for _ in range(random.randint(1, 3)):
            batch[random.randrange(8, len(batch))] = random.choice((0, 1, 127, 128, 255))
        set_checksum(batch, len(batch))
        try:
            columns = read_batches(batch)
        except CorruptRecordError:
            refused += 1
            continue
        columns.validate(full=True)
        assert_same_as_one_by_one(batch, columns)
    assert refused


def assert_same_as_one_by_one(batch: bytearray, columns: pa.RecordBatch) -> None:
    if not columns.num_rows:
        return
    records = list(iterate_records(batch))
    assert columns["key"].to_pylist() == [record.key for record in records]
    assert columns["value"].to_pylist() == [record.value for record in records]
    assert columns["offset"].to_pylist() == [record.offset for record in records]
    assert columns["timestamp"].cast(pa.int64()).to_pylist() == [
        record.timestamp for record in records
    ]
    assert [[tuple(header.values()) for header in row] for row in columns["headers"].to_pylist()] \
        == [[tuple(header) for header in record.headers] for record in records]  # fmt: skip


@pytest.mark.parametrize("missing", ["pyarrow", "numpy"])
def test_without_arrow_one_sentence_says_what_to_install(missing: str) -> None:
    program = f"import sys; sys.modules[{missing!r}] = None\nimport moldau.protocol.records.arrow"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    sentence = f"{missing}, which is not installed: in a checkout of Moldau, pip install '.[arrow]'"
    assert run.stderr.splitlines()[-1].startswith("moldau.errors.MissingExtraError")
    assert sentence in run.stderr
