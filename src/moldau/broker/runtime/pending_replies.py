"""The requests that wait for a shard's replies: each by its ticket, as a task or to be called back.

A task waits for a promise. A call-back costs no task, and may lead to anything: to the next request
of its connection, to this shard or another. So it is called at once only where nothing is under
way that it could meet halfway: when a turn of the loop is ours alone. All others are called in a
turn of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from moldau.broker.coordinator.encoded_decision import Ticket
from moldau.broker.coordinator.shard import Reply
from moldau.errors import KafkaError
from moldau.platform.ports.tasks import Promise, Tasks
from moldau.protocol.wire.schema import Message

Answered = Callable[[Message | KafkaError], None]
"""Called with the response to one request, or the error."""
NO_TICKET: Final[Ticket] = 0


class PendingReplies:
    """The pending replies of a shard, by ticket, until their records are committed."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self._waiting: dict[Ticket, Promise[Message] | Answered] = {}
        self._last_ticket = NO_TICKET

    def __len__(self) -> int:
        return len(self._waiting)

    def __repr__(self) -> str:
        return f"PendingReplies({len(self)} waiting)"

    def add(self, waiting: Promise[Message] | Answered) -> Ticket:
        self._last_ticket = ticket = self._last_ticket + 1
        self._waiting[ticket] = waiting
        return ticket

    def forget(self, ticket: Ticket) -> None:
        """It is answered in another way, or has gone away."""
        self._waiting.pop(ticket, None)

    def answer(self, replies: Sequence[Reply]) -> None:
        """Give each its response."""
        for ticket, response in replies:
            self.answer_one(ticket, response, False)

    # hot: once for each commit that shares a batch.
    def answer_one(self, ticket: Ticket, response: Message, is_own_turn: bool) -> None:
        """Give one its response."""
        waiting = self._waiting.pop(ticket, None)
        if waiting is not None:
            self._complete(waiting, response, is_own_turn)

    def refuse(self, replies: Sequence[Reply], error: KafkaError) -> None:
        """Fail the requests that wait for these replies."""
        for ticket, _ in replies:
            waiting = self._waiting.pop(ticket, None)
            if waiting is not None:
                self._complete(waiting, error, False)

    def refuse_all(self, error: KafkaError) -> None:
        waiting_all, self._waiting = self._waiting, {}
        for waiting in waiting_all.values():
            self._complete(waiting, error, False)

    def _complete(
        self, waiting: Promise[Message] | Answered, answer: Message | KafkaError, is_free: bool
    ) -> None:
        if not callable(waiting):
            if isinstance(answer, KafkaError):
                waiting.fail(answer)
            else:
                waiting.keep(answer)
        elif is_free:
            waiting(answer)
        else:
            self._tasks.after(0, partial(waiting, answer))
