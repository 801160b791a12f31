"""Lags that are served: what follows the cluster, the routes, and their listener."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from moldau.platform.ports.clock import Clock
from moldau.platform.ports.network import Address, Network
from moldau.platform.ports.tasks import Tasks
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.http.routes import Router
from moldau.programs.http.server import HttpServer
from moldau.programs.lag.api import BurrowApi, Served
from moldau.programs.lag.following import LagFollower
from moldau.programs.lag.state import LagRules, LagState

__all__ = ["LagService", "LagSettings"]

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class LagSettings:
    """Which cluster, and how closely it is looked at."""

    client: Mapping[str, str]
    """Settings of the clients, by Kafka's names."""
    cluster: str = "local"
    """The name of the cluster in paths and metrics."""
    host: str = ""
    """The name of this machine, which answers repeat."""
    refresh_ms: int = 10_000
    """Between two looks at the ends of the logs."""
    rules: LagRules


class LagService:
    """Started once, and stopped once."""

    def __init__(self, settings: LagSettings, network: Network, tasks: Tasks, clock: Clock) -> None:
        self.settings = settings
        self.state = LagState(settings.rules)
        self._network = network
        self._tasks = tasks
        self._follower = LagFollower(settings.client, self.state, tasks, clock, settings.refresh_ms)
        served = Served(
            cluster=settings.cluster,
            host=settings.host,
            servers=settings.client["bootstrap.servers"].split(","),
            refresh_ms=settings.refresh_ms,
            state=self.state,
            now_ms=clock.now_ms,
            is_ready=lambda: self._follower.is_ready,
        )
        self._server = HttpServer(Router(BurrowApi(served).routes()), tasks, clock)

    @property
    def address(self) -> Address:
        return self._server.address

    async def start(self, address: Address) -> None:
        """Return when it serves; whether all is known is at `/burrow/admin/ready`."""
        await self._server.open(self._network, address)
        self._tasks.spawn("lags", self._follower.run())
        log.info("Lags are at %s", self._server.url)

    async def stop(self) -> None:
        self._server.close()
        self._follower.stop()
