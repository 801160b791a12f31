"""The real world of a client on the program's own loop: tasks and sockets that end with it."""

from __future__ import annotations

from moldau.client.aio.world import ClientWorld
from moldau.client.errors import ClientError
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
        self._network = SystemNetwork()
        self.world = ClientWorld(
            self._network,
            SystemClock(),
            SystemRandom(),
            self._tasks,
            SystemFiles(),
            SystemKerberos(),
        )

    def shut(self) -> None:
        """No more connections."""
        self._network.close()

    async def close(self) -> None:
        """Nothing of it is left; the failure of a task of its own is raised."""
        self.shut()
        await self._tasks.close()
        if self._tasks.failure is not None:
            raise self._tasks.failure
