"""Which batches are read, and where their records lie."""

from __future__ import annotations

import pytest

from moldau.errors import CorruptRecordError
from moldau.protocol.records.arrow import blocks
from moldau.protocol.records.arrow.blocks import GIVEN, UNFOLDED, read_blocks
from moldau.protocol.records.batch import HEADER_SIZE, read_whole_header, write_header
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.compression import Codec

NO_LIMIT = 1 << 30


def batch(value: bytes, **fields: object) -> bytes:
    builder = BatchBuilder(BatchFields(**fields))  # type: ignore[arg-type] # each as it is named
    builder.append(7, b"key", value)
    return bytes(builder.build())


def test_plain_blocks_lie_in_the_given_buffer() -> None:
    first, second = batch(b"1"), batch(b"22")
    found = read_blocks(first + second, None, True, NO_LIMIT)
    assert [block.source for block in found.blocks] == [GIVEN, GIVEN]
    assert [block.base for block in found.blocks] == [HEADER_SIZE, len(first) + HEADER_SIZE]
    assert bytes(found.sources[GIVEN]) == first + second


def test_compressed_blocks_lie_behind_one_another() -> None:
    packed = batch(b"1" * 50, codec=Codec.GZIP) + batch(b"2" * 50, codec=Codec.ZSTD)
    found = read_blocks(packed, None, True, NO_LIMIT)
    assert [block.source for block in found.blocks] == [UNFOLDED, UNFOLDED]
    assert [block.base for block in found.blocks] == [0, len(found.blocks[0].data)]
    assert bytes(found.sources[UNFOLDED]) == b"".join(block.data for block in found.blocks)


def test_control_batches_and_unwanted_ones_are_left_out() -> None:
    buffer = batch(b"0", is_control=True) + batch(b"1") + batch(b"2", base_offset=5)
    found = read_blocks(buffer, lambda header: header.base_offset < 5, True, NO_LIMIT)
    assert [bytes(block.data[-2:]) for block in found.blocks] == [b"1\x00"]


def test_a_batch_cut_off_at_the_end_is_left_out() -> None:
    whole = batch(b"1")
    found = read_blocks(whole + whole[:-1], None, True, NO_LIMIT)
    assert len(found.blocks) == 1


def test_a_wrong_checksum_is_refused_where_checksums_are_checked() -> None:
    damaged = bytearray(batch(b"value"))
    damaged[-2] ^= 1
    with pytest.raises(CorruptRecordError, match="checksum"):
        read_blocks(damaged, None, True, NO_LIMIT)
    assert len(read_blocks(damaged, None, False, NO_LIMIT).blocks) == 1


def test_the_records_of_all_blocks_are_counted() -> None:
    assert read_blocks(batch(b"1") * 3, None, True, NO_LIMIT).record_count == 3


@pytest.mark.parametrize("count", [-1, 3, 2**31 - 1])
def test_more_records_than_there_can_be_are_refused_before_room_is_made(count: int) -> None:
    lying = bytearray(batch(b"value"))
    write_header(lying, read_whole_header(lying).replaced(record_count=count))
    with pytest.raises(CorruptRecordError, match=f"claims {count} records"):
        read_blocks(lying, None, False, NO_LIMIT)


def test_all_compressed_batches_share_one_limit() -> None:
    packed = batch(bytes(1_000), codec=Codec.GZIP)
    read_blocks(packed * 2, None, True, 2_100)
    with pytest.raises(CorruptRecordError, match="unfolds to more"):
        read_blocks(packed * 3, None, True, 2_100)


def test_a_buffer_beyond_the_reach_of_views_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "SOURCE_BYTES_MAX", 100)
    with pytest.raises(CorruptRecordError, match="reach 100"):
        read_blocks(bytes(101), None, True, NO_LIMIT)
