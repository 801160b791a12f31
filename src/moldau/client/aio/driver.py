"""Holds dialogues: carries out what they ask for, and gives them the outcome."""

from __future__ import annotations

from typing import TypeVar

from moldau.client.aio.pool import Lane, Pool
from moldau.client.aio.world import ClientWorld
from moldau.client.core.dialogue import Answer, Ask, Asks, Dialogue, Received, Step
from moldau.client.errors import ClientError, UnreachableError, UnresolvedError
from moldau.errors import MoldauError

__all__ = ["Driver"]

Result = TypeVar("Result")


class Driver:
    """Drives the dialogues of one client: sends their requests, and gives back the answers."""

    def __init__(
        self, world: ClientWorld, pool: Pool, timeout_ms: int, lane: Lane = Lane.QUESTIONS
    ) -> None:
        self._world = world
        self._pool = pool
        self._timeout_ms = timeout_ms
        self._lane = lane

    async def hold(self, dialogue: Dialogue[Result]) -> Result:
        """Its result, or the error that it ends with."""
        self._world.ensure_here()
        try:
            step = next(dialogue)
            while True:
                answers = await self._do(step)
                step = dialogue.send(Received(self._world.now_ms(), answers))
        except StopIteration as end:
            result: Result = end.value
            return result
        finally:
            dialogue.close()

    async def _do(self, step: Step) -> tuple[Answer, ...]:
        if not isinstance(step, Asks):
            await self._world.tasks.sleep(step.duration_ms)
            return ()
        return await self.ask_all(step)

    async def ask_all(self, step: Asks) -> tuple[Answer, ...]:
        """The answers, or why there are none; `UnresolvedError` ends the dialogue."""
        if len(step.asks) == 1:
            answers: tuple[Answer, ...] = (await self._answer(step.asks[0]),)
        else:
            answers = await self._do_together(step.asks)
        for answer in answers:
            if isinstance(answer, UnresolvedError):
                raise answer
        return answers

    async def _do_together(self, asks: tuple[Ask, ...]) -> tuple[Answer, ...]:
        answers: dict[int, Answer] = {}

        async def keep(index: int, ask: Ask) -> None:
            answers[index] = await self._answer(ask)

        tasks = [
            self._world.tasks.spawn(f"ask-{ask.node_id}", keep(index, ask))
            for index, ask in enumerate(asks)
        ]
        for task in tasks:
            await task
        return tuple(answers[index] for index in range(len(asks)))

    async def _answer(self, ask: Ask) -> Answer:
        """It comes within the time of a whole call, whatever connecting and answering may take."""
        timeout_ms = max(self._timeout_ms, ask.timeout_ms or 0)
        try:
            async with self._world.tasks.deadline(timeout_ms):
                return await self._pool.ask(ask, self._lane)
        except ClientError as error:
            return error
        except TimeoutError as late:
            reason = f"no answer within {timeout_ms} ms{_reason_before(late)}"
            return UnreachableError(_shown(ask), reason)


def _reason_before(late: TimeoutError) -> str:
    """What had failed and was waiting for its next try when the time was over."""
    error: BaseException | None = late
    while error is not None and not isinstance(error, MoldauError):
        error = error.__cause__ or error.__context__
    return "" if error is None else f"; before that: {error}"


def _shown(ask: Ask) -> str:
    return "any broker" if ask.node_id is None else f"broker {ask.node_id}"
