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
            if not _running(context, tag):
                return
            java.java.lang.Thread.sleep(BETWEEN_LOOKS_MS)


def _running(context: SparkContext, tag: str) -> int:
    tracker = context.statusTracker()
    jobs = [tracker.getJobInfo(job) for job in _jobs(context, tag)]
    stages = [tracker.getStageInfo(stage) for job in jobs if job for stage in job.stageIds]
    return sum(stage.numActiveTasks for stage in stages if stage)


def _jobs(context: SparkContext, tag: str) -> list[int]:
    return list(context._jsc.sc().statusTracker().getJobIdsForTag(tag))
