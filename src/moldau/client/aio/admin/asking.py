"""What all subjects of an asynchronous admin client share: it asks, and awaits what comes."""

from __future__ import annotations

from copy import copy
from typing import Self, TypeVar

from moldau.client.aio.driver import Driver
from moldau.client.aio.own_world import OwnWorld
from moldau.client.aio.pool import Pool
from moldau.client.aio.world import ClientWorld
from moldau.client.arguments.admin import limit_ms_of
from moldau.client.core.admin.calls import AdminCall, AdminContext
from moldau.client.core.dialogue import Dialogue
from moldau.client.errors import ClosedError
from moldau.client.settings.admin import AdminSettings
from moldau.client.settings.client import Servers, settings_of
from moldau.platform.closing import AsyncClosing

__all__ = ["AsyncAsking"]

Result = TypeVar("Result")


class AsyncAsking(AsyncClosing):
    """Lives on one loop."""

    def __init__(self, servers: Servers | None = None, **settings: object) -> None:
        self.settings = settings_of(AdminSettings, servers, settings)
        self._own: OwnWorld | None = None
        self._world: ClientWorld | None = None
        self._has_begun = False
        self._context: AdminContext
        self._pool: Pool
        self._driver: Driver
        self._timeout_ms: int | None = None

    def __repr__(self) -> str:
        addresses = ",".join(map(str, self.settings.addresses))
        return f"<{type(self).__name__} of {addresses}>"

    def start(self) -> None:
        """Begin, on the loop that runs; `async with` does it, and `close` ends it."""
        if self._own is None:
            self._own = OwnWorld(type(self).__name__, "moldau.Admin")
            self.begin_in(self._own.world)

    def begin_in(self, world: ClientWorld) -> None:
        """Begin in a world that the caller closes."""
        self._world = world
        self._has_begun = True
        self._context = AdminContext(self.settings, world.random)
        self._pool = Pool(world, self._context)
        self._driver = Driver(world, self._pool, self.settings.default_api_timeout_ms)

    def within(self, seconds: float) -> Self:
        """This client, whose calls may take so long instead of `default.api.timeout.ms`."""
        other = copy(self)
        other._timeout_ms = limit_ms_of(seconds)
        return other

    async def close(self) -> None:
        """End all that goes on; doing it again does nothing."""
        if self._world is not None:
            self._pool.close()
            self._world = None
        own, self._own = self._own, None
        if own is not None:
            await own.close()

    def _call(self) -> AdminCall:
        if self._world is None:
            raise ClosedError("the admin client", has_begun=self._has_begun)
        return AdminCall(self._context, self._world.now_ms(), self._timeout_ms)

    async def _hold(self, dialogue: Dialogue[Result]) -> Result:
        return await self._driver.hold(dialogue)
