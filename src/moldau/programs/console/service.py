"""A console that serves: its users, its guard and its listener."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from moldau.client.schemas import RegistryCalls, RegistryError
from moldau.config.refusals import SettingError
from moldau.errors import MoldauError
from moldau.network.outgoing.web import Web, terms_of_options
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.network import Address, Network
from moldau.platform.ports.randomness import Random
from moldau.platform.ports.tasks import Tasks
from moldau.programs.console.audit import Audit
from moldau.programs.console.decoding import SchemaReadings
from moldau.programs.console.guard import LOOPBACK, GuardedFront, GuardedRouter
from moldau.programs.console.oidc import OidcProvider, OidcSettings
from moldau.programs.console.reach import ConsoleSettings
from moldau.programs.console.search.routes import SearchesOfAll
from moldau.programs.console.sessions import SessionRouter
from moldau.programs.console.tenant import ConsoleTenant
from moldau.programs.http.limits import Limits
from moldau.programs.http.messages import HttpError
from moldau.programs.http.routes import Router
from moldau.programs.http.server import HttpServer
from moldau.programs.registry.delegated import delegations
from moldau.programs.registry.login_router import LoginRouter
from moldau.programs.registry.logins import Kind, Login, authorization_of, login_settings
from moldau.programs.rest.refusals import refused

__all__ = ["ConsoleService"]

log = logging.getLogger(__name__)

UNAUTHORIZED: Final = 401
FORBIDDEN: Final = 403


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
        oidc: OidcSettings | None = None,
        random: Random | None = None,
    ) -> None:
        """`client` has settings of clients, by Kafka's names.

        With logins each request has to show a user and a password of the cluster, which replace
        those of `client`, or a certificate, for which `client` gets a token. With `oidc` a browser
        gets its user's token by logging in at an identity provider, with secrets of `random`.
        """
        self._client = client
        self._settings = settings
        self._network = network
        self._tasks = tasks
        self._clock = clock
        self._audit = Audit(clock)
        self._schemas = self._made_schemas()
        self._searches = SearchesOfAll()
        is_open = not with_logins and oidc is None
        self._tenant = self._made(client) if is_open else None
        self._logins = self._made_logins() if with_logins or oidc is not None else None
        self._sessions = None if oidc is None else self._made_sessions(oidc, random)
        self._server: HttpServer

    @property
    def address(self) -> Address:
        return self._server.address

    async def start(self, address: Address) -> None:
        """Return when it serves, whether the cluster answers or not: a page shows that."""
        inner: Router
        if self._sessions is not None:
            inner = self._sessions
        elif self._logins is not None:
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
            refused=_refused,
            front=GuardedFront(),
        )
        await self._server.open(self._network, address)
        log.info("The console is at %s", self._server.url)

    async def stop(self) -> None:
        self._server.close()
        await self._searches.close()
        if self._logins is not None:
            await self._logins.close()
        if self._tenant is not None:
            await self._tenant.close()

    def _made(self, client: Mapping[str, str], login: Login | None = None) -> ConsoleTenant:
        user = None if login is None else login.principal
        return ConsoleTenant(
            client,
            self._settings,
            self._audit,
            self._tasks,
            self._clock,
            user,
            self._schemas,
            self._made_registry(login),
            self._searches,
        )

    def _made_registry(self, login: Login | None) -> RegistryCalls | None:
        """Who logs in here does so at the registry too; one without logins does not look."""
        settings = self._settings.registry
        if settings is None:
            return None
        if login is not None:
            if login.kind is Kind.DELEGATED:
                return None  # its secret is one of the cluster's, and no password there
            settings = replace(settings, authorization=authorization_of(login))
        return RegistryCalls(settings, self._network, self._tasks)

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
            return self._made(login_settings(self._client, login), login)

        delegated = delegations(self._network, self._client, self._clock)
        return LoginRouter(self._tasks, self._clock, made, None, delegated)

    def _made_sessions(self, oidc: OidcSettings, random: Random | None) -> SessionRouter:
        assert self._logins is not None, "it shows the tokens there"
        assert random is not None, "sessions have secrets"
        web = Web(network=self._network, tasks=self._tasks, terms=terms_of_options(oidc.tls))
        return SessionRouter(
            self._logins, OidcProvider(oidc, web, self._clock), self._clock, random
        )


def _refused(error: MoldauError) -> HttpError:
    """As by the REST proxy, but for a registry's own refusals, which name their cause.

    A browser must not ask for a password because the registry wants one: that is a 403 here.
    """
    if isinstance(error, RegistryError):
        status = FORBIDDEN if error.status == UNAUTHORIZED else error.status
        return HttpError(status, f"The registry refuses it: {error.message}")
    return refused(error)
