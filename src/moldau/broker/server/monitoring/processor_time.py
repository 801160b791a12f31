"""How long a handler that waits has kept the processor: its turns on the loop, without the waits.

Kafka charges a request for the time of the thread that handles it, and not for the time that it
waits for others. Here a handler that is `async def` takes turns with all others. `Turns` runs it as
`await` would, and looks at the clock before and after each turn. What a turn hands to a thread
(`Tasks.offload`) is waiting, too.
"""

from __future__ import annotations

from collections.abc import Coroutine, Generator
from types import TracebackType
from typing import Any, Generic, TypeVar

from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Answer, Call
from moldau.errors import KafkaError
from moldau.platform.ports.clock import Clock

__all__ = ["Turns", "charged"]

Value = TypeVar("Value")


async def charged(call: Call, broker: Broker, work: Coroutine[Any, Any, Answer]) -> Answer:
    """The same, and its turns on the loop count against the quota of the call's sender."""
    quotas = broker.quotas
    if quotas is None or not quotas.are_set:
        return await work
    turns = Turns(work, broker.clock)
    error: int | None = None
    try:
        return await turns
    except KafkaError as refused:
        error = refused.code
        raise
    finally:
        quotas.spent(call, turns.spent_ns, error)


class Turns(Generator[Any, Any, Value], Generic[Value]):
    """Awaited in the place of a coroutine; `spent_ns` grows with each of its turns."""

    def __init__(self, work: Coroutine[Any, Any, Value], clock: Clock) -> None:
        self.spent_ns = 0
        self._work = work
        self._clock = clock

    def __repr__(self) -> str:
        return f"Turns({self._work!r}, {self.spent_ns} ns)"

    def __await__(self) -> Generator[Any, Any, Value]:
        return self

    def send(self, value: object) -> object:
        began_ns = self._clock.monotonic_ns()
        try:
            return self._work.send(value)
        finally:
            self.spent_ns += self._clock.monotonic_ns() - began_ns

    def throw(
        self,
        kind: type[BaseException] | BaseException,
        value: object = None,
        traceback: TracebackType | None = None,
    ) -> object:
        """Cancelled, or what it waits for has failed."""
        began_ns = self._clock.monotonic_ns()
        try:
            return self._work.throw(value if isinstance(value, BaseException) else kind)
        finally:
            self.spent_ns += self._clock.monotonic_ns() - began_ns

    def close(self) -> None:
        self._work.close()
