"""Holds a dialogue with answers that are written down, and keeps what was asked.

    talk = Conversation(dialogue)
    talk.receives(answer, later_ms=5)   the answers to what it asks, or the end of its pause
    talk.result                         what it has returned

Pauses are granted by `receives()` without answers, or all together by `rests`.
"""

from __future__ import annotations

from random import Random
from typing import Generic, TypeVar

from moldau.client.core.context import ClientContext
from moldau.client.core.dialogue import Answer, Asks, Dialogue, Pause, Received, Step
from moldau.client.settings.client import ClientSettings
from moldau.protocol.wire.schema import Request

Result = TypeVar("Result")


def context(**settings: str) -> ClientContext:
    """Settings by their names with `_` for `.`."""
    given = {name.replace("_", "."): value for name, value in settings.items()}
    return ClientContext(ClientSettings.of({"bootstrap.servers": "b1:9092", **given}), Random(7))


class Conversation(Generic[Result]):
    """One dialogue, as far as it has come."""

    def __init__(self, dialogue: Dialogue[Result], now_ms: int = 0) -> None:
        self._dialogue = dialogue
        self.now_ms = now_ms
        self.asked: list[tuple[int | None, Request]] = []
        """Everything so far, with the broker that was meant."""
        self.paused_ms: list[float] = []
        self.is_over = False
        self.result: Result
        self.step: Step
        self._go_on(lambda: next(dialogue))

    def receives(self, *answers: Answer, later_ms: int = 0) -> Conversation[Result]:
        """These answers, in the order of the questions, that much later."""
        assert isinstance(self.step, Asks), f"it wants {self.step}"
        assert len(answers) == len(self.step.asks), f"it asks {len(self.step.asks)} questions"
        return self._tell(answers, later_ms)

    def rests(self) -> Conversation[Result]:
        """The pause that it wants goes by."""
        assert isinstance(self.step, Pause), f"it wants {self.step}"
        return self._tell((), int(self.step.duration_ms) + 1)

    def _tell(self, answers: tuple[Answer, ...], later_ms: int) -> Conversation[Result]:
        self.now_ms += later_ms
        self._go_on(lambda: self._dialogue.send(Received(self.now_ms, answers)))
        return self

    def _go_on(self, advance: object) -> None:
        try:
            self.step = advance()  # type: ignore[operator]
        except StopIteration as end:
            self.is_over, self.result = True, end.value
            return
        if isinstance(self.step, Asks):
            self.asked += [(ask.node_id, ask.request) for ask in self.step.asks]
        else:
            self.paused_ms.append(self.step.duration_ms)
