"""A loop in the thread of its caller with the world of one client on it: without TLS and logins."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from moldau.client.aio.world import ClientWorld
from moldau.client.errors import ClosedError
from moldau.platform.system.callers_network import CallersNetwork
from moldau.platform.system.callers_tasks import CallersLoop, CallersTasks
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.randomness import SystemRandom

__all__ = ["CallersClientLoop"]

Value = TypeVar("Value")


class CallersClientLoop:
    """Runs while it is called, by one thread."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._loop: CallersLoop | None = CallersLoop()
        self._network = CallersNetwork(self._loop)
        self.world = ClientWorld(
            self._network, SystemClock(), SystemRandom(), CallersTasks(self._loop)
        )

    def call(self, work: Callable[[], Coroutine[Any, Any, Value]]) -> Value:
        if self._loop is None:
            raise ClosedError(self._what)
        return self._loop.call(work())

    def close(self, last: Callable[[], Coroutine[Any, Any, None]]) -> None:
        loop, self._loop = self._loop, None
        if loop is None:
            return
        try:
            loop.call(last())
        finally:
            self._network.close()
            loop.close()
