"""Covers moldau.spark.source.ranges."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from moldau.client import TopicPartition
from moldau.spark.source.ranges import ENOUGH, Range, cut, limited, tasks_of, waiting

PARTS = [TopicPartition("t", index) for index in range(4)]
SPANS = st.lists(
    st.tuples(st.integers(0, 10_000), st.integers(0, 10_000)),
    min_size=len(PARTS),
    max_size=len(PARTS),
)


def offsets(spans):
    start = {part: first for part, (first, _) in zip(PARTS, spans, strict=True)}
    end = {part: first + size for part, (first, size) in zip(PARTS, spans, strict=True)}
    return start, end


def test_a_partition_that_is_not_known_yet_has_nothing_waiting():
    assert waiting({}, {PARTS[0]: 5}) == 0


@given(SPANS, st.integers(1, 20_000))
def test_a_limit_takes_about_as_much_and_never_too_far(spans, most):
    start, end = offsets(spans)
    taken = limited(start, end, most)
    assert all(start[part] <= taken[part] <= end[part] for part in PARTS)
    assert waiting(start, taken) <= most + len(PARTS)


@given(SPANS, st.integers(1, 20_000))
def test_whatever_waits_moves(spans, most):
    start, end = offsets(spans)
    taken = limited(start, end, most)
    assert all(taken[part] > start[part] for part in PARTS if end[part] > start[part])


def test_a_limit_is_shared_by_what_waits():
    start = dict.fromkeys(PARTS[:2], 0)
    assert limited(start, {PARTS[0]: 900, PARTS[1]: 100}, 100) == {PARTS[0]: 90, PARTS[1]: 10}


@given(SPANS, st.integers(1, 20), st.integers(1, 5_000))
def test_pieces_are_the_whole(spans, at_least, at_most_each):
    start, end = offsets(spans)
    ranges = [Range(part, start[part], end[part]) for part in PARTS]
    pieces = cut(ranges, at_least=at_least, at_most_each=at_most_each)
    assert all(0 < piece.size <= at_most_each for piece in pieces)
    for one in ranges:
        mine = [piece for piece in pieces if piece.part == one.part]
        edges = [one.start, *(piece.end for piece in mine)]
        assert [piece.start for piece in mine] == edges[:-1]
        assert edges[-1] == one.end


def test_large_partitions_get_more_of_the_tasks():
    pieces = cut([Range(PARTS[0], 0, 900), Range(PARTS[1], 0, 100)], at_least=10)
    assert [piece.part for piece in pieces].count(PARTS[0]) == 9
    assert len(pieces) == 10


def test_an_empty_range_is_no_task():
    assert cut([Range(PARTS[0], 5, 5)]) == []


def test_partitions_in_which_little_waits_share_tasks_of_about_one_size():
    ranges = [Range(TopicPartition("t", index), 7, 257 + index) for index in range(6)]
    assert [len(task) for task in tasks_of(ranges)] == [3, 3]
    assert [one for task in tasks_of(ranges) for one in task] == ranges


def test_a_large_partition_has_a_task_of_its_own():
    small, large = Range(PARTS[0], 0, 1), Range(PARTS[1], 0, ENOUGH)
    assert tasks_of([small, large]) == [[large], [small]]


@given(SPANS)
def test_each_range_is_read_by_one_task_of_bounded_size(spans):
    start, end = offsets(spans)
    ranges = [Range(part, start[part], end[part]) for part in PARTS]
    tasks = tasks_of(ranges)
    assert sorted(one for task in tasks for one in task) == sorted(cut(ranges))
    assert all(task for task in tasks)
    assert all(len(task) == 1 or sum(one.size for one in task) < 2 * ENOUGH for task in tasks)


@given(SPANS, st.integers(1, 5_000))
def test_who_asks_for_sizes_of_tasks_gets_them(spans, size):
    start, end = offsets(spans)
    ranges = [Range(part, start[part], end[part]) for part in PARTS]
    for asked in ({"at_least": size % 50 + 1}, {"at_most_each": size}):
        assert tasks_of(ranges, **asked) == [[piece] for piece in cut(ranges, **asked)]
