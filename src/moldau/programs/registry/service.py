"""A registry that serves: its store, its routes and its listener."""

from __future__ import annotations

import logging
from importlib import import_module
from typing import TYPE_CHECKING, Any

from moldau.client.errors import ClientError
from moldau.errors import MoldauError
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.network import Address, Network
from moldau.platform.ports.randomness import Random
from moldau.platform.ports.tasks import Tasks
from moldau.programs.http.front import Front
from moldau.programs.http.limits import Limits
from moldau.programs.http.messages import HttpError
from moldau.programs.http.routes import Router
from moldau.programs.http.server import HttpServer
from moldau.programs.registry.api.bodies import MEDIA_TYPE
from moldau.programs.registry.api.scope import Scope
from moldau.programs.registry.api.table import registry_routes
from moldau.programs.registry.keys.store import KeyStore
from moldau.programs.registry.known import RegistrySchemas
from moldau.programs.registry.refusals import Refusal, refuse
from moldau.programs.registry.state import RegistryState
from moldau.programs.registry.store import RegistryStore, StoreSettings

if TYPE_CHECKING:
    from moldau.programs.registry.login_router import LoginRouter

__all__ = ["RegistryService"]

log = logging.getLogger(__name__)

GUARDING = "moldau.programs.registry.guarding"
"""What a registry needs whose users log in, and only then is imported."""


class RegistryService:
    """Started once, and stopped once."""

    def __init__(
        self,
        settings: StoreSettings,
        network: Network,
        tasks: Tasks,
        clock: Clock,
        random: Random,
        *,
        with_logins: bool = False,
        front: Front | None = None,
    ) -> None:
        """With logins each request has to show who its user is, as a user of the cluster."""
        self._front = front or Front()
        self._guarding: Any = None
        if with_logins:
            self._guarding = import_module(GUARDING)
            self._guarding.ensure_logins(settings.client)
        self._logins: LoginRouter | None = None
        self.settings = settings
        self.state = RegistryState()
        self._network = network
        self._tasks = tasks
        self._clock = clock
        self._random = random
        self._store = RegistryStore(settings, self.state, tasks, random)
        self._keys = KeyStore(settings, tasks, random)
        self._server: HttpServer | None = None

    @property
    def schemas(self) -> RegistrySchemas:
        """For a broker in the same process."""
        return RegistrySchemas(self.state, self._store.read_to_end)

    @property
    def address(self) -> Address:
        assert self._server is not None, "it has not been started"
        return self._server.address

    async def start(self, address: Address) -> None:
        """Return when it serves; what the topic has is known by then."""
        await self._store.start()
        scope = Scope(self._store, self.settings.default_level, self._random)
        routes = Router(
            registry_routes(scope, self._keys, self._store.cluster_id, self.settings.group)
        )
        router = routes if self._guarding is None else self._guarded(routes, scope)
        self._server = HttpServer(
            router,
            self._tasks,
            self._clock,
            limits=Limits(),
            error_media_type=MEDIA_TYPE,
            refused=_refused,
            front=self._front,
            compresses=True,
        )
        await self._server.open(self._network, address)
        log.info("Schemas are at %s", self._server.url)

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
        if self._logins is not None:
            await self._logins.close()
        await self._keys.close()
        await self._store.close()

    def _guarded(self, routes: Router, scope: Scope) -> Router:
        """For users of the cluster, each with own rights."""
        ports = (self._network, self._tasks, self._clock, self._front)
        logins: LoginRouter = self._guarding.guarded(routes, scope, self.settings.client, *ports)
        self._logins = logins
        return logins


def _refused(error: MoldauError) -> HttpError:
    """What the cluster did not do."""
    code = Refusal.STORE if isinstance(error, ClientError) else 500
    return refuse(code, str(error)) if code != 500 else HttpError(500, str(error))
