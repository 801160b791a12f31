"""Headers become lists of key and value."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from moldau.protocol.records.arrow import runs
from moldau.protocol.records.arrow.blocks import Block, Blocks, read_blocks
from moldau.protocol.records.arrow.headers import HeadersColumn
from moldau.protocol.records.arrow.runs import iterate_runs
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.compression import Codec
from tests.protocol.records.plain_block import PlainRecord, write_plain_block


def read_all(packed: bytes) -> Blocks:
    return read_blocks(packed, None, True, 1 << 20)


def column(blocks: Blocks) -> pa.Array:
    making = HeadersColumn(blocks.record_count)
    for run in iterate_runs(blocks):
        making.fill(run)
    sources = [np.frombuffer(source, np.uint8) for source in blocks.sources]
    headers = making.finish([pa.py_buffer(source) for source in blocks.sources], sources)
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
    found = column(read_all(packed)).to_pylist()
    first = [{"key": "ř", "value": b"1"}, {"key": "b", "value": None}]
    assert found == [first, [], [], [], [{"key": "", "value": long}], []]


def test_no_headers_are_empty_lists() -> None:
    assert column(read_all(batch())).to_pylist() == [[], []]


def test_keys_that_are_no_text_are_read_as_java_reads_them() -> None:
    block = write_plain_block([PlainRecord(headers=((b"a\xff", b"1"),))])
    blocks = read_all(batch())
    header = blocks.blocks[0].header.replaced(record_count=1)
    odd = Blocks([Block(header, 0, 0, block)], (memoryview(block), memoryview(b"")))
    assert column(odd).to_pylist() == [[{"key": "a\ufffd", "value": b"1"}]]


def test_offsets_go_on_from_run_to_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "RUN_RECORDS", 1)
    packed = batch(("a", b"1"), ("b", b"2")) + batch(("c", b"3"))
    keys = [[header["key"] for header in row] for row in column(read_all(packed)).to_pylist()]
    assert keys == [["a", "b"], [], ["c"], []]
