"""One cluster that a console serves: what its users share, its users, and its routes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import Final, NamedTuple, cast

from moldau.client.schemas import RegistryCalls
from moldau.config.refusals import SettingError
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.network import Network
from moldau.platform.ports.tasks import Tasks
from moldau.programs.console.audit import Audit
from moldau.programs.console.reach import ConsoleSettings, Copies, Reach
from moldau.programs.console.search.routes import SearchesOfAll
from moldau.programs.console.serving.tenant import ConsoleTenant
from moldau.programs.console.values.decoding import SchemaReadings
from moldau.programs.http.messages import HttpError
from moldau.programs.http.routes import Router
from moldau.programs.registry.delegated import delegations
from moldau.programs.registry.login_router import LoginRouter
from moldau.programs.registry.logins import Kind, Login, authorization_of, login_settings

__all__ = ["ServedCluster", "ShownCluster", "listed"]

FORBIDDEN: Final = 403
UNSEEN: Final = (
    "You have not logged in at {0} with this name and password, or token: open {0} first"
)


class ShownCluster(NamedTuple):
    """A cluster that a console is to serve."""

    client: Mapping[str, str]
    """Settings of clients, by Kafka's names."""
    settings: ConsoleSettings


WHICH: Final = "the page All clusters has those that there are"


class _OfUser:
    """The neighbours that one user has."""

    def __init__(self, clusters: Mapping[str, ServedCluster], login: Login | None) -> None:
        self._clusters = clusters
        self._login = login

    def listed(self) -> Sequence[Mapping[str, object]]:
        return listed(self._clusters)

    def reach(self, name: str) -> AbstractAsyncContextManager[Reach]:
        found = self._clusters.get(name)
        if found is None:
            raise HttpError(404, f"This console has no cluster {name}: {WHICH}")
        return found.reach(self._login)


def listed(clusters: Mapping[str, ServedCluster]) -> list[Mapping[str, object]]:
    """As the API has them: nothing of them that a login would show."""
    return [
        {"name": name, "is_read_only": one.settings.read_only} for name, one in clusters.items()
    ]


class ServedCluster:
    """See the head of the file."""

    def __init__(
        self,
        shown: ShownCluster,
        network: Network,
        tasks: Tasks,
        clock: Clock,
        searches: SearchesOfAll,
        *,
        with_logins: bool,
        neighbours: Mapping[str, ServedCluster],
    ) -> None:
        """`searches` and `neighbours`, the named clusters, are the whole console's."""
        self.settings = shown.settings
        self._client = shown.client
        self._network = network
        self._tasks = tasks
        self._clock = clock
        self._searches = searches
        self._neighbours = neighbours
        self._copies = Copies()
        self._audit = Audit(clock, shown.settings.cluster)
        self._schemas = self._made_schemas()
        self._tenant = None if with_logins else self._made(shown.client)
        self._logins = self._made_logins() if with_logins else None

    def __repr__(self) -> str:
        return f"<{self.settings.cluster or 'the cluster'} at {self.settings.servers}>"

    @property
    def router(self) -> Router:
        if self._logins is not None:
            return self._logins
        assert self._tenant is not None, "it has one or the other"
        return self._tenant.router

    async def close(self) -> None:
        if self._logins is not None:
            await self._logins.close()
        if self._tenant is not None:
            await self._tenant.close()

    @asynccontextmanager
    async def reach(self, login: Login | None) -> AsyncIterator[Reach]:
        """As this user, who has logged in here too; without logins as everyone."""
        if self._logins is None:
            assert self._tenant is not None, "it has one or the other"
            yield self._tenant.reach
            return
        # Rules of each cluster make names of certificates, so a name is not the same everywhere.
        if login is None or login.kind is Kind.DELEGATED:
            raise HttpError(FORBIDDEN, "Who logs in by a certificate has one cluster at a time")
        async with self._logins.known(login) as tenant:
            if tenant is None:
                raise HttpError(FORBIDDEN, UNSEEN.format(self.settings.cluster))
            yield cast("ConsoleTenant", tenant).reach

    def _made(self, client: Mapping[str, str], login: Login | None = None) -> ConsoleTenant:
        user = None if login is None else login.principal
        return ConsoleTenant(
            client,
            self.settings,
            self._audit,
            self._tasks,
            self._clock,
            user,
            self._schemas,
            self._made_registry(login),
            self._searches,
            neighbours=_OfUser(self._neighbours, login),
            copies=self._copies,
        )

    def _made_registry(self, login: Login | None) -> RegistryCalls | None:
        """Who logs in here does so at the registry too; one without logins does not look."""
        settings = self.settings.registry
        if settings is None:
            return None
        if login is not None:
            if login.kind is Kind.DELEGATED:
                return None  # its secret is one of the cluster's, and no password there
            settings = replace(settings, authorization=authorization_of(login))
        return RegistryCalls(settings, self._network, self._tasks)

    def _made_schemas(self) -> SchemaReadings | None:
        """The same for all users: a schema is no secret of one of them."""
        registry = self.settings.registry
        if registry is None:
            return None
        return SchemaReadings(RegistryCalls(registry, self._network, self._tasks), self._clock)

    def _made_logins(self) -> LoginRouter:
        """Each user's clients log in as that user."""
        if not self._client.get("security.protocol", "").upper().startswith("SASL"):
            of = "" if self.settings.cluster is None else f", for {self.settings.cluster} too"
            raise SettingError(
                "logins are for a cluster whose clients log in: set security.protocol to SASL_SSL "
                f"or SASL_PLAINTEXT, and sasl.mechanism{of}"
            )

        def made(login: Login) -> ConsoleTenant:
            return self._made(login_settings(self._client, login), login)

        delegated = delegations(self._network, self._client, self._clock)
        return LoginRouter(self._tasks, self._clock, made, None, delegated)
