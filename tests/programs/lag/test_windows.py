"""A window has the last commits, and those that come too close together are one."""

from moldau.programs.lag.windows import Commit, CommitWindow


def commit(offset, time_ms):
    return Commit(offset, time_ms, time_ms, 0)


def test_the_oldest_commit_makes_room():
    window = CommitWindow(2)
    for offset in (1, 2, 3):
        window.add(commit(offset, offset))
    assert [one.offset for one in window.commits] == [2, 3]
    assert (window.last.offset, window.complete) == (3, 1.0)


def test_it_is_complete_by_parts():
    window = CommitWindow(4)
    window.add(commit(1, 1))
    assert window.complete == 0.25


def test_commits_within_the_distance_count_as_the_first_of_them():
    window = CommitWindow(9, distance_ms=100)
    for offset, time_ms in [(1, 0), (2, 60), (3, 120), (4, 130)]:
        window.add(commit(offset, time_ms))
    assert [(one.offset, one.time_ms) for one in window.commits] == [(2, 0), (4, 120)]
