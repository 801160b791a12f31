"""Lines of progress: what is done, and after some seconds of silence what goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from moldau.platform.ports.clock import Clock

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

__all__ = ["Besides", "Progress", "tasks_running"]

SILENCE_S, SILENCE_MAX_S = 5, 30
"""The first line comes after so long, and each one more after twice as long."""
LOOK_S = 5
NS_PER_S = 1_000_000_000
MS_PER_S = 1_000
IDLE = "all is read that is there; waiting for more (Ctrl-C ends it)"


class Progress:
    """One run's; lines come from the thread of a batch and from the one that waits for queries."""

    def __init__(self, show: Callable[[str], None], clock: Clock) -> None:
        self._show = show
        self._clock = clock
        self._silent_since_ns = clock.monotonic_ns()
        self._began_ns = self._silent_since_ns
        self._step = ""
        self._silence_s = SILENCE_S
        self._is_idle = False

    def begin(self, step: str) -> None:
        """What goes on from now on: `batch 3: writing silver`."""
        if not self._step:
            self._began_ns = self._silent_since_ns = self._clock.monotonic_ns()
        self._step, self._is_idle = step, False

    def done(self, line: str) -> None:
        """A line about what is finished."""
        self._step, self._silence_s = "", SILENCE_S
        self.line(line)

    def line(self, line: str) -> None:
        """A line about something else, while the step goes on."""
        self._silent_since_ns = self._clock.monotonic_ns()
        self._show(line)

    def look(self, tasks: Callable[[], str], besides: Sequence[str] = ()) -> None:
        """Write what goes on, if nothing was written for a while."""
        now_ns = self._clock.monotonic_ns()
        steps = [self._step, *besides] if self._step else list(besides)
        if not steps or now_ns - self._silent_since_ns < self._silence_s * NS_PER_S:
            return
        took = f", {(now_ns - self._began_ns) // NS_PER_S} s so far" if self._step else ""
        self._silence_s = min(self._silence_s * 2, SILENCE_MAX_S)
        self.line(f"  {'; '.join(steps)}{tasks()}{took}")

    def idle(self) -> None:
        """Nothing is there to be read; written once, until something is."""
        if not self._is_idle and not self._step:
            self._is_idle = True
            self.line(IDLE)


class Besides:
    """The queries beside the main one, whose batches are reported as Spark reports them."""

    def __init__(self, queries: Mapping[str, StreamingQuery], clock: Clock) -> None:
        self._queries = queries
        self._clock = clock
        self._looked_at_ns = clock.monotonic_ns()
        self._batches: dict[str, int] = {}

    def finished_lately(self) -> list[str]:
        """As `finished`, now and then: Java writes out all batches that it remembers for it."""
        now_ns = self._clock.monotonic_ns()
        if now_ns - self._looked_at_ns < LOOK_S * NS_PER_S:
            return []
        self._looked_at_ns = now_ns
        return self.finished()

    def finished(self) -> list[str]:
        """A line for each batch that has ended since this was asked last."""
        lines = []
        for name, query in self._queries.items():
            for each in query.recentProgress:
                if each["batchId"] > self._batches.get(name, -1) and each["numInputRows"]:
                    self._batches[name] = each["batchId"]
                    lines.append(_line_of(name, each))
        return lines

    def running(self) -> list[str]:
        """Those that are in a batch."""
        return [
            f"{name}: batch {self._batches.get(name, -1) + 1}"
            for name, query in self._queries.items()
            if query.isActive and query.status["isTriggerActive"]
        ]


def _line_of(name: str, progress: Mapping[str, Any]) -> str:
    took_s = progress["durationMs"].get("triggerExecution", 0) / MS_PER_S
    return f"{name}: batch {progress['batchId']}, {progress['numInputRows']:,} in, {took_s:.1f} s"


def tasks_running(spark: SparkSession) -> str:
    """How far Spark's stages are, as `, 3 of 12 tasks`."""
    tracker = spark.sparkContext.statusTracker()
    found = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
    stages = [stage for stage in found if stage is not None]
    if not stages:
        return ""
    done = sum(stage.numCompletedTasks for stage in stages)
    return f", {done} of {sum(stage.numTasks for stage in stages)} tasks"
