"""A user who watches sees what is done, and what goes on while it takes long."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from moldau.platform.simulated.clock import SimulatedClock
from moldau.programs.pipelines.progress import IDLE, LOOK_S, Besides, Progress, tasks_running


class Watched:
    def __init__(self) -> None:
        self.clock = SimulatedClock()
        self.lines: list[str] = []
        self.progress = Progress(self.lines.append, self.clock)

    def look_after(self, seconds: int, besides: tuple[str, ...] = ()) -> None:
        self.clock.advance_ms(seconds * 1_000)
        self.progress.look(lambda: ", 3 of 12 tasks", besides)


@pytest.fixture
def watched():
    return Watched()


def test_a_step_that_takes_long_is_reported_less_and_less_often(watched):
    watched.progress.begin("batch 0: writing bronze")
    watched.look_after(4)
    assert watched.lines == []
    for _ in range(60):
        watched.look_after(1)
    assert watched.lines == [
        f"  batch 0: writing bronze, 3 of 12 tasks, {seconds} s so far" for seconds in (5, 15, 35)
    ]


def test_a_line_begins_the_silence_anew(watched):
    watched.progress.begin("batch 0: reading")
    watched.look_after(3)
    watched.progress.done("batch 0: 3 in")
    watched.progress.begin("batch 1: reading")
    watched.look_after(4)
    assert watched.lines == ["batch 0: 3 in"]


def test_where_nothing_goes_on_nothing_is_reported(watched):
    watched.look_after(100)
    assert watched.lines == []


def test_queries_beside_the_main_one_are_reported(watched):
    watched.look_after(5, ("sessions: batch 0",))
    assert watched.lines == ["  sessions: batch 0, 3 of 12 tasks"]


def test_waiting_for_records_is_reported_once(watched):
    watched.progress.idle()
    watched.progress.idle()
    watched.progress.begin("batch 0: reading")
    watched.progress.idle()
    watched.progress.done("batch 0: 3 in")
    watched.progress.idle()
    assert watched.lines == [IDLE, "batch 0: 3 in", IDLE]


def query(*batches, active=True):
    progress = [
        {"batchId": batch, "numInputRows": rows, "durationMs": {"triggerExecution": 1_500}}
        for batch, rows in batches
    ]
    status = {"isTriggerActive": active}
    return cast(Any, SimpleNamespace(recentProgress=progress, isActive=True, status=status))


def test_each_batch_beside_is_reported_once_and_empty_ones_never():
    besides = Besides({"sessions": query((0, 2_000), (1, 0), (2, 5))}, SimulatedClock())
    assert besides.finished() == [
        "sessions: batch 0, 2,000 in, 1.5 s",
        "sessions: batch 2, 5 in, 1.5 s",
    ]
    assert besides.finished() == []
    assert besides.running() == ["sessions: batch 3"]
    assert Besides({"sessions": query(active=False)}, SimulatedClock()).running() == []


def test_batches_beside_are_looked_for_every_few_seconds():
    clock = SimulatedClock()
    besides = Besides({"sessions": query((0, 2_000))}, clock)
    clock.advance_ms(LOOK_S * 1_000 - 1)
    assert besides.finished_lately() == []
    clock.advance_ms(1)
    assert besides.finished_lately() == ["sessions: batch 0, 2,000 in, 1.5 s"]
    assert besides.finished_lately() == []


def test_tasks_of_all_stages_are_added_up():
    stages = {1: SimpleNamespace(numTasks=4, numCompletedTasks=1), 2: None}
    tracker = SimpleNamespace(getActiveStageIds=lambda: list(stages), getStageInfo=stages.get)
    context = SimpleNamespace(statusTracker=lambda: tracker)
    spark = cast(Any, SimpleNamespace(sparkContext=context))
    assert tasks_running(spark) == ", 1 of 4 tasks"
    stages.clear()
    assert tasks_running(spark) == ""
