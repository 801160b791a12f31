"""A sleep that ends when its time is up, or earlier if there is something to do.

    sleep = WakeableSleep(tasks)
    await sleep.wait(500)       in the task that sleeps
    sleep.wake()                from anywhere on the loop

To wake it while it is awake does nothing, and does not shorten its next wait.
"""

from __future__ import annotations

from moldau.platform.ports.tasks import Promise, Tasks

__all__ = ["WakeableSleep"]


class WakeableSleep:
    """The sleep of one task, again and again."""

    __slots__ = ("_tasks", "_woken")

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self._woken: Promise[None] | None = None

    def __repr__(self) -> str:
        return f"WakeableSleep({'awake' if self._woken is None else 'asleep'})"

    async def wait(self, duration_ms: float | None = None) -> None:
        """Sleep at most so long; without a duration until it is woken."""
        woken: Promise[None] = self._tasks.promise()
        self._woken = woken
        timer = None
        if duration_ms is not None:
            timer = self._tasks.after(max(duration_ms, 0), lambda: woken.keep(None))
        try:
            await woken.wait()
        finally:
            self._woken = None
            if timer is not None:
                timer.cancel()

    def wake(self) -> None:
        """End the sleep now, if there is one."""
        if self._woken is not None:
            self._woken.keep(None)
