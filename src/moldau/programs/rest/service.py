"""A proxy that serves: its clients, its routes and its listener."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from moldau.platform.ports.clock import Clock
from moldau.platform.ports.network import Address, Network
from moldau.platform.ports.tasks import Tasks
from moldau.programs.http.limits import Limits
from moldau.programs.http.routes import Router
from moldau.programs.http.server import HttpServer
from moldau.programs.rest.bodies import MEDIA_TYPE
from moldau.programs.rest.clients import Clients
from moldau.programs.rest.refusals import refused
from moldau.programs.rest.scope import Scope
from moldau.programs.rest.v3.table import v3_routes

__all__ = ["RestService"]

log = logging.getLogger(__name__)


class RestService:
    """Started once, and stopped once."""

    def __init__(
        self, client: Mapping[str, str], network: Network, tasks: Tasks, clock: Clock
    ) -> None:
        """`client` has settings of clients, by Kafka's names."""
        self._clients = Clients(client)
        self._network = network
        scope = Scope(self._clients)
        self._server = HttpServer(
            Router(v3_routes(scope)),
            tasks,
            clock,
            limits=Limits(),
            error_media_type=MEDIA_TYPE,
            refused=refused,
        )

    @property
    def address(self) -> Address:
        return self._server.address

    async def start(self, address: Address) -> None:
        """Return when it serves; that the cluster answers is known by then."""
        await self._clients.cluster_id()
        await self._server.open(self._network, address)
        log.info("Topics are at http://%s", self._server.address)

    async def stop(self) -> None:
        self._server.close()
        await self._clients.close()
