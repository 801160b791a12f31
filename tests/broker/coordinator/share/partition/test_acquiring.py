"""What members get of what was read."""

from __future__ import annotations

from moldau.broker.coordinator.share.partition.acquiring import Acquired, Acquisition, Span, acquire
from moldau.broker.coordinator.share.partition.limits import ShareLimits
from tests.broker.coordinator.share.partition.members import ACCEPT, RELEASE, Members


def test_a_wish_is_met_by_whole_batches():
    members = Members()
    assert members.take(count=15) == [Acquired(0, 19, 1)]
    assert members.take("other", count=1) == [Acquired(20, 29, 1)]


def test_a_strict_bound_is_kept_to_the_record():
    members = Members()
    assert members.take(count=15, strict=True) == [Acquired(0, 14, 1)]
    assert members.take("other", count=3, strict=True) == [Acquired(15, 17, 1)]


def test_ranges_end_with_batches_where_the_member_wants_few_at_a_time():
    members = Members()
    assert members.take(count=50, batch_size=20) == [
        Acquired(0, 19, 1),
        Acquired(20, 39, 1),
        Acquired(40, 49, 1),
    ]


def test_what_came_back_goes_first_and_counts_again():
    members = Members()
    members.take("a", count=20)
    members.done("a", 5, 9, RELEASE)
    assert members.take("b", count=7) == [Acquired(5, 9, 2), Acquired(20, 29, 1)]


def test_neighbours_that_were_delivered_as_often_are_one_range():
    members = Members()
    members.take("a", count=10)
    for offset in (3, 4, 5):
        members.done("a", offset, offset, RELEASE)
    assert members.take("b", count=3, strict=True) == [Acquired(3, 5, 2)]


def test_the_window_has_an_end():
    members = Members(ShareLimits(locks_max=20))
    assert members.take(strict=True) == [Acquired(0, 19, 1)]
    assert (members.partition.can_acquire, members.take(strict=True)) == (False, [])
    members.done("m", 4, 7, RELEASE)
    assert members.partition.can_acquire
    assert members.take() == [Acquired(4, 7, 2)]
    members.done("m", 0, 3, ACCEPT)
    assert members.take(strict=True) == [Acquired(20, 23, 1)]


def test_offsets_that_were_compacted_away_are_behind_us():
    members = Members()
    wanted = Acquisition("m", 0, [Span(30, 39), Span(50, 59)], 500, 500)
    assert acquire(members.partition, wanted, 0) == [Acquired(30, 59, 1)]
    assert members.partition.start_offset == 30


def test_offsets_that_came_back_and_were_compacted_since_are_behind_us():
    members = Members()
    members.take("a", count=20)
    members.done("a", 0, 19, RELEASE)
    wanted = Acquisition("b", 0, [Span(10, 19)], 500, 500)
    assert acquire(members.partition, wanted, 0) == [Acquired(10, 19, 2)]
    assert members.partition.start_offset == 10


def test_aborted_batches_are_seen_by_no_member():
    members = Members()
    assert members.take(count=30, aborted=(Span(10, 19),)) == [
        Acquired(0, 9, 1),
        Acquired(20, 29, 1),
    ]
    members.done("m", 0, 9, ACCEPT)
    assert members.partition.start_offset == 20


def test_a_record_has_its_last_chance_alone():
    members = Members(ShareLimits(delivery_count_max=3))
    counts = []
    for _ in range(4):
        taken = members.take(count=10)
        counts.append(taken)
        members.settle(members.partition.release("m"))
    assert counts == [
        [Acquired(0, 9, 1)],
        [Acquired(0, 9, 2)],
        [Acquired(0, 0, 3)],
        [Acquired(1, 1, 3)],
    ]
    assert members.partition.start_offset == 2


def test_suspects_wait_while_others_go_out():
    members = Members(ShareLimits(delivery_count_max=3))
    members.take("a", count=10)
    members.done("a", 3, 3, RELEASE)
    members.take("b", count=1, strict=True)
    members.done("b", 3, 3, RELEASE)
    members.done("a", 1, 1, RELEASE)
    assert members.take("c", count=5) == [Acquired(1, 1, 2)]
    assert members.take("c", count=5) == [Acquired(3, 3, 3)]


def test_a_limit_that_was_lowered_ends_what_is_above_it():
    members = Members()
    for _ in range(2):
        members.take(count=10)
        members.settle(members.partition.release("m"))
    members.limits = ShareLimits(delivery_count_max=2)
    assert members.take(count=10) == [Acquired(10, 19, 1)]
    assert members.partition.start_offset == 10
