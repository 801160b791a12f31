"""`sticky`: tasks stay where they are as far as load allows, else go where least is to do.

Active tasks first: to the member that has the task, then to one that has it on standby (its state
is there), as long as the member's quota is not full; the rest to the process with the least load
for its size. Standby tasks after that in the same way, never two copies in one process. Quotas are
what each member gets if all get the same, rounded up, and are computed anew whenever a member has
reached its own.

There are no warm-ups: Apache Kafka 4.3 gives out none either.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from moldau.broker.coordinator.group.java_order import JavaSet, text_hash
from moldau.broker.coordinator.group.streams.java_heap import JavaHeap
from moldau.broker.coordinator.group.streams.processes import Process
from moldau.broker.coordinator.group.streams.tasks import TaskId, Tasks
from moldau.platform.quick_dataclass import dataclass


class Subtopology(NamedTuple):
    """A subtopology, as an assignor sees it."""

    task_count: int
    is_stateful: bool


class Runner(NamedTuple):
    """A member, as an assignor sees it."""

    process_id: str
    tasks: Tasks
    """What it shall run until now."""


class _Place(NamedTuple):
    process_id: str
    member_id: str


@dataclass(slots=True)
class _Quota:
    """How many tasks a member may have, while those that are full step back."""

    task_count: int
    member_count: int

    @property
    def per_member(self) -> int:
        return -(-self.task_count // self.member_count) if self.member_count else 0

    def note(self, count: int) -> None:
        """A member has so many now."""
        if count == self.per_member:
            self.member_count -= 1
            self.task_count -= count


def assign_sticky(
    runners: Mapping[str, Runner],
    subtopologies: Mapping[str, Subtopology],
    standby_count: int,
) -> dict[str, Tasks]:
    """The tasks of every member."""
    return _Sticky(runners, subtopologies, standby_count).assign()


class _Sticky:
    """One assignment, while it is worked out."""

    def __init__(
        self,
        runners: Mapping[str, Runner],
        subtopologies: Mapping[str, Subtopology],
        standby_count: int,
    ) -> None:
        self._runners = runners
        self._subtopologies = subtopologies
        self._standby_count = standby_count
        copies = sum(one.task_count for one in subtopologies.values() if one.is_stateful)
        active_count = sum(one.task_count for one in subtopologies.values())
        self._active_quota = _Quota(active_count, len(runners))
        self._quota = _Quota(active_count + copies * standby_count, len(runners))
        self._processes: dict[str, Process] = {}
        self._was_active: dict[TaskId, _Place] = {}
        self._was_standby: dict[TaskId, list[_Place]] = {}
        for member_id in JavaSet(text_hash, runners):
            self._note(member_id, runners[member_id])

    def _note(self, member_id: str, runner: Runner) -> None:
        process = self._processes.setdefault(runner.process_id, Process(runner.process_id))
        process.add_member(member_id)
        place = _Place(runner.process_id, member_id)
        for task in _tasks(runner.tasks.active):
            self._was_active[task] = place
        for task in _tasks(runner.tasks.standby):
            self._was_standby.setdefault(task, []).append(place)

    def assign(self) -> dict[str, Tasks]:
        self._assign_active()
        if self._standby_count:
            self._assign_standby()
        return {
            member_id: Tasks(
                _compact(self._processes[runner.process_id].active.get(member_id, ())),
                _compact(self._processes[runner.process_id].standby.get(member_id, ())),
            )
            for member_id, runner in self._runners.items()
        }

    def _every_task(self, *, stateful_only: bool = False) -> list[TaskId]:
        return [
            TaskId(subtopology_id, partition)
            for subtopology_id, one in self._subtopologies.items()
            if one.is_stateful or not stateful_only
            for partition in range(one.task_count)
        ]

    # Active tasks.

    def _assign_active(self) -> None:
        tasks = sorted(self._every_task(), key=lambda task: (task.partition, task.subtopology_id))
        tasks = [task for task in tasks if not self._keep(task, self._was_active.get(task))]
        tasks = [task for task in tasks if not self._keep(task, self._least(task))]
        processes = self._by_load()
        for task in sorted(tasks):
            process = processes.pop()
            self._note_active(process.add_to_least_loaded(task, is_active=True))
            processes.add(process)

    def _keep(self, task: TaskId, place: _Place | None) -> bool:
        """Let the task stay at its place, if there is one with room."""
        if place is None or self._count_at(place) >= self._active_quota.per_member:
            return False
        process = self._processes[place.process_id]
        self._note_active(process.add(place.member_id, task, is_active=True))
        return True

    def _note_active(self, count: int) -> None:
        self._active_quota.note(count)
        self._quota.note(count)

    # Standby tasks.

    def _assign_standby(self) -> None:
        tasks = self._every_task(stateful_only=True)
        tasks.sort(key=lambda task: (task.partition, task.subtopology_id), reverse=True)
        left = [(task, self._standby_count - self._keep_copies(task)) for task in tasks]
        processes = self._by_load()
        for task, count in sorted((one for one in left if one[1]), reverse=True):
            for _ in range(count):
                if not self._give_copy(processes, task):
                    break

    def _keep_copies(self, task: TaskId) -> int:
        """How many copies stay where the task was active or on standby."""
        for kept in range(self._standby_count):
            place = self._place_of_copy(task)
            if place is None:
                return kept
            process = self._processes[place.process_id]
            self._quota.note(process.add(place.member_id, task, is_active=False))
        return self._standby_count

    def _place_of_copy(self, task: TaskId) -> _Place | None:
        was_active = self._was_active.get(task)
        if was_active is not None and self._has_room(was_active, task):
            return was_active
        least = self._least(task, is_copy=True)
        return least if least is not None and self._has_room(least) else None

    def _has_room(self, place: _Place, task: TaskId | None = None) -> bool:
        has_task = task in self._processes[place.process_id].tasks
        return not has_task and self._count_at(place) < self._quota.per_member

    def _give_copy(self, processes: JavaHeap[Process], task: TaskId) -> bool:
        """To the process with the least load that has not got it; False if all have."""
        passed = []
        found = False
        while len(processes) and not found:
            process = processes.pop()
            passed.append(process)
            if task not in process.tasks:
                self._quota.note(process.add_to_least_loaded(task, is_active=False))
                found = True
        for process in reversed(passed):
            processes.add(process)
        return found

    # Places.

    def _least(self, task: TaskId, *, is_copy: bool = False) -> _Place | None:
        """Where the task was on standby and least is to do.

        As in Kafka: a later place must have less to do in its process and in itself; and that the
        process may not have the task yet is in the end asked of the first place.
        """
        places = self._was_standby.get(task)
        if not places:
            return None
        chosen = places[0]
        load, count = self._processes[chosen.process_id].load, self._count_at(chosen)
        for place in places[1:]:
            process = self._processes[place.process_id]
            if process.load >= load or (is_copy and task in process.tasks):
                continue
            if self._count_at(place) < count:
                chosen, load, count = place, process.load, self._count_at(place)
        first = self._processes[places[0].process_id]
        return None if is_copy and task in first.tasks else chosen

    def _count_at(self, place: _Place) -> int:
        return self._processes[place.process_id].counts[place.member_id]

    def _by_load(self) -> JavaHeap[Process]:
        table_size = 1 << max(len(self._runners) - 1, 0).bit_length()
        names = JavaSet(text_hash, self._processes, table_size)
        return JavaHeap(lambda process: process.load, [self._processes[name] for name in names])


def _tasks(tasks: Mapping[str, frozenset[int]]) -> list[TaskId]:
    return [TaskId(one, partition) for one, partitions in tasks.items() for partition in partitions]


def _compact(tasks: set[TaskId] | tuple[()]) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for subtopology_id, partition in tasks:
        found.setdefault(subtopology_id, set()).add(partition)
    return {one: frozenset(partitions) for one, partitions in found.items()}
