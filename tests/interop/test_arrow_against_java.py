"""Kafka's own classes read what was written from Arrow columns, and we read theirs into columns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from moldau.protocol.records.arrow import read_batches, write_batches
from moldau.protocol.records.batch import read_whole_header
from moldau.protocol.records.builder import BatchFields
from moldau.protocol.records.compression import Codec
from moldau.protocol.records.record import Header, Record, iterate_records
from tests.judges.java_records import as_judged, ask_java, parse_read, to_read, to_write

pytestmark = pytest.mark.judge

PRODUCER = BatchFields(producer_id=7, producer_epoch=2, base_sequence=2**31 - 100)
COUNT = 500


def table_of(count: int) -> pa.Table:
    headers = [
        [{"key": "název", "value": b"%d" % index}, {"key": "", "value": None}][: index % 3]
        for index in range(count)
    ]
    return pa.table(
        {
            "key": [None if index % 4 == 0 else b"k" * (index % 90) for index in range(count)],
            "value": [None if index % 5 == 0 else b"v" * index for index in range(count)],
            "timestamp": [1_700_000_000_000 + index * (-1) ** index * 50 for index in range(count)],
            "headers": headers,
        }
    )


def test_java_reads_what_was_written_from_columns(kafka_libs: Path) -> None:
    batches = [
        batch
        for codec in Codec
        for fields in (BatchFields(codec), replace(PRODUCER, codec=codec))
        for batch in write_batches(table_of(COUNT), size_max=20_000, fields=fields)
    ]
    answers = ask_java(kafka_libs, [to_read(batch) for batch in batches])
    for batch, answer in zip(batches, answers, strict=True):
        assert answer.data is not None, answer.error
        records = list(iterate_records(batch))
        assert parse_read(answer.data) == [as_judged(read_whole_header(batch), records)]
    assert len(batches) > 2 * len(Codec)


def test_what_java_wrote_becomes_columns(kafka_libs: Path) -> None:
    table = table_of(COUNT)
    records = [
        Record(index, row["timestamp"], row["key"], row["value"],
               tuple(Header(header["key"], header["value"]) for header in row["headers"]))
        for index, row in enumerate(table.to_pylist())
    ]  # fmt: skip
    answers = ask_java(kafka_libs, [to_write(BatchFields(codec), records) for codec in Codec])
    batches = [answer.data for answer in answers if answer.data is not None]
    assert len(batches) == len(Codec)
    columns = read_batches(b"".join(batches))
    assert columns["offset"].to_pylist() == list(range(COUNT)) * len(Codec)
    assert columns["timestamp"].cast(pa.int64()).to_pylist() == (
        table["timestamp"].to_pylist() * len(Codec)
    )
    for name in ("key", "value", "headers"):
        assert columns[name].to_pylist() == table[name].to_pylist() * len(Codec)
