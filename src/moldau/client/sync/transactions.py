"""Ends transactions that other producers prepared, or left behind.

with Transactions("localhost:9092") as transactions:
    transactions.end(prepared, commits=True)
"""

from __future__ import annotations

from typing import TypeVar

from moldau.client.aio.driver import Driver
from moldau.client.aio.pool import Pool
from moldau.client.core.context import ClientContext
from moldau.client.core.dialogue import Dialogue
from moldau.client.core.producing.prepared import (
    PreparedTransaction,
    end_prepared,
    fence,
    list_open,
)
from moldau.client.settings.client import ClientSettings, Servers, settings_of
from moldau.client.sync.own_loop import OwnLoop
from moldau.platform.closing import Closing

__all__ = ["Transactions"]

Result = TypeVar("Result")


class Transactions(Closing):
    """Prepared transactions of one cluster; use it in a `with`, or close it."""

    def __init__(self, servers: Servers, **settings: object) -> None:
        self.settings = settings_of(ClientSettings, servers, settings)
        self._loop = OwnLoop("moldau-transactions", "the connection")
        world = self._loop.world
        self._context = ClientContext(self.settings, world.random)
        self._loop.call(self._open)

    def __repr__(self) -> str:
        return f"<Transactions of {','.join(self.settings.bootstrap_servers)}>"

    def end(self, prepared: PreparedTransaction, *, commits: bool) -> None:
        """Commit or abort it; doing the same again changes nothing.

        `FencedError` where it has ended otherwise: by its timeout, or by a successor.
        """
        self._hold(end_prepared(self._context, prepared, self._now_ms(), commits=commits))

    def fence(self, name: str) -> None:
        """Abort what is open under this transactional id, and shut out who wrote it."""
        self._hold(fence(self._context, name, self._now_ms()))

    def open_names(self) -> list[str]:
        """The transactional ids whose transactions are neither committed nor aborted."""
        return self._hold(list_open(self._context, self._now_ms()))

    def close(self) -> None:
        """Nothing that was committed is taken back."""
        self._loop.close(self._close)

    def _now_ms(self) -> int:
        return self._loop.world.now_ms()

    def _hold(self, dialogue: Dialogue[Result]) -> Result:
        return self._loop.call(lambda: self._driver.hold(dialogue))

    async def _open(self) -> None:
        self._pool = Pool(self._loop.world, self._context)
        timeout_ms = self.settings.default_api_timeout_ms
        self._driver = Driver(self._loop.world, self._pool, timeout_ms)

    async def _close(self) -> None:
        self._pool.close()
