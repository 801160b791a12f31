"""A client on the program's own loop, in the real world."""

from __future__ import annotations

from types import TracebackType

from moldau.client.aio.connection import AsyncConnection
from moldau.client.aio.own_world import NoLoopError, OwnWorld
from moldau.client.settings.client import ClientSettings, Servers, chosen_settings

__all__ = ["NoLoopError", "connect"]


class _OwnConnection(AsyncConnection):
    """With tasks and sockets of its own, which end with its `async with`."""

    def __init__(self, settings: ClientSettings) -> None:
        self._own = OwnWorld("aio.connect", "moldau.client.connect")
        super().__init__(settings, self._own.world)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
        await self._own.close()

    def close(self) -> None:
        super().close()
        self._own.shut()


def connect(servers: Servers, **settings: object) -> AsyncConnection:
    """A connection to the cluster of these brokers, for `async with`.

        async with connect("localhost:9092", fetch_max_bytes=10_000_000) as connection:
            table = await connection.read_table("orders")

    `servers` are HOST:PORT, a list of them, or a mapping of settings by Kafka's names. Keywords are
    settings too, with underscores for dots.
    """
    return _OwnConnection(chosen_settings(servers, settings))
