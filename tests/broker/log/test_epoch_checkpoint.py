"""Leader epochs and where they start."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.log.directory.checkpoint_text import CorruptCheckpointError
from moldau.broker.log.epoch_checkpoint import FILE_NAME, EpochCache
from moldau.platform.system.files import SystemFiles


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / FILE_NAME


@pytest.fixture
def cache(path: Path) -> EpochCache:
    cache = EpochCache(SystemFiles(), str(path))
    for epoch, start in [(0, 0), (2, 120), (5, 340)]:
        assert cache.assign(epoch, start)
    return cache


def test_the_file_is_kafkas(cache, path):
    assert path.read_text() == "0\n3\n0 0\n2 120\n5 340\n"


def test_the_epochs_are_there_after_a_restart(cache, path):
    again = EpochCache(SystemFiles(), str(path))
    assert again.entries == ((0, 0), (2, 120), (5, 340))
    assert (again.latest_epoch, again.earliest) == (5, (0, 0))


@pytest.mark.parametrize(
    ("span", "new_epoch", "entries"),
    [
        ((0, 400), None, ((0, 0), (2, 120), (5, 340))),
        ((0, 400), 5, ((0, 0), (2, 120), (5, 340))),
        ((0, 400), 7, ((0, 0), (2, 120), (5, 340), (7, 400))),
        ((200, 300), 5, ((2, 200), (5, 300))),
        ((0, 0), 6, ((6, 0),)),
        ((0, 400), 3, ((0, 0), (2, 120), (5, 340))),
    ],
)
def test_an_opened_log_is_settled_in_one_write_at_most(cache, path, span, new_epoch, entries):
    before = path.stat().st_ino
    was_news = cache.settle(*span, new_epoch)
    assert cache.entries == entries == EpochCache(SystemFiles(), str(path)).entries
    assert was_news == (path.stat().st_ino != before) == (len(entries) != 3)


def test_an_opened_log_that_has_no_epoch_left_writes_that_down_with_the_next_one(cache, path):
    before = path.read_text()
    assert not cache.settle(0, 0)
    assert (cache.entries, path.read_text()) == ((), before)
    cache.assign(1, 0)
    assert path.read_text() == "0\n1\n1 0\n"


def test_the_file_catches_up_with_memory_once(cache, path):
    cache.settle(0, 0)
    cache.catch_up()
    assert path.read_text() == "0\n0\n"
    written = path.stat().st_ino
    cache.catch_up()
    assert path.stat().st_ino == written


def test_a_known_epoch_is_no_news(cache):
    assert not cache.assign(5, 341)
    assert cache.entries[-1] == (5, 340)


def test_an_epoch_that_starts_where_its_predecessor_did_replaces_it(cache):
    cache.assign(6, 340)
    assert cache.entries == ((0, 0), (2, 120), (6, 340))


def test_an_older_epoch_or_offset_removes_what_contradicts_it(cache):
    cache.assign(3, 100)
    assert cache.entries == ((0, 0), (3, 100))


@pytest.mark.parametrize(
    ("epoch", "answer"),
    [(5, (5, 400)), (4, (2, 340)), (2, (2, 340)), (1, (0, 120)), (0, (0, 120)), (6, (-1, -1))],
)
def test_an_epoch_ends_where_the_next_one_starts(cache, epoch, answer):
    assert cache.end_offset_for(epoch, 400) == answer


def test_nothing_is_known_without_epochs_or_of_none(cache, tmp_path):
    assert cache.end_offset_for(-1, 400) == (-1, -1)
    assert EpochCache(SystemFiles(), str(tmp_path / "none")).end_offset_for(0, 9) == (-1, -1)


def test_an_epoch_older_than_all_known_ends_where_they_begin(cache):
    cache.truncate_from_start(130)
    assert cache.end_offset_for(1, 400) == (1, 130)


@pytest.mark.parametrize(
    ("offset", "epoch"), [(0, 0), (119, 0), (120, 2), (339, 2), (340, 5), (9_999, 5)]
)
def test_each_record_was_written_under_one_epoch(cache, offset, epoch):
    assert cache.epoch_for_offset(offset) == epoch


def test_previous_epochs(cache):
    assert [cache.previous_epoch(epoch) for epoch in (0, 1, 2, 5, 9)] == [None, 0, 0, 2, 5]


def test_truncation_at_the_end_forgets_epochs_that_start_there_or_later(cache, path):
    cache.truncate_from_end(340)
    assert cache.entries == ((0, 0), (2, 120))
    assert path.read_text() == "0\n2\n0 0\n2 120\n"
    cache.truncate_from_end(121)
    assert cache.latest_epoch == 2


def test_truncation_at_the_start_keeps_the_epoch_that_reaches_over_it(cache, path):
    cache.truncate_from_start(200)
    assert cache.entries == ((2, 200), (5, 340))
    assert path.read_text() == "0\n2\n2 200\n5 340\n"


def test_cleared_is_cleared_on_disk_too(cache, path):
    cache.clear()
    assert EpochCache(SystemFiles(), str(path)).entries == ()


@pytest.mark.parametrize("entries", ["1 0\n0 5", "0 5\n1 5", "-1 0\n0 5", "0 0 0\n1 1", "x 0\n1 1"])
def test_a_file_whose_entries_do_not_ascend_is_not_accepted(path, entries):
    path.write_text(f"0\n2\n{entries}\n")
    with pytest.raises(CorruptCheckpointError, match=FILE_NAME):
        EpochCache(SystemFiles(), str(path))


@given(assignments=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 50)), max_size=20))
def test_the_entries_always_ascend_and_the_file_always_agrees(assignments, tmp_path_factory):
    path = str(tmp_path_factory.mktemp("epochs") / FILE_NAME)
    cache = EpochCache(SystemFiles(), path)
    for epoch, start in assignments:
        cache.assign(epoch, start)
        pairs = list(zip(cache.entries, cache.entries[1:], strict=False))
        assert all(one.epoch < two.epoch for one, two in pairs)
        assert all(one.start_offset < two.start_offset for one, two in pairs)
    assert EpochCache(SystemFiles(), path).entries == cache.entries
