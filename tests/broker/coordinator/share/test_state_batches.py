"""State batches combine as a table of offsets would."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.coordinator.share.state_batches import NO_START, StateBatch, combine

state_batches = st.lists(
    st.builds(
        lambda first, length, state, count: StateBatch(first, first + length, state, count),
        st.integers(0, 30),
        st.integers(0, 12),
        st.sampled_from([0, 2, 4]),
        st.integers(0, 3),
    ),
    max_size=12,
)


def one_by_one(all_batches, start_offset):
    """Slow and obvious: the highest rank of each offset."""
    ranks: dict[int, tuple[int, int]] = {}
    for one in all_batches:
        for offset in range(max(one.first_offset, start_offset), one.last_offset + 1):
            ranks[offset] = max(ranks.get(offset, one.rank), one.rank)
    return ranks


@given(state_batches, state_batches, st.sampled_from([NO_START, 0, 5, 20, 50]))
def test_each_offset_gets_the_word_with_the_highest_rank(stored, written, start_offset):
    combined = combine(stored, written, start_offset)
    assert one_by_one(combined, start_offset) == one_by_one([*stored, *written], start_offset)


@given(state_batches, state_batches)
def test_what_is_combined_is_in_order_and_as_short_as_can_be(stored, written):
    combined = combine(stored, written, NO_START)
    for before, after in pairwise(combined):
        assert before.last_offset < after.first_offset
        assert before.last_offset + 1 < after.first_offset or before.rank != after.rank


def test_an_acknowledgement_cuts_what_was_available():
    stored = [StateBatch(0, 9, 0, 1)]
    assert combine(stored, [StateBatch(4, 6, 2, 1)], 2) == [
        StateBatch(2, 3, 0, 1),
        StateBatch(4, 6, 2, 1),
        StateBatch(7, 9, 0, 1),
    ]
