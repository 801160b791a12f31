"""The map of keys."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.log.compaction.key_offsets import (
    ENTRY_BYTES,
    KEY_BYTES_KEPT,
    KeyOffsets,
    kept_key,
)
from moldau.broker.log.compaction.transactions import CleanedTransactions
from tests.broker.log.compacted_logs import CompactedLog


def filled(compacted: CompactedLog, first_dirty: int = 0, entries: int = 1_000) -> KeyOffsets:
    keys = KeyOffsets(entries * ENTRY_BYTES)
    segment, end = compacted.log.segments.first, compacted.log.log_end_offset
    keys.add_segment(segment, first_dirty, end, CleanedTransactions(), bytes)
    return keys


def test_each_key_has_its_last_offset():
    compacted = CompactedLog()
    compacted.write(("a", "1"), ("b", None))
    compacted.write(("a", "2"), (None, "1"))
    keys = filled(compacted)
    assert keys.offsets == {b"a": 2, b"b": 1}
    assert (keys.latest_offset, keys.last_offset(b"c")) == (3, -1)


def test_only_the_dirty_part_counts():
    compacted = CompactedLog()
    compacted.write(("a", "1"), ("b", "1"))
    compacted.write(("c", "1"))
    assert filled(compacted, first_dirty=1).offsets == {b"b": 1, b"c": 2}


def test_a_full_map_ends_before_the_batch_that_it_cannot_hold():
    compacted = CompactedLog()
    for key in "abc":
        compacted.write((key, "1"))
    keys = filled(compacted, entries=2)
    assert (keys.offsets, keys.latest_offset) == ({b"a": 0, b"b": 1}, 1)


def test_the_first_batch_always_has_room():
    compacted = CompactedLog()
    compacted.write(("a", "1"), ("b", "1"))
    assert filled(compacted, entries=1).latest_offset == 1


@given(st.lists(st.binary(max_size=80), unique=True))
def test_different_keys_stay_different_and_small(keys):
    kept = {kept_key(key) for key in keys}
    assert len(kept) == len(keys)
    assert all(len(key) <= KEY_BYTES_KEPT + 1 for key in kept)
