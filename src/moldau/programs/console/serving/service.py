"""A console that serves: its clusters, its guard and its listener."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from moldau.client.schemas.settings import RegistrySettings
from moldau.errors import MoldauError
from moldau.network.outgoing.web import Web, terms_of_options
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.network import Address, Network
from moldau.platform.ports.randomness import Random
from moldau.platform.ports.tasks import Tasks
from moldau.programs.console.api.refusals import refused_here
from moldau.programs.console.formats.declared import installed_formats
from moldau.programs.console.formats.offered import Formats
from moldau.programs.console.reach import ConsoleSettings
from moldau.programs.console.search.routes import SearchesOfAll
from moldau.programs.console.serving.clusters import ClusterRouter
from moldau.programs.console.serving.guard import LOOPBACK, GuardedFront, GuardedRouter
from moldau.programs.console.serving.oidc import OidcProvider, OidcSettings
from moldau.programs.console.serving.served import ServedCluster, ShownCluster, listed
from moldau.programs.console.serving.sessions import SessionRouter
from moldau.programs.console.values.masking import Masks
from moldau.programs.http.limits import Limits
from moldau.programs.http.routes import Router
from moldau.programs.http.server import HttpServer
from moldau.programs.rest.bodies import reply

__all__ = ["ConsoleService"]

log = logging.getLogger(__name__)


class ConsoleService:
    """Started once, and stopped once."""

    def __init__(
        self,
        clusters: Sequence[ShownCluster],
        network: Network,
        tasks: Tasks,
        clock: Clock,
        *,
        with_logins: bool = False,
        oidc: OidcSettings | None = None,
        random: Random | None = None,
        formats: Formats | None = None,
    ) -> None:
        """Clusters have names, but for one that stands alone, and `formats` in their settings.

        With logins each request has to show a user and a password of its cluster, which replace
        those of the cluster's `client`, or a certificate, for which that gets a token. With `oidc`
        a browser gets its user's token by logging in at an identity provider, with secrets of
        `random`.
        """
        self._network = network
        self._tasks = tasks
        self._clock = clock
        self._searches = SearchesOfAll()
        self._formats = formats or Formats()
        self._has_logins = with_logins or oidc is not None
        self._named: dict[str, ServedCluster] = {}
        self._clusters = [self._served(one) for one in clusters]
        self._router = self._made_router()
        if oidc is not None:
            self._router = self._made_sessions(oidc, random)
        self._server: HttpServer

    @classmethod
    def of_one_cluster(
        cls,
        client: Mapping[str, str],
        config_file: str | None,
        registry: RegistrySettings | None,
        network: Network,
        tasks: Tasks,
        clock: Clock,
    ) -> ConsoleService:
        """That of a node which serves it itself; `client` are settings of its clients."""
        formats = Formats(installed_formats(), must_load=False)  # a node starts whatever they do
        settings = ConsoleSettings(
            servers=client["bootstrap.servers"],
            config_file=config_file,
            masks=Masks(),
            registry=registry,
            formats=formats,
        )
        return cls([ShownCluster(client, settings)], network, tasks, clock, formats=formats)

    @property
    def address(self) -> Address:
        return self._server.address

    async def start(self, address: Address) -> None:
        """Return when it serves, whether the clusters answer or not: a page shows that.

        `SettingError` where a format cannot be loaded.
        """
        try:
            await self._formats.start(self._tasks)
        except MoldauError:
            await self._formats.close()
            raise
        only_loopback = not self._has_logins and address.host in LOOPBACK
        self._server = HttpServer(
            GuardedRouter(self._router, only_loopback=only_loopback),
            self._tasks,
            self._clock,
            limits=Limits(),
            refused=refused_here,
            front=GuardedFront(),
        )
        await self._server.open(self._network, address)
        log.info("The console is at %s", self._server.url)

    async def stop(self) -> None:
        self._server.close()
        await self._searches.close()
        await self._formats.close()
        for cluster in self._clusters:
            await cluster.close()

    def _served(self, shown: ShownCluster) -> ServedCluster:
        served = ServedCluster(
            shown,
            self._network,
            self._tasks,
            self._clock,
            self._searches,
            with_logins=self._has_logins,
            neighbours=self._named,
        )
        if shown.settings.cluster is not None:
            self._named[shown.settings.cluster] = served
        return served

    def _made_router(self) -> Router:
        if not self._named:
            return self._clusters[0].router
        routers = {name: one.router for name, one in self._named.items()}
        return ClusterRouter(routers, lambda: reply(listed(self._named)))

    def _made_sessions(self, oidc: OidcSettings, random: Random | None) -> SessionRouter:
        assert random is not None, "sessions have secrets"
        web = Web(network=self._network, tasks=self._tasks, terms=terms_of_options(oidc.tls))
        return SessionRouter(
            self._router, OidcProvider(oidc, web, self._clock), self._clock, random
        )
