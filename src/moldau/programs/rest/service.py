"""A proxy that serves: its clients, its routes and its listener."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from moldau.platform.ports.clock import Clock
from moldau.platform.ports.network import Address, Network
from moldau.platform.ports.randomness import Random
from moldau.platform.ports.tasks import Tasks
from moldau.programs.http.limits import Limits
from moldau.programs.http.server import HttpServer
from moldau.programs.rest.bodies import MEDIA_TYPE
from moldau.programs.rest.refusals import refused
from moldau.programs.rest.tenant import Tenant

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
    ) -> None:
        """`client` has settings of clients, by Kafka's names."""
        self._tenant = Tenant(client, tasks, clock, random)
        self._network = network
        self._server = HttpServer(
            self._tenant.router,
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
        await self._tenant.clients.cluster_id()
        await self._server.open(self._network, address)
        log.info("Topics are at http://%s", self._server.address)

    async def stop(self) -> None:
        self._server.close()
        await self._tenant.close()
