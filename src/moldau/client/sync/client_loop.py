"""Where the coroutines of a blocking client run."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Protocol, TypeVar

from moldau.client.aio.world import ClientWorld

__all__ = ["ClientLoop"]

Value = TypeVar("Value")


class ClientLoop(Protocol):
    """Until it is closed."""

    world: ClientWorld

    def call(self, work: Callable[[], Coroutine[Any, Any, Value]]) -> Value:
        """Run it there and wait; `ClosedError` where nothing runs any more."""
        ...

    def close(self, last: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do this as the last thing; doing it again does nothing."""
        ...
