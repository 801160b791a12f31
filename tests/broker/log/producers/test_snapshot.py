"""Producer state as a file."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.log.producers.entry import BatchNote, ProducerEntry
from moldau.broker.log.producers.snapshot import decode_snapshot, encode_snapshot
from moldau.errors import CorruptRecordError

ENTRY = ProducerEntry(4001, 2, 5, 1_700_000_000_000, 90, BatchNote(11, 99, 3, 1_700_000_000_000))


def fields(entry: ProducerEntry) -> tuple[object, ...]:
    return (
        entry.producer_id,
        entry.epoch,
        entry.coordinator_epoch,
        entry.last_timestamp,
        entry.transaction_first_offset,
        list(entry.batches),
    )


def test_the_bytes_are_kafkas():
    packed = encode_snapshot([ENTRY])
    assert packed[:2].hex() == "0001"
    assert packed[6:].hex() == (
        "00000001"
        "0000000000000fa1"
        "0002"
        "0000000b"
        "0000000000000063"
        "00000003"
        "0000018bcfe56800"
        "00000005"
        "000000000000005a"
    )


def test_a_producer_without_batches_says_so_with_minus_one():
    packed = encode_snapshot([ProducerEntry(1, 0, 0, 5)])
    assert packed[20:36].hex() == "ffffffffffffffffffffffff00000000"
    assert fields(decode_snapshot(packed, "x")[0]) == (1, 0, 0, 5, None, [])


numbers = st.integers(0, 2**31 - 1)


@given(
    st.lists(
        st.builds(
            lambda pid, epoch, coordinator, time, first, note: ProducerEntry(
                pid, epoch, coordinator, time, first, BatchNote(note[0], note[1], note[2], time)
            ),
            st.integers(0, 2**63 - 1), st.integers(0, 2**15 - 1), numbers, numbers,
            st.none() | numbers, st.tuples(numbers, numbers, numbers),
        )
    )
)  # fmt: skip
def test_what_is_written_is_read(entries):
    again = decode_snapshot(encode_snapshot(entries), "x")
    assert [fields(entry) for entry in again] == [fields(entry) for entry in entries]


@given(st.integers(0, 8 * 56 - 1))
def test_every_flipped_bit_is_noticed(bit):
    damaged = bytearray(encode_snapshot([ENTRY]))
    damaged[bit // 8] ^= 1 << bit % 8
    with pytest.raises(CorruptRecordError, match="x: "):
        decode_snapshot(bytes(damaged), "x")


@given(st.binary(max_size=80))
def test_any_bytes_are_a_snapshot_or_corrupt(contents):
    with suppress(CorruptRecordError):
        assert isinstance(decode_snapshot(contents, "x"), list)
