"""Waiting for several things at a time, and for many by hundreds."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from moldau.errors import MoldauError
from moldau.platform.ports.tasks import Tasks

__all__ = ["together"]

Thing = TypeVar("Thing")
Value = TypeVar("Value")


AT_ONCE = 100


async def together(
    tasks: Tasks, name: str, begin: Callable[[Thing], Awaitable[Value]], things: Sequence[Thing]
) -> list[Value]:
    """The outcome for each thing, in order; a refusal is raised when all that began have ended."""
    outcomes: list[Value] = []
    for start in range(0, len(things), AT_ONCE):
        works = [begin(thing) for thing in things[start : start + AT_ONCE]]
        outcomes += [await works[0]] if len(works) == 1 else await _all(tasks, name, works)
    return outcomes


async def _all(tasks: Tasks, name: str, works: Sequence[Awaitable[Value]]) -> list[Value]:
    outcomes: dict[int, Value] = {}
    refusals: list[Exception] = []

    async def run(index: int, work: Awaitable[Value]) -> None:
        try:
            outcomes[index] = await work
        except (MoldauError, TimeoutError) as error:
            refusals.append(error)

    running = [tasks.spawn(f"{name} {index}", run(index, work)) for index, work in enumerate(works)]
    for task in running:
        await task
    if refusals:
        raise refusals[0]
    return [outcomes[index] for index in range(len(works))]
