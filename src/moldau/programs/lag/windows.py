"""The last commits of a group for one partition."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

__all__ = ["Commit", "CommitWindow"]


class Commit(NamedTuple):
    """One commit, and how far behind it was."""

    offset: int
    """The next record to read."""
    time_ms: int
    """When the group's coordinator took it."""
    seen_ms: int
    """When it was read from the topic."""
    lag: int | None
    """None where the end of the log at that time is not known."""


class CommitWindow:
    """Bounded by a number of commits, not by time: a quiet group keeps its history."""

    def __init__(self, size: int, distance_ms: int = 0) -> None:
        """Commits that follow each other within `distance_ms` count as one."""
        self._commits: deque[Commit] = deque(maxlen=size)
        self._size = size
        self._distance_ms = distance_ms

    @property
    def commits(self) -> tuple[Commit, ...]:
        return tuple(self._commits)

    @property
    def last(self) -> Commit:
        """A window is made for its first commit, so there is one."""
        return self._commits[-1]

    @property
    def complete(self) -> float:
        """How much of it is filled."""
        return len(self._commits) / self._size

    def add(self, commit: Commit) -> None:
        if self._commits and commit.time_ms - self.last.time_ms < self._distance_ms:
            # It takes the other's place and its time: with a time of its own, one that commits
            # more often than that would never fill the window.
            commit = commit._replace(time_ms=self._commits.pop().time_ms)
        self._commits.append(commit)
