"""Tasks of a Streams application, and who runs them in which role.

A task is a partition number of a subtopology. It is active in one place, may be on standby in
others, and warm up where it is to move.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import NamedTuple, Protocol

from moldau.platform.quick_dataclass import dataclass


class TaskId(NamedTuple):
    """A task: its subtopology and its partition."""

    subtopology_id: str
    partition: int


TaskMap = Mapping[str, frozenset[int]]
"""Subtopology to partitions; none without partitions."""
EpochMap = Mapping[str, Mapping[int, int]]
"""Subtopology and partition to the epoch in which the member got the task."""


@dataclass(frozen=True, slots=True)
class Tasks:
    """What a member shall run, or reports to run."""

    active: TaskMap = field(default_factory=dict)
    standby: TaskMap = field(default_factory=dict)
    warmup: TaskMap = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OwnedTasks:
    """What a member runs, as the coordinator knows it; active tasks with their epochs."""

    active: EpochMap = field(default_factory=dict)
    standby: TaskMap = field(default_factory=dict)
    warmup: TaskMap = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        return not (self.active or self.standby or self.warmup)

    def plain(self) -> Tasks:
        """Without epochs."""
        active = {one: frozenset(partitions) for one, partitions in self.active.items()}
        return Tasks(active, self.standby, self.warmup)

    def has_any_of(self, tasks: Tasks) -> bool:
        """Whether one of these is among them, in the same role."""
        mine = self.plain()
        return any(
            partitions & own.get(subtopology_id, frozenset())
            for own, other in zip(roles(mine), roles(tasks), strict=True)
            for subtopology_id, partitions in other.items()
        )

    def has_all_of(self, tasks: Tasks) -> bool:
        """Whether all of these are among them, in the same role."""
        mine = self.plain()
        return all(
            subtopology_id in own and partitions <= own[subtopology_id]
            for own, other in zip(roles(mine), roles(tasks), strict=True)
            for subtopology_id, partitions in other.items()
        )


class TaskIds(Protocol):
    """Tasks of one subtopology in any message."""

    @property
    def subtopology_id(self) -> str: ...
    @property
    def partitions(self) -> list[int]: ...


def roles(tasks: Tasks) -> tuple[TaskMap, TaskMap, TaskMap]:
    """Active, standby, warm-up."""
    return tasks.active, tasks.standby, tasks.warmup


def task_map(entries: Iterable[TaskIds]) -> TaskMap:
    """From the lists of a message."""
    return {entry.subtopology_id: frozenset(entry.partitions) for entry in entries}


def sorted_tasks(tasks: Mapping[str, Iterable[int]]) -> list[tuple[str, list[int]]]:
    """For the lists of a message: by subtopology, then by partition."""
    return [(one, sorted(tasks[one])) for one in sorted(tasks)]
