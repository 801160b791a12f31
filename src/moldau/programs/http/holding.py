"""Responses and sockets that go on, and end when their login does.

What is streamed is looked at piece by piece, on its way out and in. A socket is looked at from time
to time, also while nothing is sent.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from typing import TypeAlias

from moldau.errors import MoldauError
from moldau.platform.ports.tasks import Tasks
from moldau.programs.http.messages import Response, Upgrade
from moldau.programs.http.websocket.frames import CloseCode
from moldau.programs.http.websocket.socket import WebSocket

__all__ = ["Ensure", "held_pieces", "held_response"]

Ensure: TypeAlias = Callable[[], Awaitable[object]]
"""Return while the login holds; or `MoldauError`."""


def held_response(
    response: Response, ensure: Ensure, tasks: Tasks, wait_ms: Callable[[], float]
) -> Response:
    """The same, for as long as `ensure` allows; a socket asks it after each `wait_ms()`."""
    if response.pieces is not None:
        response.pieces = held_pieces(response.pieces, ensure)
    if response.upgrade is not None:
        response.upgrade = _held_upgrade(response.upgrade, ensure, tasks, wait_ms)
    return response


async def held_pieces(pieces: AsyncIterator[bytes], ensure: Ensure) -> AsyncGenerator[bytes, None]:
    try:
        async for piece in pieces:
            await ensure()
            yield piece
    finally:
        close = getattr(pieces, "aclose", None)
        if close is not None:
            await close()


def _held_upgrade(
    upgrade: Upgrade, ensure: Ensure, tasks: Tasks, wait_ms: Callable[[], float]
) -> Upgrade:
    async def watch(socket: WebSocket) -> None:
        while not socket.is_over:
            await tasks.sleep(wait_ms())
            try:
                await ensure()
            except MoldauError as error:
                socket.close(CloseCode.POLICY_VIOLATION, str(error))

    async def run(socket: WebSocket) -> None:
        watching = tasks.spawn("the login of a socket", watch(socket))
        try:
            await upgrade.run(socket)
        finally:
            watching.cancel()

    return Upgrade(run, upgrade.takes_messages)
