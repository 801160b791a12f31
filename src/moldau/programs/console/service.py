"""A console that serves: its users, its guard and its listener."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from moldau.client.schemas import RegistryCalls
from moldau.config.refusals import SettingError
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.network import Address, Network
from moldau.platform.ports.tasks import Tasks
from moldau.programs.console.audit import Audit
from moldau.programs.console.decoding import SchemaReadings
from moldau.programs.console.guard import LOOPBACK, GuardedRouter
from moldau.programs.console.reach import ConsoleSettings
from moldau.programs.console.tenant import ConsoleTenant
from moldau.programs.http.limits import Limits
from moldau.programs.http.routes import Router
from moldau.programs.http.server import HttpServer
from moldau.programs.registry.logins import Login, LoginRouter, login_settings
from moldau.programs.rest.refusals import refused

__all__ = ["ConsoleService"]

log = logging.getLogger(__name__)


class ConsoleService:
    """Started once, and stopped once."""

    def __init__(
        self,
        client: Mapping[str, str],
        settings: ConsoleSettings,
        network: Network,
        tasks: Tasks,
        clock: Clock,
        *,
        with_logins: bool = False,
    ) -> None:
        """`client` has settings of clients, by Kafka's names.

        With logins each request has to show a user and a password of the cluster, which replace
        those of `client`.
        """
        self._client = client
        self._settings = settings
        self._network = network
        self._tasks = tasks
        self._clock = clock
        self._audit = Audit(clock)
        self._schemas = self._made_schemas()
        self._tenant = None if with_logins else self._made(client)
        self._logins = self._made_logins() if with_logins else None
        self._server: HttpServer

    @property
    def address(self) -> Address:
        return self._server.address

    async def start(self, address: Address) -> None:
        """Return when it serves, whether the cluster answers or not: a page shows that."""
        inner: Router
        if self._logins is not None:
            inner = self._logins
        else:
            assert self._tenant is not None
            inner = self._tenant.router
        only_loopback = self._logins is None and address.host in LOOPBACK
        self._server = HttpServer(
            GuardedRouter(inner, only_loopback=only_loopback),
            self._tasks,
            self._clock,
            limits=Limits(),
            refused=refused,
        )
        await self._server.open(self._network, address)
        log.info("The console is at %s", self._server.url)

    async def stop(self) -> None:
        self._server.close()
        if self._logins is not None:
            await self._logins.close()
        if self._tenant is not None:
            await self._tenant.close()

    def _made(self, client: Mapping[str, str], user: str | None = None) -> ConsoleTenant:
        return ConsoleTenant(
            client, self._settings, self._audit, self._tasks, self._clock, user, self._schemas
        )

    def _made_schemas(self) -> SchemaReadings | None:
        """The same for all users: a schema is no secret of one of them."""
        registry = self._settings.registry
        if registry is None:
            return None
        return SchemaReadings(RegistryCalls(registry, self._network, self._tasks), self._clock)

    def _made_logins(self) -> LoginRouter:
        """Each user's clients log in as that user."""
        if not self._client.get("security.protocol", "").upper().startswith("SASL"):
            raise SettingError(
                "logins are for a cluster whose clients log in: set security.protocol to SASL_SSL "
                "or SASL_PLAINTEXT, and sasl.mechanism"
            )

        def made(login: Login) -> ConsoleTenant:
            return self._made(login_settings(self._client, login), login.user)

        return LoginRouter(self._tasks, made)
