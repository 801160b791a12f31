"""Doing several things at a time, waiting, and giving up in time.

One loop runs everything; nothing is shared between threads. What this port guarantees:

- A task has a name and a supervisor. One that ends with an error ends the program loudly, with
  the task's name in the error: an expected error is handled inside the task.
- Closing cancels every task, in the order in which they were started, and waits for them all.
- Threads exist only inside `offload`, for leaf calls that let go of the interpreter (fsync, a
  large checksum, compression, a cold read). In simulation they run inline.
- Durations are milliseconds; a fraction is allowed.

In simulation time stands still while anything can run, then jumps to the next timer: a minute of
waiting costs nothing, and the same seed gives the same order of events. When nothing can run and
no timer is left, waiting would be for ever: that is an assertion, not a hang.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol, TypeVar

__all__ = ["Promise", "Task", "Tasks", "Timer"]

Value = TypeVar("Value")


class Task(Awaitable[None], Protocol):
    """Something that was started; awaiting it waits for its end."""

    def get_name(self) -> str: ...

    def cancel(self) -> bool:
        """Ask it to end: its next wait raises inside it, and its `finally` blocks run."""
        ...

    def done(self) -> bool: ...


class Timer(Protocol):
    """An action that waits for its time."""

    def cancel(self) -> None:
        """Forget it; too late does nothing."""
        ...


class Promise(Protocol[Value]):
    """A value that is not there yet, and the one task that waits for it."""

    def keep(self, value: Value) -> None:
        """Here it is. Only the first word counts; those after it do nothing."""
        ...

    def fail(self, error: Exception) -> None:
        """It will not come: the waiting task gets this error."""
        ...

    def is_settled(self) -> bool:
        """Kept, failed, or given up by its waiter."""
        ...

    def wait(self) -> Awaitable[Value]: ...


class Tasks(Protocol):
    """The loop, as much of it as the project uses."""

    def spawn(self, name: str, coroutine: Coroutine[Any, Any, None]) -> Task:
        """Start it; the name is for people who read errors and listings."""
        ...

    def running(self) -> list[str]:
        """The names of the tasks that have not ended, oldest first."""
        ...

    def after(self, duration_ms: float, action: Callable[[], None]) -> Timer:
        """Call `action` once, this much later: a timer without a task."""
        ...

    async def sleep(self, duration_ms: float) -> None: ...

    async def turn(self) -> None:
        """Let others go on before the next slice of long work: one slice a turn of the loop."""
        ...

    def in_turn(self, action: Callable[[], None]) -> None:
        """Call `action` as the next slice, behind those that wait already."""
        ...

    def deadline(self, duration_ms: float) -> AbstractAsyncContextManager[object]:
        """`async with` it: what is inside raises `TimeoutError` when the time is up."""
        ...

    def promise(self) -> Promise[Any]: ...

    async def offload(self, call: Callable[..., Value], *arguments: object) -> Value:
        """Run a blocking leaf call beside the loop. Once begun it runs to its end."""
        ...

    def waited_ns(self) -> int | None:
        """How long the loop has had nothing to do since it began; None where it is not measured."""
        ...
