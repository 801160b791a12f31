"""What all subjects of a blocking admin client share: it asks, and waits for what comes."""

from __future__ import annotations

from importlib import import_module
from typing import Self, TypeVar

from moldau.client.aio.driver import Driver
from moldau.client.aio.pool import Pool
from moldau.client.arguments.admin import limit_ms_of
from moldau.client.core.admin.calls import AdminCall, AdminContext
from moldau.client.core.dialogue import Dialogue
from moldau.client.settings.admin import AdminSettings
from moldau.client.settings.client import Servers, settings_of
from moldau.client.sync.client_loop import ClientLoop
from moldau.platform.closing import Closing

__all__ = ["NAME", "Asking"]

Result = TypeVar("Result")
NAME = "the admin client"
OWN_LOOP = "moldau.client.sync.own_loop"
"""Imported where one is made: it needs asyncio."""


class Asking(Closing):
    """Has a loop of its own in the background; several threads may call."""

    def __init__(self, servers: Servers | None = None, **settings: object) -> None:
        self.settings = settings_of(AdminSettings, servers, settings)
        self._loop = self._begin_loop()
        world = self._loop.world
        self._context = AdminContext(self.settings, world.random)
        try:
            self._pool = self._loop.call(self._open)
        except BaseException:
            self._loop.close(_nothing)
            raise
        self._driver = Driver(world, self._pool, self.settings.default_api_timeout_ms)
        self._timeout_ms: int | None = None

    def _begin_loop(self) -> ClientLoop:
        """In the background, so that several threads may call."""
        made: ClientLoop = import_module(OWN_LOOP).OwnLoop("moldau-admin", NAME)
        return made

    async def _open(self) -> Pool:
        """On the loop, for what TLS shares between connections belongs to one."""
        return Pool(self._loop.world, self._context)

    def __repr__(self) -> str:
        addresses = ",".join(map(str, self.settings.addresses))
        return f"<{type(self).__name__} of {addresses}>"

    def within(self, seconds: float) -> Self:
        """This client, whose calls may take so long instead of `default.api.timeout.ms`."""
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        other._timeout_ms = limit_ms_of(seconds)
        return other

    def close(self) -> None:
        """End all that goes on; doing it again does nothing."""
        self._loop.close(self._end)

    async def _end(self) -> None:
        self._pool.close()

    def _call(self) -> AdminCall:
        return AdminCall(self._context, self._loop.world.now_ms(), self._timeout_ms)

    def _hold(self, dialogue: Dialogue[Result]) -> Result:
        return self._loop.call(lambda: self._driver.hold(dialogue))


async def _nothing() -> None:
    """Where nothing was opened there is nothing to end."""
