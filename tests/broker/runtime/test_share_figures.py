"""What is measured of share groups' fetches, from times that are given."""

from moldau.broker.coordinator.share.partition.acquiring import Acquired
from moldau.broker.runtime.share_figures import GroupFigures, PartitionFigures

MS = 1_000_000


def test_the_lock_is_measured_from_its_beginning_and_against_the_time_since_the_last():
    figures = PartitionFigures(0)
    figures.locked(75 * MS, 100 * MS)
    figures.locked(190 * MS, 200 * MS)
    assert (figures.lock_times.count, figures.lock_times.total) == (2, 35_000)
    assert figures.lock_ratio.total == 25 + 10
    assert "2 fetches" in repr(figures)


def test_where_no_time_has_gone_by_it_was_all_of_it():
    figures = PartitionFigures(5)
    figures.locked(5, 5)
    assert (figures.lock_ratio.total, figures.lock_times.total) == (100, 0)


def test_each_range_that_is_handed_out_counts_with_its_records():
    figures = PartitionFigures(0)
    figures.handed_out([Acquired(0, 4, 1), Acquired(9, 9, 2)])
    assert (figures.batch_sizes.count, figures.batch_sizes.total) == (2, 6)


def test_a_fetch_that_asks_for_nothing_has_no_ratio():
    figures = GroupFigures()
    figures.fetched(0, 0)
    figures.fetched(1, 4)
    figures.acquired(1 * MS, 3 * MS)
    assert (figures.fetch_ratio.count, figures.fetch_ratio.total) == (1, 25)
    assert figures.acquire_times.total == 2000
    assert "1 fetches" in repr(figures)
