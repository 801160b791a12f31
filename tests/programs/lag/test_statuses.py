"""Burrow's rules, one by one."""

import pytest

from moldau.client import TopicPartition
from moldau.programs.lag.statuses import (
    GroupStatus,
    PartitionStatus,
    Status,
    partition_status,
)
from moldau.programs.lag.windows import Commit

NOW_MS = 100


def commits(*rows):
    """Of (offset, lag), ten milliseconds apart, the last of them ten ago."""
    first_ms = NOW_MS - 10 * len(rows)
    return tuple(
        Commit(offset, first_ms + 10 * number, 0, lag) for number, (offset, lag) in enumerate(rows)
    )


@pytest.mark.parametrize(
    ("rows", "lag", "status"),
    [
        ([(5, 5), (5, 5), (5, 5)], 0, Status.OK),
        ([(5, 5), (9, 0), (9, 4)], 4, Status.OK),
        ([(5, None), (5, None), (5, None)], 4, Status.OK),
        ([(5, 5), (4, 6), (9, 9)], 4, Status.REWIND),
        ([(5, 5), (5, 6), (5, 9)], 9, Status.STALL),
        ([(5, 5), (6, 5), (7, 9)], 9, Status.WARN),
        ([(5, 5), (6, 9), (7, 8)], 8, Status.OK),
    ],
    ids=[
        "nothing is left to read",
        "all was read once",
        "unknown lags prove nothing",
        "an offset became lower",
        "always the same offset",
        "the lag never becomes smaller",
        "it became smaller once",
    ],
)
def test_the_last_commits_tell_how_it_is(rows, lag, status):
    assert partition_status(commits(*rows), [100], lag, NOW_MS) is status


def test_without_commits_for_longer_than_the_window_it_has_stopped():
    window = commits((5, 5), (6, 0), (7, 3))  # 20 ms wide
    last_ms = window[-1].time_ms
    assert partition_status(window, [10], 3, last_ms + 20) is Status.OK
    assert partition_status(window, [10], 3, last_ms + 21) is Status.STOP


def test_it_has_not_stopped_where_there_was_nothing_to_commit_until_now():
    window = commits((5, 5), (6, 0), (7, 0))
    assert partition_status(window, [7, 10], 3, NOW_MS * 9) is Status.OK
    assert partition_status(window, [9, 10], 3, NOW_MS * 9) is Status.STOP


def partition(number, status, lag=0, complete=1.0):
    return PartitionStatus(
        part=TopicPartition("a", number),
        owner="",
        client_id="",
        status=status,
        commits=commits((1, 0)),
        lag=lag,
        complete=complete,
    )


def test_a_group_is_as_its_worst_partition_and_never_worse_than_an_error():
    fine, slow, gone = (
        partition(number, status)
        for number, status in enumerate((Status.OK, Status.WARN, Status.STOP))
    )
    assert GroupStatus("g", (fine,)).status is Status.OK
    assert GroupStatus("g", (fine, slow)).status is Status.WARN
    assert GroupStatus("g", (gone, fine, slow)).status is Status.ERR
    assert GroupStatus("g", ()).status is Status.NOTFOUND


def test_its_lag_is_that_of_all_and_it_is_complete_by_whole_partitions():
    group = GroupStatus("g", (partition(0, Status.OK, 3), partition(1, Status.OK, 4, complete=0.5)))
    assert group.total_lag == 7
    assert group.max_lag is group.partitions[1]
    assert group.complete == 0.5
