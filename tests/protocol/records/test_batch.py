"""The header of a batch, and the walk from batch to batch."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.errors import CorruptRecordError
from moldau.protocol.records.batch import (
    CRC_START,
    FIELDS,
    HEADER_SIZE,
    BatchHeader,
    TimestampType,
    ensure_checksum,
    iterate_batches,
    read_header,
    read_whole_header,
    set_base_offset,
    set_checksum,
    write_header,
)
from tests.protocol.records.captured import captured

TWO = captured("codec-none")
FIRST = next(iterate_batches(TWO)).tobytes()


def test_a_header_says_what_the_broker_wrote() -> None:
    header = read_whole_header(FIRST)
    assert header.size == len(FIRST)
    assert (header.base_offset, header.last_offset, header.next_offset) == (0, 3, 4)
    assert (header.leader_epoch, header.record_count, header.codec) == (0, 4, 0)
    assert (header.base_sequence, header.last_sequence) == (0, 3)
    assert header.has_producer
    assert header.timestamp_type is TimestampType.CREATE
    assert not header.is_transactional
    assert not header.is_control
    assert header.delete_horizon_ms is None


def test_markers_are_transactional_control_batches() -> None:
    _, marker, _ = map(read_whole_header, iterate_batches(captured("transactions")))
    assert marker.is_control
    assert marker.is_transactional
    assert marker.last_sequence == -1


def test_the_base_offset_is_set_without_a_new_checksum() -> None:
    batch = bytearray(b"junk" + FIRST)
    set_base_offset(batch, 2**40, 4)
    header = read_header(batch, 4)
    assert header.base_offset == 2**40
    ensure_checksum(batch, header, 4)


def test_a_header_with_another_field_is_another_header() -> None:
    header = read_header(FIRST)
    for name, value in zip(FIELDS, header.values(), strict=True):
        other = header.replaced(**{name: value ^ 1})
        assert other != header, name
        assert other.replaced(**{name: value}) == header
        assert f"{name}={value ^ 1}" in repr(other)
    assert hash(header) == hash(read_header(FIRST))
    with pytest.raises(TypeError):
        header.replaced(size=1)


@pytest.mark.parametrize("position", [CRC_START, HEADER_SIZE, len(FIRST) - 1])
def test_a_flipped_bit_is_found(position: int) -> None:
    batch = bytearray(FIRST)
    batch[position] ^= 4
    with pytest.raises(CorruptRecordError, match="checksum"):
        ensure_checksum(batch, read_header(batch))


def test_a_checksum_that_was_set_holds() -> None:
    batch = bytearray(FIRST)
    write_header(batch, read_header(batch).replaced(attributes=8))
    crc = set_checksum(batch, len(batch))
    assert read_header(batch).crc == crc
    ensure_checksum(batch, read_header(batch))


def test_the_walk_ends_before_a_batch_that_is_cut_off() -> None:
    for size in range(len(FIRST), len(TWO)):
        assert [bytes(batch) for batch in iterate_batches(TWO[:size])] == [FIRST]
    assert len(list(iterate_batches(TWO))) == 2


@pytest.mark.parametrize("length", [-1, 0, 48, -(2**31)])
def test_the_walk_refuses_a_length_without_room_for_a_header(length: int) -> None:
    batch = bytearray(FIRST)
    batch[8:12] = length.to_bytes(4, "big", signed=True)
    with pytest.raises(CorruptRecordError, match="claims"):
        list(iterate_batches(batch))


@pytest.mark.parametrize(
    ("batch", "reason"),
    [
        (FIRST[: HEADER_SIZE - 1], "cut off"),
        (FIRST[:-1], "claims"),
        (FIRST[:16] + b"\x01" + FIRST[17:], "batch format 1"),
    ],
)
def test_a_header_without_its_batch_is_refused(batch: bytes, reason: str) -> None:
    with pytest.raises(CorruptRecordError, match=reason):
        read_whole_header(batch)


@given(st.binary(min_size=HEADER_SIZE, max_size=HEADER_SIZE))
def test_any_header_is_written_as_it_was_read(data: bytes) -> None:
    header = read_header(data)
    assert isinstance(header, BatchHeader)
    assert header.pack() == data
    assert header.timestamp_type in TimestampType


@given(st.binary(min_size=HEADER_SIZE + 3, max_size=HEADER_SIZE + 9), st.integers(0, 3))
def test_a_header_in_bytes_is_read_as_the_same_in_a_view(data: bytes, position: int) -> None:
    assert read_header(data, position) == read_header(memoryview(data), position)


@pytest.mark.parametrize("position", [-1, 1, 2**40])
def test_a_header_that_is_cut_off_is_read_from_neither_bytes_nor_a_view(position: int) -> None:
    for data in (FIRST[:HEADER_SIZE], memoryview(FIRST)[:HEADER_SIZE]):
        with pytest.raises(struct.error):
            read_header(data, position)


def test_a_header_that_is_placed_keeps_its_other_fields() -> None:
    header = read_header(FIRST)
    assert header.placed(7, 3, 9, 11, 13) == header.replaced(
        base_offset=7, leader_epoch=3, attributes=9, max_timestamp=11, crc=13
    )
