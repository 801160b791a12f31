"""Ends transactions that other producers prepared, or left behind.

with Transactions("localhost:9092") as transactions:
    transactions.end(prepared, commits=True)
"""

from __future__ import annotations

from moldau.client.aio.transactions import AsyncTransactions
from moldau.client.core.producing.prepared import PreparedTransaction
from moldau.client.settings.client import Servers
from moldau.client.sync.own_loop import OwnLoop
from moldau.platform.closing import Closing

__all__ = ["Transactions"]


class Transactions(Closing):
    """Prepared transactions of one cluster; use it in a `with`, or close it."""

    def __init__(self, servers: Servers, **settings: object) -> None:
        self._inner = AsyncTransactions(servers, **settings)
        self._loop = OwnLoop("moldau-transactions", "the connection")
        self._loop.call(self._open)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {','.join(self._inner.settings.bootstrap_servers)}>"

    def end(self, prepared: PreparedTransaction, *, commits: bool) -> None:
        """Commit or abort it; doing the same again changes nothing.

        `FencedError` where it was aborted by its timeout or by a successor, and `TransactionError`
        where a program has ended it the other way.
        """
        self._loop.call(lambda: self._inner.end(prepared, commits=commits))

    def fence(self, name: str) -> None:
        """Abort what is open under this transactional id, and shut out who wrote it."""
        self._loop.call(lambda: self._inner.fence(name))

    def open_names(self) -> list[str]:
        """The transactional ids whose transactions are neither committed nor aborted."""
        return self._loop.call(self._inner.open_names)

    def close(self) -> None:
        """Nothing that was committed is taken back."""
        self._loop.close(self._inner.close)

    async def _open(self) -> None:
        self._inner.begin_in(self._loop.world)
