"""The packer, from its source and compiled."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from hypothesis import given
from librt.strings import BytesWriter

from moldau.protocol.records.scan import ROW, ROW_SIZE, scan_records
from tests.protocol.records.drawn_records import INT64, PLAIN_RECORDS
from tests.protocol.records.hot_both_ways import load_compiled, load_plain
from tests.protocol.records.plain_block import PlainRecord, write_plain_block, zigzag_varint


def packed(pack: Any, record: PlainRecord) -> bytes:
    block = BytesWriter()
    headers = tuple((key.decode(), value) for key, value in record.headers)
    pack.pack_record(block, *record[:4], headers)
    return block.getvalue()


@pytest.mark.parametrize(
    "record",
    [
        PlainRecord(),
        PlainRecord(0, 0, b"", b""),
        PlainRecord(-(2**63), 2**31 - 1, b"k" * 64, b"v" * 8192, ((b"", None), (b"h", b""))),
    ],
)
def test_a_record_is_packed_as_the_plain_writer_does(pack: Any, record: PlainRecord) -> None:
    assert packed(pack, record) == write_plain_block([record])


@given(PLAIN_RECORDS)
def test_both_ways_pack_any_record_as_the_plain_writer_does(records: list[PlainRecord]) -> None:
    for pack in (load_plain("pack"), load_compiled("pack")):
        for record in records:
            block = write_plain_block([record])
            headers = tuple((key.decode(), value) for key, value in record.headers)
            assert packed(pack, record) == block
            assert pack.record_size(*record[:4], headers) == len(block)


@given(PLAIN_RECORDS)
def test_both_ways_turn_rows_back_into_their_block(records: list[PlainRecord]) -> None:
    block = write_plain_block(records)
    rows = scan_records(block, len(records))
    for pack in (load_plain("pack"), load_compiled("pack")):
        assert pack.pack_rows(rows, block, block, block) == block


def part_of(pack: Any, column: list[bytes | None], base: int) -> Any:
    octets = [part or b"" for part in column]
    offsets = [base + sum(map(len, octets[:index])) for index in range(len(octets) + 1)]
    lengths = [-1 if part is None else len(part) for part in column]
    packed = [struct.pack(f"<{len(numbers)}q", *numbers) for numbers in (offsets, lengths)]
    return pack.Part(b"".join(octets), base, *packed)


def packed_columns(pack: Any, records: list[PlainRecord]) -> bytes:
    """From timestamps that are the deltas, as if the batch began at 0."""
    timestamps = struct.pack(f"<{len(records)}q", *(record.timestamp_delta for record in records))
    keys = part_of(pack, [record.key for record in records], 0)
    values = part_of(pack, [record.value for record in records], 1_000)
    block: bytes = pack.pack_columns(timestamps, keys, values)
    return block


@given(PLAIN_RECORDS)
def test_both_ways_pack_columns_as_the_plain_writer_does(records: list[PlainRecord]) -> None:
    records = [PlainRecord()] + [
        record._replace(offset_delta=index, headers=()) for index, record in enumerate(records, 1)
    ]
    for pack in (load_plain("pack"), load_compiled("pack")):
        assert packed_columns(pack, records) == write_plain_block(records)


def test_parts_of_every_length_are_copied_whole(pack: Any) -> None:
    sizes = [*range(20), 511, 512, 513, 70_000]
    records = [
        PlainRecord(0, index, bytes(range(20))[:size], b"\xff" * size)
        for index, size in enumerate(sizes)
    ]
    assert packed_columns(pack, records) == write_plain_block(records)


def test_some_of_the_rows_make_a_shorter_block(pack: Any) -> None:
    records = [PlainRecord(index, index, b"key", b"value") for index in range(5)]
    block = write_plain_block(records)
    rows = scan_records(block, 5)
    kept = rows[ROW_SIZE : 2 * ROW_SIZE] + rows[4 * ROW_SIZE :]
    assert pack.pack_rows(kept, block, block, block) == write_plain_block([records[1], records[4]])


def test_parts_may_come_from_three_buffers(pack: Any) -> None:
    row = ROW.pack(7, 0, 1, 2, 0, 3, 4, 1, 8)
    block = pack.pack_rows(row, b".ke.", b"val", b"....\x02h\x021")
    assert block == write_plain_block([PlainRecord(7, 0, b"ke", b"val", ((b"h", b"1"),))])


def test_a_torn_row_is_our_own_mistake(pack: Any) -> None:
    with pytest.raises(AssertionError):
        pack.pack_rows(b"\x00" * (ROW_SIZE - 1), b"", b"", b"")


@given(INT64)
def test_both_ways_write_any_varint_and_know_its_size(number: int) -> None:
    for pack in (load_plain("pack"), load_compiled("pack")):
        block = BytesWriter()
        pack.write_varint(block, number)
        assert block.getvalue() == zigzag_varint(number)
        assert pack.varint_size(number) == len(block)
