"""What a shortcut is, and which APIs have one in which versions."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Protocol, cast

from moldau.network.connection import Connection
from moldau.server.broker import Broker
from moldau.server.call import Call

__all__ = ["Reader", "Shortcut", "shortcut_of"]

Reader = Callable[[Connection, memoryview], Call]
"""Makes a call of a frame, as for a handler."""


class Shortcut(Protocol):
    """For one API and version."""

    def find(self, connection: Connection, frame: memoryview, position: int) -> bytes | None:
        """The answer's body to a request whose body begins at `position`.

        None where the handler has to be asked, as where a quota is set; nothing has changed then.
        """
        ...


MakeShortcut = Callable[[Broker, int, Reader], Shortcut]

MODULES = {0: "produce", 3: "metadata"}
"""By API key: modules with a `make`."""
FLEXIBLE_FROM = 9
"""Both are flexible from the same version on; below it, clients are old and few."""


def shortcut_of(api_key: int, version: int, broker: Broker, read: Reader) -> Shortcut | None:
    """Where requests of this API and version may be answered without a call."""
    name = MODULES.get(api_key)
    if name is None or version < FLEXIBLE_FROM:
        return None
    make = cast(MakeShortcut, import_module(f"moldau.server.shortcuts.{name}").make)
    return make(broker, version, read)
