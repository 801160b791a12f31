"""Ends transactions that other producers prepared, or left behind.

async with AsyncTransactions("localhost:9092") as transactions:
    await transactions.end(prepared, commits=True)
"""

from __future__ import annotations

from typing import TypeVar

from moldau.client.aio.driver import Driver
from moldau.client.aio.own_world import OwnWorld
from moldau.client.aio.pool import Pool
from moldau.client.aio.world import ClientWorld
from moldau.client.core.context import ClientContext
from moldau.client.core.dialogue import Dialogue
from moldau.client.core.producing.prepared import (
    PreparedTransaction,
    end_prepared,
    fence,
    list_open,
)
from moldau.client.errors import ClosedError, InvalidArgumentError
from moldau.client.settings.client import ClientSettings, Servers, settings_of
from moldau.platform.closing import AsyncClosing

__all__ = ["AsyncTransactions"]

Result = TypeVar("Result")


class AsyncTransactions(AsyncClosing):
    """Prepared transactions of one cluster; for `async with`."""

    def __init__(self, servers: Servers, **settings: object) -> None:
        self.settings = settings_of(ClientSettings, servers, settings)
        self._own: OwnWorld | None = None
        self._world: ClientWorld | None = None
        self._has_begun = False
        self._context: ClientContext
        self._pool: Pool
        self._driver: Driver

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {','.join(self.settings.bootstrap_servers)}>"

    def start(self) -> None:
        """Begin, on the loop that runs; `async with` does it, and `close` ends it."""
        if self._own is None:
            self._own = OwnWorld(type(self).__name__, "moldau.client.Transactions")
            self.begin_in(self._own.world)

    def begin_in(self, world: ClientWorld) -> None:
        """Begin in a world that the caller closes."""
        self._world = world
        self._has_begun = True
        self._context = ClientContext(self.settings, world.random)
        self._pool = Pool(world, self._context)
        self._driver = Driver(world, self._pool, self.settings.default_api_timeout_ms)

    async def end(self, prepared: PreparedTransaction, *, commits: bool) -> None:
        """Commit or abort it; doing the same again changes nothing.

        `FencedError` where it was aborted by its timeout or by a successor, and `TransactionError`
        where a program has ended it the other way.
        """
        if not isinstance(prepared, PreparedTransaction):
            raise InvalidArgumentError(
                f"what is ended was returned by prepare_transaction, and is not {prepared!r}"
            )
        now_ms = self._now_ms()
        await self._hold(end_prepared(self._context, prepared, now_ms, commits=commits))

    async def fence(self, name: str) -> None:
        """Abort what is open under this transactional id, and shut out who wrote it."""
        if not isinstance(name, str):
            raise InvalidArgumentError(f"a transactional id is text, and not {name!r}")
        now_ms = self._now_ms()
        await self._hold(fence(self._context, name, now_ms))

    async def open_names(self) -> list[str]:
        """The transactional ids whose transactions are neither committed nor aborted."""
        now_ms = self._now_ms()
        return await self._hold(list_open(self._context, now_ms))

    async def close(self) -> None:
        """Nothing that was committed is taken back."""
        if self._world is not None:
            self._pool.close()
            self._world = None
        own, self._own = self._own, None
        if own is not None:
            await own.close()

    def _now_ms(self) -> int:
        if self._world is None:
            raise ClosedError("the client of transactions", has_begun=self._has_begun)
        return self._world.now_ms()

    async def _hold(self, dialogue: Dialogue[Result]) -> Result:
        return await self._driver.hold(dialogue)
