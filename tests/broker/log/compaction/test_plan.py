"""Which logs are due, and which part of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from moldau.broker.log.compaction.plan import group_segments
from tests.broker.log.compacted_logs import COMPACTED, CompactedLog


def three_segments(**settings) -> CompactedLog:
    """One batch in each of two sealed segments, and one in the active segment."""
    compacted = CompactedLog(replace(COMPACTED, **settings))
    for number in range(3):
        compacted.write((f"k{number}", "v"))
        if number < 2:
            compacted.roll()
    return compacted


def test_all_but_the_active_segment_is_dirty_at_first():
    compacted = three_segments()
    dirty = compacted.measure()
    assert (dirty.first_dirty_offset, dirty.first_uncleanable_offset) == (0, 2)
    assert (dirty.dirty_ratio, dirty.is_due) == (1.0, True)


def test_nothing_dirty_is_not_due():
    compacted = CompactedLog()
    compacted.write(("a", "1"))
    dirty = compacted.measure()
    assert (dirty.cleanable_bytes, dirty.dirty_ratio, dirty.is_due) == (0, 0.0, False)


def test_a_log_is_due_when_more_than_the_ratio_is_dirty():
    compacted = three_segments()
    compacted.cleaned_up_to = 1
    assert compacted.measure().dirty_ratio == 0.5
    assert not compacted.measure().is_due
    compacted.log.settings = replace(COMPACTED, min_cleanable_dirty_ratio=0.49)
    assert compacted.measure().is_due


def test_a_log_is_due_when_its_oldest_dirty_record_is_too_old():
    compacted = three_segments(min_cleanable_dirty_ratio=1.0, max_compaction_lag_ms=10_000)
    assert (compacted.measure().is_due, compacted.measure().overdue_ms) == (False, 0)
    compacted.wait(10_001)
    assert compacted.measure().overdue_ms == 1
    assert compacted.measure().is_due


def test_records_younger_than_the_lag_stay():
    compacted = three_segments(min_compaction_lag_ms=1_000)
    assert compacted.measure().first_uncleanable_offset == 0
    compacted.wait(1_000)
    assert compacted.measure().first_uncleanable_offset == 2


def test_an_open_transaction_holds_compaction_back():
    compacted = CompactedLog()
    compacted.write(("a", "1"))
    compacted.roll()
    compacted.write(("a", "2"), producer=7, transactional=True)
    compacted.roll()
    compacted.write(("a", "3"))
    compacted.roll()
    assert compacted.measure().first_uncleanable_offset == 1
    compacted.end(7, commit=True)
    assert compacted.measure().first_uncleanable_offset == 3


def test_what_is_not_synced_is_not_compacted():
    compacted = CompactedLog()
    compacted.write(("a", "1"))
    compacted.roll()
    compacted.log.state.recovery_point = 0
    assert compacted.measure().first_uncleanable_offset == 0


@pytest.mark.parametrize("checkpoint", [-1, 99])
def test_a_checkpoint_outside_of_the_log_is_reset(checkpoint):
    compacted = three_segments()
    compacted.cleaned_up_to = checkpoint
    dirty = compacted.measure()
    assert (dirty.is_reset, dirty.first_dirty_offset) == (True, 0)


def test_a_checkpoint_within_a_segment_makes_all_of_it_dirty():
    compacted = CompactedLog()
    compacted.write(("a", "1"), ("b", "1"))
    compacted.roll()
    compacted.cleaned_up_to = 1
    dirty = compacted.measure()
    assert (dirty.first_dirty_offset, dirty.clean_bytes) == (1, 0)
    assert dirty.cleanable_bytes == compacted.log.segments.first.size


def test_groups_respect_bytes_index_room_and_offsets():
    compacted = three_segments()
    segments = list(compacted.log.segments)
    size = segments[0].size
    small = replace(COMPACTED, segment_bytes=2 * size)
    assert [len(group) for group in group_segments(segments, small, 3)] == [2, 1]
    no_index = replace(COMPACTED, segment_index_bytes=0)
    assert [len(group) for group in group_segments(segments, no_index, 3)] == [1, 1, 1]
    assert [len(group) for group in group_segments(segments, COMPACTED, 2**31)] == [3]
    assert [len(group) for group in group_segments(segments, COMPACTED, 2**31 + 1)] == [2, 1]
    assert group_segments([], COMPACTED, 0) == []
