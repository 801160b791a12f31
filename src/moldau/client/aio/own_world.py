"""The real world of a client on the program's own loop: tasks and sockets that end with it."""

from __future__ import annotations

import warnings
from collections.abc import Callable

from moldau.client.aio.world import ClientWorld
from moldau.client.errors import ClientError, OtherLoopError
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.kerberos import SystemKerberos
from moldau.platform.system.network import SystemNetwork
from moldau.platform.system.randomness import SystemRandom
from moldau.platform.system.tasks import SystemTasks

__all__ = ["NoLoopError", "OwnWorld"]


class NoLoopError(ClientError):
    """There is no loop that the client could live on."""

    def __init__(self, what: str, instead: str) -> None:
        super().__init__(f"{what} has to be called in a coroutine: without a loop use {instead}")


class OwnWorld:
    """Made in a coroutine."""

    def __init__(self, what: str, instead: str) -> None:
        try:
            self._tasks = SystemTasks(owns_loop=False)
        except (RuntimeError, AssertionError):
            raise NoLoopError(what, instead) from None
        self._what = what
        self._is_over = False
        self._network = SystemNetwork()
        self.world = ClientWorld(
            self._network,
            SystemClock(),
            SystemRandom(),
            self._tasks,
            SystemFiles(),
            SystemKerberos(),
            self._ensure_here,
        )

    def shut(self) -> None:
        """No more connections."""
        self._is_over = True
        self._network.close()

    def __del__(self, _warn: Callable[..., None] = warnings.warn) -> None:
        # As Python's own do that are forgotten without being closed.
        if not getattr(self, "_is_over", True):
            _warn(f"unclosed {self._what}", ResourceWarning, source=self)

    def _ensure_here(self) -> None:
        if not self._tasks.is_here:
            raise OtherLoopError(self._what, is_over=self._tasks.has_ended)

    async def close(self) -> None:
        """Nothing of it is left; the failure of a task of its own is raised."""
        self._is_over = True
        self._ensure_here()
        self.shut()
        await self._tasks.close()
        if self._tasks.failure is not None:
            raise self._tasks.failure
