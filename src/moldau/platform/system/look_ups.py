"""Names of hosts, looked up beside the loop.

The resolver blocks, for many seconds where no server of names answers, and cannot be interrupted.
asyncio asks it in a thread of its executor, and the end of the loop, like that of Python, waits for
such a thread. These are waited for by none: who needs the answer no more leaves the thread behind.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeAlias

from moldau.errors import NetworkError
from moldau.platform.ports.network import Address
from moldau.platform.system.places import Place, places_of, written_out

__all__ = ["LookUps"]

LOOK_UPS_MAX = 16
"""Threads at a time, also of those that were left behind; then one waits until another ends."""
_Outcome: TypeAlias = list[Place] | NetworkError


class LookUps:
    """Those of one network; used on one loop."""

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(LOOK_UPS_MAX)

    async def places_of(self, address: Address) -> list[Place]:
        """All that it stands for; what is in digits needs no thread."""
        if places := written_out(address):
            return places
        await self._free.acquire()
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[list[Place]] = loop.create_future()
        ended = partial(self._ended, answer)

        def hand_back(outcome: _Outcome) -> None:
            loop.call_soon_threadsafe(ended, outcome)

        threading.Thread(
            target=_look_up, args=(address, hand_back), name="look-up", daemon=True
        ).start()
        return await answer

    def _ended(self, answer: asyncio.Future[list[Place]], outcome: _Outcome) -> None:
        self._free.release()
        if answer.done():  # it was cancelled, and the thread left behind
            return
        if isinstance(outcome, NetworkError):
            answer.set_exception(outcome)
        else:
            answer.set_result(outcome)


def _look_up(address: Address, hand_back: Callable[[_Outcome], object]) -> None:
    outcome: _Outcome
    try:
        outcome = places_of(address)
    except NetworkError as error:
        outcome = error
    with suppress(RuntimeError):  # the loop has been closed
        hand_back(outcome)
