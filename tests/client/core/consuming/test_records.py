"""Records as objects."""

from __future__ import annotations

import pytest

from moldau.client.core.consuming.records import records_of
from moldau.client.core.fetching.chunk import Chunk
from moldau.client.topic_partition import TopicPartition
from moldau.errors import CorruptRecordError
from moldau.protocol.records.compression import Codec
from moldau.protocol.records.record import iterate_records
from tests.client.batches import data_batch, marker

PART = TopicPartition("t", 3)


def chunk_of(*batches: bytes, start: int = 0, end: int = 100, void=frozenset()) -> Chunk:
    return Chunk(PART, memoryview(b"".join(batches)), start, end, void)


def offsets(chunk: Chunk) -> list[int]:
    found = records_of(chunk, check_checksums=True)
    return [record.offset for records in found for record in records]


@pytest.mark.parametrize("codec", [Codec.NONE, Codec.ZSTD])
def test_they_are_what_the_plain_reader_finds(codec):
    batch = data_batch(5, 4, codec=codec)
    (found,) = records_of(chunk_of(batch), check_checksums=True)
    plain = list(iterate_records(batch))
    assert [(one.offset, one.timestamp, one.key, one.value) for one in found] == [
        (one.offset, one.timestamp, one.key, one.value) for one in plain
    ]
    assert {(one.topic, one.partition) for one in found} == {("t", 3)}


def test_only_what_is_wanted_is_returned():
    batches = (data_batch(0, 5), data_batch(5, 5), data_batch(10, 5))
    chunk = chunk_of(*batches, start=3, end=12, void=frozenset({5}))
    assert offsets(chunk) == [3, 4, 10, 11]


def test_markers_are_no_records():
    assert offsets(chunk_of(marker(0, 7, is_commit=True), data_batch(1, 1))) == [1]


def test_damage_is_noticed_and_named():
    damaged = bytearray(data_batch(0, 3))
    damaged[-1] ^= 1
    with pytest.raises(CorruptRecordError, match="t-3"):
        offsets(chunk_of(bytes(damaged)))
