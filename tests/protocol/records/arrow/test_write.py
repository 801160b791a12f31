"""Columns become batches: bounded, complete, and as the plain iterator reads them."""

from __future__ import annotations

from random import Random

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.errors import EncodeError
from moldau.protocol.records.arrow import read_batches, write_batches
from moldau.protocol.records.arrow.write import cut
from moldau.protocol.records.batch import HEADER_SIZE, ensure_checksum, read_whole_header
from moldau.protocol.records.builder import BatchFields
from moldau.protocol.records.compression import Codec
from moldau.protocol.records.record import iterate_records


def table_of(values: list[bytes | None], **columns: object) -> pa.Table:
    return pa.table({"value": pa.array(values, pa.binary()), **columns})


def written_values(batches: list[bytearray]) -> list[bytes | None]:
    return [record.value for batch in batches for record in iterate_records(batch)]


@given(st.lists(st.integers(1, 30), min_size=1), st.integers(1, 60))
def test_a_cut_is_as_far_as_there_is_room(sizes: list[int], room: int) -> None:
    starts = cut(np.array(sizes), room)
    expected = [0]
    for index in range(1, len(sizes)):
        if sum(sizes[expected[-1] : index + 1]) > room:
            expected.append(index)
    assert starts == expected


def test_every_field_of_a_record_arrives() -> None:
    headers = [[{"key": "name", "value": b"1"}, {"key": "", "value": None}], []]
    columns = {"key": ["key", None], "timestamp": [1_000, 900], "headers": headers}
    (batch,) = write_batches(table_of([None, b"value"], **columns), size_max=1_000)
    first, second = iterate_records(batch)
    assert (first.offset, first.timestamp, first.key, first.value) == (0, 1_000, b"key", None)
    assert [tuple(header) for header in first.headers] == [("name", b"1"), ("", None)]
    assert (second.offset, second.timestamp, second.key, second.value) == (1, 900, None, b"value")
    header = read_whole_header(batch)
    assert (header.base_timestamp, header.max_timestamp, header.record_count) == (1_000, 1_000, 2)
    ensure_checksum(batch, header)


@pytest.mark.parametrize("size_max", [120, 1_000, 16_384, 1 << 20])
def test_no_batch_is_larger_than_allowed(size_max: int) -> None:
    values: list[bytes | None] = [b"v" * (index % 40) for index in range(5_000)]
    batches = write_batches(table_of(values, timestamp=range(5_000)), size_max=size_max)
    assert written_values(batches) == values
    assert max(map(len, batches)) <= size_max


@pytest.mark.parametrize("size_max", [1_000, 16_384])
def test_batches_are_well_filled(size_max: int) -> None:
    values: list[bytes | None] = [b"v" * (index % 40) for index in range(5_000)]
    timestamps = [1_700_000_000_000 - index * 3 for index in range(5_000)]
    batches = write_batches(table_of(values, timestamp=timestamps), size_max=size_max)
    assert min(map(len, batches[:-1])) > 0.75 * size_max


@pytest.mark.parametrize("codec", list(Codec))
def test_batches_are_compressed_with_the_codec_and_stay_within_the_size(codec: Codec) -> None:
    noise: list[bytes | None] = [Random(index).randbytes(100) for index in range(400)]
    batches = write_batches(table_of(noise), size_max=4_096, fields=BatchFields(codec=codec))
    assert written_values(batches) == noise
    assert max(map(len, batches)) <= 4_096
    assert {read_whole_header(batch).codec for batch in batches} == {codec}


def test_levels_matter() -> None:
    text: list[bytes | None] = [b'{"id":%d,"page":"/home"}' % index for index in range(3_000)]
    sizes = [
        len(write_batches(table_of(text), size_max=1 << 20, fields=BatchFields(codec, level))[0])
        for codec, level in ((Codec.GZIP, 1), (Codec.GZIP, 9))
    ]
    assert sizes[0] > sizes[1]


def test_sequences_go_on_from_batch_to_batch_and_begin_again_at_zero() -> None:
    fields = BatchFields(producer_id=7, producer_epoch=1, base_sequence=2**31 - 2)
    batches = write_batches(table_of([b"v" * 50] * 4), size_max=HEADER_SIZE + 60, fields=fields)
    headers = [read_whole_header(batch) for batch in batches]
    assert [header.base_sequence for header in headers] == [2**31 - 2, 2**31 - 1, 0, 1]
    assert {(header.base_offset, header.producer_id) for header in headers} == {(0, 7)}


def test_records_without_a_time_have_the_given_one() -> None:
    (batch,) = write_batches(table_of([b"1"]), size_max=100, now_ms=123)
    assert next(iterate_records(batch)).timestamp == 123


def test_no_records_are_no_batches() -> None:
    assert write_batches(table_of([]), size_max=100) == []


def test_a_record_that_just_fits_is_taken_and_one_byte_more_refused() -> None:
    (batch,) = write_batches(table_of([b"v" * 32]), size_max=100)
    assert len(batch) == 100
    with pytest.raises(EncodeError, match="record 1 takes 40 bytes: a batch of 100"):
        write_batches(table_of([b"", b"v" * 33]), size_max=100)


def test_a_record_that_grows_beyond_the_size_is_refused() -> None:
    noise = Random(1).randbytes(1_000)
    fields = BatchFields(codec=Codec.SNAPPY)
    with pytest.raises(EncodeError, match="record 0 compresses to more than a batch of 1072"):
        write_batches(table_of([noise]), size_max=1_072, fields=fields)


def test_times_too_far_apart_are_refused() -> None:
    table = table_of([b"", b""], timestamp=[-(2**62), 2**62])
    with pytest.raises(EncodeError, match="further apart"):
        write_batches(table, size_max=1_000)


def test_what_was_read_can_be_written_again() -> None:
    values: list[bytes | None] = [b"short", None, b"a value that is longer than twelve bytes"] * 50
    table = table_of(values, key=values, timestamp=range(150))
    first = b"".join(write_batches(table, size_max=2_000))
    again = b"".join(write_batches(read_batches(first), size_max=2_000))
    assert again == first
