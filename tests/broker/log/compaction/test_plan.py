"""Which logs are due, and which part of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from moldau.broker.log.compaction.plan import group_segments
from tests.broker.log.compacted_logs import COMPACTED, Story


def three_segments(**settings) -> Story:
    """One batch in each of two sealed segments, and one in the active segment."""
    story = Story(replace(COMPACTED, **settings))
    for number in range(3):
        story.write((f"k{number}", "v"))
        if number < 2:
            story.roll()
    return story


def test_all_but_the_active_segment_is_dirty_at_first():
    story = three_segments()
    dirty = story.measure()
    assert (dirty.first_dirty_offset, dirty.first_uncleanable_offset) == (0, 2)
    assert (dirty.dirty_ratio, dirty.is_due) == (1.0, True)


def test_nothing_dirty_is_not_due():
    story = Story()
    story.write(("a", "1"))
    dirty = story.measure()
    assert (dirty.cleanable_bytes, dirty.dirty_ratio, dirty.is_due) == (0, 0.0, False)


def test_a_log_is_due_when_more_than_the_ratio_is_dirty():
    story = three_segments()
    story.cleaned_up_to = 1
    assert story.measure().dirty_ratio == 0.5
    assert not story.measure().is_due
    story.log.settings = replace(COMPACTED, min_cleanable_dirty_ratio=0.49)
    assert story.measure().is_due


def test_a_log_is_due_when_its_oldest_dirty_record_is_too_old():
    story = three_segments(min_cleanable_dirty_ratio=1.0, max_compaction_lag_ms=10_000)
    assert (story.measure().is_due, story.measure().overdue_ms) == (False, 0)
    story.wait(10_001)
    assert story.measure().overdue_ms == 1
    assert story.measure().is_due


def test_records_younger_than_the_lag_stay():
    story = three_segments(min_compaction_lag_ms=1_000)
    assert story.measure().first_uncleanable_offset == 0
    story.wait(1_000)
    assert story.measure().first_uncleanable_offset == 2


def test_an_open_transaction_holds_compaction_back():
    story = Story()
    story.write(("a", "1"))
    story.roll()
    story.write(("a", "2"), producer=7, transactional=True)
    story.roll()
    story.write(("a", "3"))
    story.roll()
    assert story.measure().first_uncleanable_offset == 1
    story.end(7, commit=True)
    assert story.measure().first_uncleanable_offset == 3


def test_what_is_not_synced_is_not_compacted():
    story = Story()
    story.write(("a", "1"))
    story.roll()
    story.log.state.recovery_point = 0
    assert story.measure().first_uncleanable_offset == 0


@pytest.mark.parametrize("checkpoint", [-1, 99])
def test_a_checkpoint_outside_of_the_log_is_reset(checkpoint):
    story = three_segments()
    story.cleaned_up_to = checkpoint
    dirty = story.measure()
    assert (dirty.is_reset, dirty.first_dirty_offset) == (True, 0)


def test_a_checkpoint_within_a_segment_makes_all_of_it_dirty():
    story = Story()
    story.write(("a", "1"), ("b", "1"))
    story.roll()
    story.cleaned_up_to = 1
    dirty = story.measure()
    assert (dirty.first_dirty_offset, dirty.clean_bytes) == (1, 0)
    assert dirty.cleanable_bytes == story.log.segments.first.size


def test_groups_respect_bytes_index_room_and_offsets():
    story = three_segments()
    segments = list(story.log.segments)
    size = segments[0].size
    small = replace(COMPACTED, segment_bytes=2 * size)
    assert [len(group) for group in group_segments(segments, small, 3)] == [2, 1]
    no_index = replace(COMPACTED, segment_index_bytes=0)
    assert [len(group) for group in group_segments(segments, no_index, 3)] == [1, 1, 1]
    assert [len(group) for group in group_segments(segments, COMPACTED, 2**31)] == [3]
    assert [len(group) for group in group_segments(segments, COMPACTED, 2**31 + 1)] == [2, 1]
    assert group_segments([], COMPACTED, 0) == []
