"""Batches of one moment are those that the builder makes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.errors import EncodeError
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.compression import Codec
from moldau.protocol.records.moment import MomentBatches, Pair
from moldau.protocol.records.record import iterate_records

PAIRS = st.lists(st.tuples(st.binary(max_size=200), st.none() | st.binary(max_size=200)))
FIELDS = st.builds(
    BatchFields,
    codec=st.sampled_from(Codec),
    base_offset=st.integers(0, 9),
    leader_epoch=st.integers(-1, 9),
    producer_id=st.integers(-1, 9),
    producer_epoch=st.integers(-1, 9),
    base_sequence=st.integers(-1, 9),
    is_transactional=st.booleans(),
)


def built(fields: BatchFields, timestamp: int, pairs: list[Pair]) -> bytearray:
    builder = BatchBuilder(fields)
    for key, value in pairs:
        builder.append(timestamp, key, value)
    return builder.build()


@given(FIELDS, st.integers(0, 1 << 62), PAIRS)
def test_both_ways_make_the_same_bytes(fields, timestamp, pairs):
    if fields.codec in (Codec.GZIP, Codec.ZSTD):
        fields = replace(fields, level=3)
    batch = MomentBatches(fields).build(timestamp, pairs)
    assert batch == built(fields, timestamp, pairs)


def test_many_records_lie_in_their_order():
    pairs: list[Pair] = [(b"%d" % number, None) for number in range(300)]
    batch = MomentBatches(BatchFields()).build(77, pairs)
    assert [bytes(one.key or b"") for one in iterate_records(batch)] == [key for key, _ in pairs]


def test_a_batch_that_is_too_long_is_refused():
    with pytest.raises(EncodeError):
        MomentBatches(BatchFields(), 100).build(77, [(b"key", bytes(50))])
