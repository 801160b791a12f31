"""Whether a group is well: Burrow's rules, for one partition and for all of a group.

A partition without lag is well. Else, worst first:

    STOP     for longer than the window is wide nothing was committed, and the log has not been
             read to its end in the meantime
    REWIND   an offset is lower than the one before
    STALL    offsets are committed, and are always the same
    WARN     offsets advance, but the lag never becomes smaller

After the first of them, all look at a window in which the lag was never 0. There are no thresholds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum
from itertools import pairwise

from moldau.client import TopicPartition
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.lag.windows import Commit

__all__ = ["GroupStatus", "PartitionStatus", "Status", "partition_status"]


class Status(IntEnum):
    """By Burrow's names and numbers; ERR is for groups, of which a partition is worse than WARN."""

    NOTFOUND = 0
    OK = 1
    WARN = 2
    ERR = 3
    STOP = 4
    STALL = 5
    REWIND = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionStatus:
    """How a group is in one partition."""

    part: TopicPartition
    owner: str
    client_id: str
    status: Status
    commits: tuple[Commit, ...]
    lag: int
    complete: float


@dataclass(frozen=True, slots=True)
class GroupStatus:
    """How a group is in all of its partitions."""

    group: str
    partitions: tuple[PartitionStatus, ...]

    @property
    def status(self) -> Status:
        worst = max((one.status for one in self.partitions), default=Status.NOTFOUND)
        return min(worst, Status.ERR)

    @property
    def complete(self) -> float:
        """The part of its partitions whose windows are full; of none, all are."""
        full = sum(one.complete == 1 for one in self.partitions)
        return full / len(self.partitions) if self.partitions else 1.0

    @property
    def max_lag(self) -> PartitionStatus | None:
        return max(self.partitions, key=lambda one: one.lag, default=None)

    @property
    def total_lag(self) -> int:
        return sum(one.lag for one in self.partitions)


def partition_status(
    commits: Sequence[Commit], ends: Iterable[int], lag: int, now_ms: int
) -> Status:
    """By its last commits, the last ends of its log, and what is left to read now."""
    if lag == 0:
        return Status.OK
    if _has_stopped(commits, now_ms) and not _was_at_the_end(commits[-1], ends):
        return Status.STOP
    if any(not commit.lag for commit in commits):
        return Status.OK
    if any(later.offset < earlier.offset for earlier, later in pairwise(commits)):
        return Status.REWIND
    if all(commit.offset == commits[0].offset for commit in commits):
        return Status.STALL
    lags = [commit.lag for commit in commits if commit.lag is not None]
    return Status.OK if any(later < earlier for earlier, later in pairwise(lags)) else Status.WARN


def _has_stopped(commits: Sequence[Commit], now_ms: int) -> bool:
    first, last = commits[0].time_ms, commits[-1].time_ms
    return now_ms - last > last - first


def _was_at_the_end(last: Commit, ends: Iterable[int]) -> bool:
    """Whether all was read a short while ago: then there was nothing to commit."""
    return any(end <= last.offset for end in ends)
