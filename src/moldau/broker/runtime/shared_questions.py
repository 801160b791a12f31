"""Questions to another broker that can share a request.

    asked ──► nothing under way ──► sent at once, alone
          └─► something is      ──► waits, and all that wait share the next request

The answers of a connection come in order, and what is asked here is answered when it is replicated.
One by one, a thousand transactions would wait for each other.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

from moldau.errors import KafkaError, NetworkError
from moldau.platform.ports.tasks import Promise, Tasks

__all__ = ["SharedQuestions"]

Part = TypeVar("Part")
Answer = TypeVar("Answer")

PARTS_MAX = 1_000
"""In one request."""


class SharedQuestions(Generic[Part, Answer]):
    """All questions of one kind to one broker."""

    def __init__(
        self, tasks: Tasks, name: str, ask: Callable[[list[Part]], Awaitable[Sequence[Answer]]]
    ) -> None:
        """`ask` puts parts into a request, and gives the answer to each, in their order."""
        self._tasks = tasks
        self._name = name
        self._ask = ask
        self._waiting: list[tuple[Part, Promise[Answer]]] = []
        self._is_asking = False

    def __repr__(self) -> str:
        return f"SharedQuestions({self._name}, {len(self._waiting)} waiting)"

    async def ask(self, part: Part) -> Answer:
        """Its answer, or why there is none."""
        promise: Promise[Answer] = self._tasks.promise()
        self._waiting.append((part, promise))
        if not self._is_asking:
            self._is_asking = True
            self._tasks.spawn(self._name, self._ask_all())
        return await promise.wait()

    async def _ask_all(self) -> None:
        while self._waiting:
            asked, self._waiting = self._waiting[:PARTS_MAX], self._waiting[PARTS_MAX:]
            try:
                answers = await self._ask([part for part, _ in asked])
            except (NetworkError, TimeoutError, KafkaError) as error:
                for _, promise in asked:
                    promise.fail(error)
                continue
            for (_, promise), answer in zip(asked, answers, strict=True):
                promise.keep(answer)
        self._is_asking = False
