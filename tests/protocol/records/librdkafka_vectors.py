"""Log segments that Apache Kafka 4.3.1 stored from librdkafka 2.16, and what is in them.

Each file holds one batch, compressed by librdkafka and left by the broker as it came: 5 records
in the small ones, 1,200 in the large ones, which an idempotent producer sent. Record i was made
by the rules below, so what must come out needs no file of its own.
"""

from __future__ import annotations

from pathlib import Path

from tests.protocol.records.plain_block import PlainRecord

FOLDER = Path(__file__).parents[2] / "vectors" / "compression"
CODEC_NAMES = ("gzip", "snappy", "lz4", "zstd")
SIZES = {"small": 5, "large": 1200}
BASE_TIMESTAMP = 1_700_000_000_000


def read_vector(codec_name: str, size: str) -> bytes:
    return (FOLDER / f"librdkafka-{codec_name}-{size}.log").read_bytes()


def vector_records(size: str) -> list[PlainRecord]:
    return [_record(index) for index in range(SIZES[size])]


def _record(index: int) -> PlainRecord:
    value = b'{"id":%d,"page":"/home/%d"}' % (index, index % 31)
    return PlainRecord(
        timestamp_delta=index * 3,
        offset_delta=index,
        key=None if index % 5 == 0 else b"key-%d" % (index % 17),
        value=None if index % 7 == 3 else value * (1 if index % 3 else 4),
        headers=((b"trace", b"%d" % index), (b"empty", None)) if index % 4 == 0 else (),
    )
