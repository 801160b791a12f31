"""Reaching whichever of several brokers answers first, without asking all of them.

One that refuses is passed over at once. One that does not answer is not waited for alone: a stopped
process accepts connections and never answers, and a host that is cut off does not even that. Only
`request.timeout.ms` would end such a try, so after a moment the next broker is tried beside it
(RFC 8305 does that with the addresses of one host). The first that is ready is taken, and the other
tries are given up.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final

from moldau.client.errors import UnreachableError
from moldau.errors import MoldauError
from moldau.network.outgoing.dialer import Connection
from moldau.platform.ports.network import Address
from moldau.platform.ports.tasks import Promise, Task, Tasks

__all__ = ["NEXT_AFTER_MS", "first_reached"]

NEXT_AFTER_MS: Final = 1_000
"""More than a login over a slow network takes."""


async def first_reached(
    tasks: Tasks, addresses: Sequence[Address], reach: Callable[[Address], Awaitable[Connection]]
) -> Connection:
    """The first that is ready; `UnreachableError` names all where none is."""
    if len(addresses) == 1:
        return await reach(addresses[0])
    return await _Tries(tasks, reach).run(addresses)


class _Tries:
    """What has come of each."""

    def __init__(self, tasks: Tasks, reach: Callable[[Address], Awaitable[Connection]]) -> None:
        self._tasks = tasks
        self._reach = reach
        self._begun: list[Task] = []
        self._open = 0
        self._connection: Connection | None = None
        self._error: MoldauError | None = None
        """Of a broker that was reached and refuses: the others would too."""
        self._reasons: dict[str, str] = {}
        self._news: Promise[None] = tasks.promise()

    async def run(self, addresses: Sequence[Address]) -> Connection:
        left = list(addresses)
        try:
            while left or self._open:
                if left:
                    self._begin(left.pop(0))
                await self._wait_for_news(is_last=not left)
                if self._connection is not None:
                    return self._connection
                if self._error is not None:
                    raise self._error
        finally:
            for task in self._begun:
                task.cancel()
        where = ", ".join(self._reasons)
        raise UnreachableError(where, " / ".join(dict.fromkeys(self._reasons.values())))

    def _begin(self, address: Address) -> None:
        self._open += 1
        self._begun.append(self._tasks.spawn(f"reach-{address}", self._try(address)))

    async def _wait_for_news(self, *, is_last: bool) -> None:
        if is_last:
            await self._news.wait()
        else:
            with suppress(TimeoutError):
                async with self._tasks.deadline(NEXT_AFTER_MS):
                    await self._news.wait()
        self._news = self._tasks.promise()

    async def _try(self, address: Address) -> None:
        try:
            connection = await self._reach(address)
            self._connection = self._connection or connection
        except UnreachableError as error:
            self._reasons[error.where] = error.reason
        except MoldauError as error:
            self._error = error
        self._open -= 1
        self._news.keep(None)
