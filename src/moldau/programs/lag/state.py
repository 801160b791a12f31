"""All that is known of a cluster: the ends of its logs, and the last commits of its groups."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import NamedTuple

from moldau.client import TopicPartition
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.lag.commits import Committed
from moldau.programs.lag.statuses import GroupStatus, PartitionStatus, partition_status
from moldau.programs.lag.windows import Commit, CommitWindow

__all__ = ["LagRules", "LagState", "Owner"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LagRules:
    """What Burrow calls the settings of its storage, with its defaults."""

    intervals: int = 10
    """Commits in a window, and ends of a log that are kept."""
    distance_ms: int = 0
    """Commits that follow each other within this count as one."""
    expire_ms: int = 7 * 24 * 3600 * 1000
    """A group that has committed nothing for so long is forgotten."""
    wants: Callable[[str], object] = bool
    """Whether a group of this name is looked at; all that have a name unless given."""


class Owner(NamedTuple):
    """The member of a group that reads a partition."""

    host: str
    client_id: str


NO_OWNER = Owner("", "")


class LagState:
    """Changed by what follows the cluster, read by what answers."""

    def __init__(self, rules: LagRules) -> None:
        self.rules = rules
        self.ends: dict[TopicPartition, deque[int]] = {}
        """The last ones, the newest at the right."""
        self.starts: dict[TopicPartition, int] = {}
        """First offsets, of those whose leader has answered."""
        self.groups: dict[str, dict[TopicPartition, CommitWindow]] = {}
        self.owners: dict[str, Mapping[TopicPartition, Owner]] = {}
        self.first_unread_ms: dict[tuple[TopicPartition, int], int] = {}
        """Times of the records at committed offsets."""

    # What was seen.

    def saw_ends(self, ends: Mapping[TopicPartition, int]) -> None:
        """Of all partitions that there are; of others nothing is kept."""
        for part in [part for part in self.ends if part not in ends]:
            self._forget_partition(part)
        for part, end in ends.items():
            known = self.ends.setdefault(part, deque(maxlen=self.rules.intervals))
            if known and end < known[-1]:
                known.clear()  # the topic was made anew
            known.append(end)

    def saw_commit(self, committed: Committed, seen_ms: int, *, is_new: bool) -> None:
        """One that is not new was made at a time of which the end of the log is not known."""
        group, part = committed.group, committed.part
        if not self.rules.wants(group):
            return
        if committed.offset is None:
            self.forget(group, part)
            return
        lag = self.lag(part, committed.offset)
        if lag and not is_new:
            lag = None
        windows = self.groups.setdefault(group, {})
        if part not in windows:
            windows[part] = CommitWindow(self.rules.intervals, self.rules.distance_ms)
        windows[part].add(Commit(committed.offset, committed.time_ms, seen_ms, lag))

    def expire(self, now_ms: int) -> None:
        """Forget groups of which nothing has come for long."""
        oldest_ms = now_ms - self.rules.expire_ms
        for group, windows in list(self.groups.items()):
            if all(window.last.time_ms < oldest_ms for window in windows.values()):
                self.forget(group)

    def forget(self, group: str, *parts: TopicPartition) -> bool:
        """A group, or these partitions of it; whether it was known."""
        windows = self.groups.get(group)
        if windows is None:
            return False
        for part in parts or list(windows):
            windows.pop(part, None)
        if not windows:
            del self.groups[group]
            self.owners.pop(group, None)
        return True

    def _forget_partition(self, part: TopicPartition) -> None:
        del self.ends[part]
        self.starts.pop(part, None)
        for group in list(self.groups):
            self.forget(group, part)

    # What is asked.

    def end(self, part: TopicPartition) -> int | None:
        known = self.ends.get(part)
        return known[-1] if known else None

    def lag(self, part: TopicPartition, offset: int) -> int | None:
        """None while the end of the log is not known."""
        end = self.end(part)
        return None if end is None else max(0, end - offset)

    def status(self, group: str, now_ms: int) -> GroupStatus | None:
        """None for a group that is not known."""
        windows = self.groups.get(group)
        if windows is None:
            return None
        owners = self.owners.get(group, {})
        found = []
        for part, window in sorted(windows.items()):
            lag = self.lag(part, window.last.offset) or 0
            owner = owners.get(part, NO_OWNER)
            found.append(
                PartitionStatus(
                    part=part,
                    owner=owner.host,
                    client_id=owner.client_id,
                    status=partition_status(window.commits, self.ends.get(part, ()), lag, now_ms),
                    commits=window.commits,
                    lag=lag,
                    complete=window.complete,
                )
            )
        return GroupStatus(group, tuple(found))

    def lag_ms(self, part: TopicPartition, offset: int, now_ms: int) -> int | None:
        """How old the oldest record is that is still to be read; 0 where there is none."""
        if self.lag(part, offset) == 0:
            return 0
        time_ms = self.first_unread_ms.get((part, offset))
        return None if time_ms is None else max(0, now_ms - time_ms)

    def unread(self) -> set[tuple[TopicPartition, int]]:
        """Committed offsets at which there is a record."""
        return {
            (part, window.last.offset)
            for windows in self.groups.values()
            for part, window in windows.items()
            if self.lag(part, window.last.offset)
        }

    def topics(self) -> dict[str, list[int]]:
        """The ends of the logs of each topic; -1 for a partition without a leader."""
        found: dict[str, dict[int, int]] = {}
        for part, ends in self.ends.items():
            found.setdefault(part.topic, {})[part.partition] = ends[-1]
        return {
            topic: [ends.get(number, -1) for number in range(max(ends) + 1)]
            for topic, ends in sorted(found.items())
        }
