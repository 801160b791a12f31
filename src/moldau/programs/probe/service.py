"""A probe whose figures are served: what probes, and the listener of `/metrics`."""

from __future__ import annotations

import logging

from moldau.platform.ports.clock import Clock
from moldau.platform.ports.network import Address, Network
from moldau.platform.ports.tasks import Tasks
from moldau.programs.http.messages import Request, Response
from moldau.programs.http.routes import Route, Router
from moldau.programs.http.server import HttpServer
from moldau.programs.probe.figures import MEDIA_TYPE
from moldau.programs.probe.prober import Prober, ProbeSettings

__all__ = ["ProbeService"]

log = logging.getLogger(__name__)


class ProbeService:
    """Started once, and stopped once."""

    def __init__(
        self,
        settings: ProbeSettings,
        network: Network,
        tasks: Tasks,
        clock: Clock,
        run_id: str,
    ) -> None:
        self.prober = Prober(settings, tasks, clock, run_id)
        self._network = network
        self._tasks = tasks
        self._server = HttpServer(Router([Route("GET", "/metrics", self._metrics)]), tasks, clock)

    @property
    def address(self) -> Address:
        return self._server.address

    async def start(self, address: Address) -> None:
        await self._server.open(self._network, address)
        self._tasks.spawn("probe", self.prober.run())
        log.info("What the probe measures is at %s/metrics", self._server.url)

    async def stop(self) -> None:
        self._server.close()
        self.prober.stop()

    def _metrics(self, _request: Request) -> Response:
        return Response(self.prober.figures.text(), 200, MEDIA_TYPE)
