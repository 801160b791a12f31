"""Processes of an application while tasks are given out: their members, and how much they have.

Threads of a process share its state, so a task is in a process once, in whichever role. A process
is as large as it has members.
"""

from __future__ import annotations

from dataclasses import field

from moldau.broker.coordinator.group.java_order import JavaSet, text_hash
from moldau.broker.coordinator.group.streams.java_heap import JavaHeap
from moldau.broker.coordinator.group.streams.tasks import TaskId
from moldau.platform.quick_dataclass import dataclass


@dataclass(slots=True)
class Process:
    """A process of the application, with the members that run in it."""

    process_id: str
    counts: dict[str, int] = field(default_factory=dict)
    """How many tasks each of its members has."""
    active: dict[str, set[TaskId]] = field(default_factory=dict)
    standby: dict[str, set[TaskId]] = field(default_factory=dict)
    tasks: set[TaskId] = field(default_factory=set)
    _task_count: int = 0
    _by_load: JavaHeap[list[object]] | None = None

    @property
    def load(self) -> float:
        """Tasks for each member."""
        return self._task_count / len(self.counts)

    def add_member(self, member_id: str) -> None:
        self.counts[member_id] = 0

    def add(self, member_id: str, task: TaskId, *, is_active: bool) -> int:
        """Give the task to this member, which then has so many."""
        self._by_load = None
        return self._put(member_id, task, is_active)

    def add_to_least_loaded(self, task: TaskId, *, is_active: bool) -> int:
        """Give it to the member that has least, which then has so many."""
        if len(self.counts) == 1:
            return self._put(next(iter(self.counts)), task, is_active)
        if self._by_load is None:
            names = JavaSet(text_hash, self.counts)
            self._by_load = JavaHeap(_count_of, [[name, self.counts[name]] for name in names])
        entry = self._by_load.pop()
        entry[1] = self._put(str(entry[0]), task, is_active)
        self._by_load.add(entry)
        return self.counts[str(entry[0])]

    def _put(self, member_id: str, task: TaskId, is_active: bool) -> int:
        self._task_count += 1
        self.tasks.add(task)
        role = self.active if is_active else self.standby
        role.setdefault(member_id, set()).add(task)
        self.counts[member_id] += 1
        return self.counts[member_id]


def _count_of(entry: list[object]) -> float:
    count = entry[1]
    assert isinstance(count, int)
    return count
