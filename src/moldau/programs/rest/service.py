"""A proxy that serves: its clients, its routes and its listener."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace

from moldau.client.schemas.calls import RegistryCalls
from moldau.client.schemas.settings import RegistrySettings
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.network import Address, Network
from moldau.platform.ports.randomness import Random
from moldau.platform.ports.tasks import Tasks
from moldau.programs.http.front import Front, Rates
from moldau.programs.http.limits import Limits
from moldau.programs.http.server import HttpServer
from moldau.programs.registry.logins import (
    Login,
    LoginRouter,
    authorization_of,
    ensure_logins,
    login_settings,
)
from moldau.programs.rest.bodies import MEDIA_TYPE
from moldau.programs.rest.refusals import refused
from moldau.programs.rest.schemas import Schemas
from moldau.programs.rest.tenant import Tenant
from moldau.programs.rest.v3.produce import is_streamed

__all__ = ["RestService"]

log = logging.getLogger(__name__)


class RestService:
    """Started once, and stopped once."""

    def __init__(
        self,
        client: Mapping[str, str],
        network: Network,
        tasks: Tasks,
        clock: Clock,
        random: Random,
        *,
        registry: RegistrySettings | None = None,
        with_logins: bool = False,
        registry_logs_in: bool = False,
        front: Front | None = None,
    ) -> None:
        """`client` has settings of clients, by Kafka's names.

        `registry` has the schemas of records; all users share it, unless it has the same users.
        With logins each request has to show a user and a password of the cluster, which replace
        those of `client`.
        """

        def own_schemas(login: Login) -> Schemas:
            if registry is None or not registry_logs_in:
                return schemas
            shown = replace(registry, authorization=authorization_of(login))
            return Schemas(RegistryCalls(shown, network, tasks))

        calls = None if registry is None else RegistryCalls(registry, network, tasks)
        schemas = Schemas(calls)
        self._tenant = Tenant(client, tasks, clock, random, schemas)
        front = front or Front()
        self._logins = None
        if with_logins:
            self._logins = _logins(client, tasks, clock, random, own_schemas, front.users)
        self._network = network
        self._server = HttpServer(
            self._logins or self._tenant.router,
            tasks,
            clock,
            limits=Limits(),
            error_media_type=MEDIA_TYPE,
            refused=refused,
            streams=is_streamed,
            front=front,
        )

    @property
    def address(self) -> Address:
        return self._server.address

    async def start(self, address: Address) -> None:
        """Return when it serves; that the cluster answers is known by then."""
        if self._logins is None:
            await self._tenant.clients.cluster_id()
        await self._server.open(self._network, address)
        log.info("Topics are at %s", self._server.url)

    async def stop(self) -> None:
        self._server.close()
        if self._logins is not None:
            await self._logins.close()
        await self._tenant.close()


def _logins(
    client: Mapping[str, str],
    tasks: Tasks,
    clock: Clock,
    random: Random,
    schemas: Callable[[Login], Schemas],
    rates: Rates | None,
) -> LoginRouter:
    """Each user's clients log in as that user."""
    ensure_logins(client)

    def tenant(login: Login) -> Tenant:
        return Tenant(login_settings(client, login), tasks, clock, random, schemas(login))

    return LoginRouter(tasks, tenant, rates)
