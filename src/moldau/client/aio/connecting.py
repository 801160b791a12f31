"""A client on the program's own loop, in the real world."""

from __future__ import annotations

from types import TracebackType

from moldau.client.aio.connection import AsyncConnection
from moldau.client.aio.world import ClientWorld
from moldau.client.errors import ClientError
from moldau.client.settings import ClientSettings, Servers, chosen_settings
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.network import SystemNetwork
from moldau.platform.system.randomness import SystemRandom
from moldau.platform.system.tasks import SystemTasks

__all__ = ["NoLoopError", "connect"]


class NoLoopError(ClientError):
    """There is no loop that the connection could live on."""

    def __init__(self) -> None:
        super().__init__(
            "aio.connect has to be called in a coroutine: without a loop use moldau.client.connect"
        )


class _OwnConnection(AsyncConnection):
    """With tasks and sockets of its own, which end with its `async with`."""

    def __init__(self, settings: ClientSettings) -> None:
        try:
            self._tasks = SystemTasks(owns_loop=False)
        except RuntimeError:
            raise NoLoopError from None
        self._network = SystemNetwork()
        world = ClientWorld(self._network, SystemClock(), SystemRandom(), self._tasks)
        super().__init__(settings, world)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
        await self._tasks.close()
        if self._tasks.failure is not None:
            raise self._tasks.failure

    def close(self) -> None:
        super().close()
        self._network.close()


def connect(servers: Servers, **settings: object) -> AsyncConnection:
    """A connection to the cluster of these brokers, for `async with`.

        async with connect("localhost:9092", fetch_max_bytes=10_000_000) as connection:
            table = await connection.read_table("orders")

    `servers` are HOST:PORT, a list of them, or a mapping of settings by Kafka's names. Keywords are
    settings too, with underscores for dots.
    """
    return _OwnConnection(chosen_settings(servers, settings))
