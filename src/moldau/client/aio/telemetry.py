"""Runs the pushing of a client's metrics."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from moldau.client.aio.driver import Driver
from moldau.client.aio.pool import Pool
from moldau.client.aio.world import ClientWorld
from moldau.client.core.context import ClientContext
from moldau.client.core.dialogue import Ask
from moldau.client.core.telemetry.pushing import Pushing
from moldau.client.errors import ClientError, UnresolvedError
from moldau.platform.ports.tasks import Task

__all__ = ["TelemetryRunner"]

LAST_PUSH_MS = 500
"""The end of a client waits no longer for it."""


class TelemetryRunner:
    """Runs the pushes of a client's metrics, from its first record or topic on."""

    def __init__(
        self,
        world: ClientWorld,
        context: ClientContext,
        pool: Pool,
        kind: str,
        resource: Mapping[str, str | None],
    ) -> None:
        self._world = world
        self._pool = pool
        self._driver = Driver(world, pool, context.settings.request_timeout_ms)
        named = {name: text for name, text in resource.items() if text}
        self._pushing = Pushing(context, kind, named, world.clock.now_ms)
        self._task: Task | None = None

    def start(self) -> None:
        """Once; doing it again does nothing."""
        if self._task is None:
            self._task = self._world.tasks.spawn("telemetry", self._run())

    def stop(self) -> None:
        """Now."""
        if self._task is not None:
            self._task.cancel()

    async def end(self) -> None:
        """With a last push, if anything is wanted."""
        self.stop()
        request = self._pushing.last(self._world.now_ms())
        if request is None:
            return
        try:
            async with self._world.tasks.deadline(LAST_PUSH_MS):
                await self._pool.ask(Ask(request))
        except (ClientError, TimeoutError):
            return

    async def _run(self) -> None:
        with suppress(UnresolvedError):  # the client's own calls meet it too
            await self._driver.hold(self._pushing.run())
