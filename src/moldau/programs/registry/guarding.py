"""The routes of a registry for users of the cluster, each with own rights.

It is imported where users log in: no other registry needs to know what a login is.
"""

from __future__ import annotations

from collections.abc import Mapping

from moldau.platform.ports.clock import Clock
from moldau.platform.ports.network import Network
from moldau.platform.ports.tasks import Tasks
from moldau.programs.http.front import Front
from moldau.programs.http.routes import Router
from moldau.programs.registry.api.scope import Scope
from moldau.programs.registry.delegated import delegations
from moldau.programs.registry.login_router import LoginRouter
from moldau.programs.registry.logins import Login, ensure_logins, login_settings
from moldau.programs.registry.tenant import RegistryTenant

__all__ = ["ensure_logins", "guarded"]


def guarded(
    routes: Router,
    scope: Scope,
    client: Mapping[str, str],
    network: Network,
    tasks: Tasks,
    clock: Clock,
    front: Front,
) -> LoginRouter:
    """`client` has the settings with which the registry itself reaches the cluster."""

    def tenant(login: Login) -> RegistryTenant:
        return RegistryTenant(login_settings(client, login), routes, scope, clock)

    delegated = delegations(network, client, clock)
    return LoginRouter(tasks, clock, tenant, front.users, delegated)
