"""What one user of a registry has: a client that has logged in, and routes behind its rights."""

from __future__ import annotations

from collections.abc import Mapping

from moldau.client import AsyncAdmin
from moldau.platform.ports.clock import Clock
from moldau.programs.http.routes import Router
from moldau.programs.registry.access import Access, AccessRouter, AdminRights
from moldau.programs.registry.api.scope import Scope

__all__ = ["RegistryTenant"]

CLIENT = {"client.id": "moldau-registry", "default.api.timeout.ms": "30000"}
"""A caller of HTTP waits less long than a program does."""


class RegistryTenant:
    """With the settings of a client that logs in as the user."""

    def __init__(
        self, client: Mapping[str, str], routes: Router, scope: Scope, clock: Clock
    ) -> None:
        self._admin = AsyncAdmin({**CLIENT, **client})
        self._has_started = False
        self.users = 0
        """Requests that are being answered."""
        self.router: Router = AccessRouter(routes, scope, Access(AdminRights(self._admin), clock))

    @property
    def is_used(self) -> bool:
        return self.users > 0

    async def log_in(self) -> None:
        """Return where the cluster knows the user, or `RefusedError`."""
        self._admin.start()
        self._has_started = True
        await self._admin.describe_cluster()

    async def close(self) -> None:
        if self._has_started:
            await self._admin.close()
