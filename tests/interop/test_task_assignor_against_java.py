"""Judge: Kafka's assignor of Streams tasks gives the same tasks to the same members."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from random import Random

import pytest

from moldau.broker.coordinator.group.streams.sticky import Runner, Subtopology, assign_sticky
from moldau.broker.coordinator.group.streams.tasks import TaskMap, Tasks
from tests.judges.java_programs import compiled
from tests.judges.kafka_jars import class_path

pytestmark = pytest.mark.judge

SEED = 5
GROUPS, ROUNDS = 120, 4
Assignment = dict[str, tuple[str, str]]


class GrowingGroup:
    """An application whose processes and threads come and go."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.standby_count = random.randrange(0, 3)
        self.parts = {
            str(index): Subtopology(random.randrange(1, 9), random.random() < 0.6)
            for index in range(random.randrange(1, 4))
        }
        self.runners: dict[str, Runner] = {}
        for _ in range(random.randrange(1, 8)):
            self.add()

    def add(self) -> None:
        process_id = f"p{self.random.randrange(5)}"
        self.runners[self.random.randbytes(6).hex()] = Runner(process_id, Tasks())

    def change(self, assigned: dict[str, Tasks]) -> None:
        self.runners = {
            member_id: Runner(runner.process_id, assigned[member_id])
            for member_id, runner in self.runners.items()
        }
        if len(self.runners) > 1 and self.random.random() < 0.6:
            del self.runners[self.random.choice(list(self.runners))]
        for _ in range(self.random.randrange(0, 3)):
            self.add()

    def question(self) -> Iterator[str]:
        yield f"group\t{self.standby_count}"
        for name, part in self.parts.items():
            yield f"subtopology\t{name}\t{part.task_count}\t{str(part.is_stateful).lower()}"
        for member_id, (process_id, tasks) in self.runners.items():
            yield f"member\t{member_id}\t{process_id}\t{text(tasks.active)}\t{text(tasks.standby)}"
        yield "end"


def text(tasks: TaskMap) -> str:
    entries = (f"{one}:{','.join(map(str, sorted(tasks[one])))}" for one in sorted(tasks))
    return ";".join(entries) or "-"


def answers(output: str) -> Iterator[Assignment]:
    assignment: Assignment = {}
    for line in output.splitlines():
        if line == "end":
            yield assignment
            assignment = {}
        else:
            member_id, active, standby = line.split("\t")
            assignment[member_id] = active, standby


def test_kafka_would_assign_the_same_tasks(kafka_libs):
    random = Random(SEED)
    asked: list[str] = []
    ours: list[Assignment] = []
    for _ in range(GROUPS):
        group = GrowingGroup(random)
        for _ in range(ROUNDS):
            asked += group.question()
            assigned = assign_sticky(group.runners, group.parts, group.standby_count)
            ours.append(
                {one: (text(tasks.active), text(tasks.standby)) for one, tasks in assigned.items()}
            )
            group.change(assigned)
    virtual_machine = ["java", "-Xmx300m", "-cp", class_path(kafka_libs)]
    run = subprocess.run(
        compiled(virtual_machine, "JudgeTaskAssignor"),
        input="".join(f"{line}\n" for line in asked),
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    theirs = list(answers(run.stdout))
    assert len(theirs) == len(ours)
    for index, (mine, kafkas) in enumerate(zip(ours, theirs, strict=True)):
        assert mine == kafkas, index
