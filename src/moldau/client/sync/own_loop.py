"""A loop in the background with the world of one client on it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from moldau.client.aio.world import ClientWorld
from moldau.client.errors import CallBackError, ClosedError
from moldau.platform.system.background import Background, BackgroundEndedError
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.kerberos import SystemKerberos
from moldau.platform.system.network import SystemNetwork
from moldau.platform.system.randomness import SystemRandom

__all__ = ["OwnLoop"]

Value = TypeVar("Value")


class OwnLoop:
    """Runs until it is closed."""

    def __init__(self, name: str, what: str) -> None:
        self._what = what
        self._background: Background | None = Background(name)
        self._network: SystemNetwork
        self.world: ClientWorld
        self.call(self._open)

    @property
    def background(self) -> Background:
        if self._background is None:
            raise ClosedError(self._what)
        return self._background

    def ensure_elsewhere(self) -> None:
        """Raise where this thread is the loop's own, in which nothing can wait for it."""
        if self._background is not None and self._background.is_here:
            raise CallBackError(self._what)

    def call(self, work: Callable[[], Coroutine[Any, Any, Value]]) -> Value:
        """Run it there and wait; `ClosedError` where nothing runs any more."""
        self.ensure_elsewhere()
        try:
            return self.background.call(work)
        except BackgroundEndedError as ended:
            raise self.closed(ended) from ended

    def closed(self, ended: BackgroundEndedError) -> ClosedError:
        """With what ended the loop, where that was an error."""
        cause = ended.__cause__
        if cause is None and self._background is not None:
            cause = self._background.failure
        return ClosedError(self._what, cause)

    def wait_for(
        self,
        begin: Callable[[Callable[[], None]], None],
        timeout: float | None,
        begin_here: Callable[[Callable[[], None]], bool],
    ) -> bool:
        """Have `begin` called there with what to call when it is done; whether it was in time.

        `begin_here` is called in this thread, and returns False where that is not enough.
        """
        self.ensure_elsewhere()
        try:
            return self.background.wait_for(begin, timeout, begin_here)
        except BackgroundEndedError as ended:
            raise self.closed(ended) from ended

    def post(self, action: Callable[[], None]) -> None:
        """Have it done there, without waiting."""
        if self._background is not None:
            self._background.post(action)

    def end_after(self, last: Callable[[], Coroutine[Any, Any, None]]) -> bool:
        """The same without waiting, for a client that is forgotten; False if it was closed."""
        return self._background is not None and self._background.end_after(last)

    def close(self, last: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do this as the last thing; what it raises is raised when all has ended."""
        self.ensure_elsewhere()
        background, self._background = self._background, None
        if background is None:
            return
        try:
            with suppress(BackgroundEndedError):
                background.call(last)
        finally:
            background.close()

    async def _open(self) -> None:
        self._network = SystemNetwork()
        self.background.at_end(self._network.close)
        self.world = ClientWorld(
            self._network,
            SystemClock(),
            SystemRandom(),
            self.background.tasks,
            SystemFiles(),
            SystemKerberos(),
        )
