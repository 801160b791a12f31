"""Headers become lists of key and value."""

from __future__ import annotations

import pyarrow as pa

from moldau.records.arrow.blocks import Blocks, read_blocks
from moldau.records.arrow.headers import headers_column
from moldau.records.builder import BatchBuilder, BatchFields
from moldau.records.compression import Codec
from moldau.records.scan import scan_records
from tests.records.plain_block import PlainRecord, write_plain_block


def column(blocks: Blocks) -> pa.Array:
    buffers = [pa.py_buffer(source) for source in blocks.sources]
    headers = headers_column(blocks, blocks.rows(), buffers)
    headers.validate(full=True)
    return headers


def batch(*headers: tuple[str, bytes | None], codec: Codec = Codec.NONE) -> bytes:
    builder = BatchBuilder(BatchFields(codec=codec))
    builder.append(0, None, None, headers)
    builder.append(0, None, None)
    return bytes(builder.build())


def test_headers_of_several_batches_and_sources_keep_their_places() -> None:
    long = b"a value too long to be inline"
    packed = batch(("ř", b"1"), ("b", None)) + batch() + batch(("", long), codec=Codec.GZIP)
    found = column(read_blocks(packed, None, True, 1 << 20)).to_pylist()
    first = [{"key": "ř", "value": b"1"}, {"key": "b", "value": None}]
    assert found == [first, [], [], [], [{"key": "", "value": long}], []]


def test_no_headers_are_empty_lists() -> None:
    assert column(read_blocks(batch(), None, True, 1 << 20)).to_pylist() == [[], []]


def test_keys_that_are_no_text_are_read_as_java_reads_them() -> None:
    plain = batch()
    block = write_plain_block([PlainRecord(headers=((b"a\xff", b"1"),))])
    blocks = read_blocks(plain, None, True, 1 << 20)
    odd = blocks.blocks[0]._replace(
        header=blocks.blocks[0].header._replace(record_count=1),
        source=1,
        base=0,
        data=block,
        rows=scan_records(block, 1),
    )
    found = column(Blocks([odd], (memoryview(plain), memoryview(block))))
    assert found.to_pylist() == [[{"key": "a\ufffd", "value": b"1"}]]
