"""What a user of a registry has ends in order, also where it never began."""

from __future__ import annotations

import asyncio

from moldau.platform.simulated.clock import SimulatedClock
from moldau.programs.http.routes import Router
from moldau.programs.registry.access import AccessRouter
from moldau.programs.registry.tenant import RegistryTenant


def test_its_routes_are_behind_the_users_rights(ask):
    async def scenario():
        client = {"bootstrap.servers": "127.0.0.1:1"}
        tenant = RegistryTenant(client, Router(()), ask.scope, SimulatedClock())
        await tenant.close()
        return tenant

    tenant = asyncio.run(scenario())
    assert isinstance(tenant.router, AccessRouter)
    assert not tenant.is_used
