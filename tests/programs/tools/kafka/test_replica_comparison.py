"""Replicas are compared batch by batch, up to what all of them have acknowledged."""

from __future__ import annotations

import pytest

from moldau.client import TopicPartition
from moldau.client.core.admin.replica_batches import ReplicaBatches
from moldau.programs.tools.kafka.replica_comparison import Comparison, OffsetMismatchError
from moldau.protocol.records.batch import BatchHeader

ONE = TopicPartition("t", 0)


def header(first: int, last: int, crc: int = 7) -> BatchHeader:
    return BatchHeader(first, 61, 0, 2, crc, 0, last - first, 0, 0, -1, -1, -1, 1)


def held(high_watermark: int, *headers: BatchHeader):
    return {ONE: ReplicaBatches(high_watermark, headers)}


@pytest.fixture
def comparison():
    return Comparison({ONE: (1, 2)}, {ONE: 4})


def test_replicas_that_agree_are_read_on_behind_the_last_batch(comparison):
    both = held(7, header(4, 4), header(5, 6))
    assert comparison.compare({1: both, 2: both}) == []
    assert comparison.wanted() == {1: {ONE: 7}, 2: {ONE: 7}}
    assert comparison.report == "max lag is 0 for partition t-0 at offset 7 among 1 partitions"


def test_what_one_replica_lacks_is_a_lag(comparison):
    assert (
        comparison.compare({1: held(9, header(4, 4), header(5, 8)), 2: held(5, header(4, 4))}) == []
    )
    assert comparison.report == "max lag is 4 for partition t-0 at offset 5 among 1 partitions"


def test_nothing_above_a_high_watermark_is_compared(comparison):
    both = held(6, header(4, 4)), held(5, header(4, 4), header(5, 5, crc=8))
    assert comparison.compare({1: both[0], 2: both[1]}) == []
    late = held(6, header(5, 5)), held(5, header(5, 5, crc=8))
    assert comparison.compare({1: late[0], 2: late[1]}) == []
    assert comparison.wanted()[1] == {ONE: 5}


def test_other_bytes_are_named_with_both_checksums(comparison):
    (line,) = comparison.compare({1: held(9, header(4, 6)), 2: held(9, header(4, 6, crc=8))})
    assert line == (
        "partition t-0 has unmatched checksum at offset 6; replica 1's checksum 7; "
        "replica 2's checksum 8"
    )


def test_batches_that_end_elsewhere_cannot_be_compared(comparison):
    with pytest.raises(OffsetMismatchError, match="replica 1's offset 6 doesn't match replica 2's"):
        comparison.compare({1: held(9, header(4, 6)), 2: held(9, header(4, 5))})
