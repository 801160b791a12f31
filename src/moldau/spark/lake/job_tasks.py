"""The tasks of a job that has failed: which may still run, and are waited for.

Spark ends a job with the first of its tasks that has failed for good and does not wait for those
beside it. What they still write would outlast a removal of files, so that has to come after them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from py4j.protocol import Py4JError

if TYPE_CHECKING:
    from pyspark import SparkContext

__all__ = ["await_tasks", "tagged"]

RUNNING = "RUNNING"
LOOKS_MAX, BETWEEN_LOOKS_MS = 200, 25
"""5 s: Spark ends a Python worker that goes on for 2 s after its task was killed."""


@contextmanager
def tagged(context: SparkContext, tag: str) -> Iterator[None]:
    """Jobs that this thread starts inside are found by the tag."""
    context.addJobTag(tag)
    try:
        yield
    finally:
        with suppress(Py4JError, ConnectionError):  # Java may be what has failed
            context.removeJobTag(tag)


def await_tasks(context: SparkContext, tag: str) -> None:
    """Return when no task of these jobs runs, or Spark can no longer be asked.

    A task that Spark interrupts ends for Spark before its Python worker has noticed; what that one
    still writes is left to vacuum.
    """
    java: Any = context._jvm
    with suppress(Py4JError, ConnectionError):
        for _ in range(LOOKS_MAX):
            if not _are_running(context, tag):
                return
            java.java.lang.Thread.sleep(BETWEEN_LOOKS_MS)


def _are_running(context: SparkContext, tag: str) -> bool:
    """Whether a job has not ended as far as Spark's own reports have come, or a task goes on."""
    tracker = context.statusTracker()
    jobs = [job for each in _jobs(context, tag) if (job := tracker.getJobInfo(each))]
    stages = [tracker.getStageInfo(stage) for job in jobs for stage in job.stageIds]
    has_tasks = any(stage.numActiveTasks for stage in stages if stage)
    return has_tasks or any(job.status == RUNNING for job in jobs)


def _jobs(context: SparkContext, tag: str) -> list[int]:
    return list(context._jsc.sc().statusTracker().getJobIdsForTag(tag))
