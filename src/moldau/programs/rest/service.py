"""A proxy that serves: its clients, its routes and its listener."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Final
from urllib.parse import urlsplit

from moldau.client.schemas.calls import RegistryCalls
from moldau.client.schemas.settings import RegistrySettings
from moldau.config.client_tls import ClientTlsKeys
from moldau.network.outgoing.web import Web
from moldau.network.tls.terms import terms_of
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.network import Address, Network
from moldau.platform.ports.randomness import Random
from moldau.platform.ports.tasks import Tasks
from moldau.programs.http.front import Front
from moldau.programs.http.limits import Limits
from moldau.programs.http.server import HttpServer
from moldau.programs.registry.delegated import delegations
from moldau.programs.registry.login_router import LoginRouter
from moldau.programs.registry.logins import (
    Kind,
    Login,
    authorization_of,
    ensure_logins,
    login_settings,
)
from moldau.programs.registry.store import StoreSettings
from moldau.programs.rest.bodies import MEDIA_TYPE
from moldau.programs.rest.refusals import refused
from moldau.programs.rest.schemas import Schemas
from moldau.programs.rest.tenant import Tenant
from moldau.programs.rest.v2.homes import Homes, HomeTopic
from moldau.programs.rest.v3.produce import is_streamed

__all__ = ["RestService", "schemas_of"]

HOMES: Final = "_rest_consumers"
PROXIES: Final = "moldau-rest"
FORWARDED_MS_MAX: Final = 330_000
"""Longer than a request for records may wait."""
FORWARDED_SIZE_MAX: Final = 256 * 1024 * 1024
"""64 MiB of records are more in base64, and more again in JSON."""

log = logging.getLogger(__name__)

BY_CERTIFICATE: Final = (
    "The registry cannot be shown the certificate: log in with a password or a token for schemas"
)


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
        advertised: str | None = None,
    ) -> None:
        """`client` has settings of clients, by Kafka's names.

        `advertised` is where other proxies reach this one: each then answers for the consumers of
        all. Without a port it is that of the listener.

        `registry` has the schemas of records; all users share it, unless it has the same users.
        With logins each request has to show who its user is, by a password or a token, which
        replaces that of `client`, or by a certificate, for which `client` gets a token.
        """

        def own_schemas(login: Login) -> Schemas:
            if registry is None or not registry_logs_in:
                return schemas
            return schemas_of(login, registry, network, tasks)

        self._advertised = advertised
        homes = None if advertised is None else _homes(client, network, tasks, random)
        self._homes = homes
        calls = None if registry is None else RegistryCalls(registry, network, tasks)
        schemas = Schemas(calls)
        self._tenant = Tenant(client, tasks, clock, random, schemas, homes)
        front = front or Front()
        self._logins = None
        if with_logins:
            ensure_logins(client)

            def tenant(login: Login) -> Tenant:
                settings = login_settings(client, login)
                own = own_schemas(login)
                return Tenant(settings, tasks, clock, random, own, homes, login.principal)

            delegated = delegations(network, client, clock)
            self._logins = LoginRouter(tasks, clock, tenant, front.users, delegated)
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
            compresses=True,
        )

    @property
    def address(self) -> Address:
        return self._server.address

    async def start(self, address: Address) -> None:
        """Return when it serves; that the cluster answers is known by then."""
        if self._logins is None:
            await self._tenant.clients.cluster_id()
        await self._server.open(self._network, address)
        if self._homes is not None and self._advertised is not None:
            self._homes.own = _with_port(self._advertised, self._server.address.port)
        log.info("Topics are at %s", self._server.url)

    async def stop(self) -> None:
        self._server.close()
        if self._logins is not None:
            await self._logins.close()
        await self._tenant.close()
        if self._homes is not None:
            await self._homes.close()


def _homes(client: Mapping[str, str], network: Network, tasks: Tasks, random: Random) -> Homes:
    """Found in a topic, and asked by HTTP; by HTTPS with the authorities of the brokers."""
    store = HomeTopic(StoreSettings(client=client, topic=HOMES, group=PROXIES), tasks, random)
    web = Web(
        network=network,
        tasks=tasks,
        terms=terms_of(ClientTlsKeys(client)),
        read_timeout_ms=FORWARDED_MS_MAX,
        answer_size_max=FORWARDED_SIZE_MAX,
    )
    return Homes(store, web)


def _with_port(url: str, port: int) -> str:
    parts = urlsplit(url)
    if parts.port is not None:
        return url.rstrip("/")
    return f"{parts.scheme}://{parts.netloc}:{port}{parts.path.rstrip('/')}"


def schemas_of(login: Login, registry: RegistrySettings, network: Network, tasks: Tasks) -> Schemas:
    """As the user's: a delegation token is a secret of the cluster's, and no password there."""
    if login.kind is Kind.DELEGATED:
        return Schemas(None, BY_CERTIFICATE)
    shown = replace(registry, authorization=authorization_of(login))
    return Schemas(RegistryCalls(shown, network, tasks))
