"""Which batches of a chunk are wanted."""

from __future__ import annotations

from moldau.client.core.fetching.chunk import Chunk
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.records.batch import read_header
from tests.client.batches import data_batch, marker


def wants(batch: bytes, start: int, end: int, *void: int) -> bool:
    chunk = Chunk(TopicPartition("t", 0), memoryview(batch), start, end, frozenset(void))
    return chunk.wants(read_header(batch))


def test_a_batch_that_touches_the_wanted_offsets_is_wanted():
    batch = data_batch(10, 3)
    assert [wants(batch, start, 100) for start in (0, 10, 12, 13)] == [True, True, True, False]
    assert [wants(batch, 0, end) for end in (10, 11, 13)] == [False, True, True]


def test_void_batches_and_markers_are_not_wanted():
    assert not wants(data_batch(10), 0, 100, 10)
    assert not wants(marker(10, 7, is_commit=True), 0, 100)
