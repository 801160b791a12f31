"""What one principal has of a proxy: its clients, its consumers, and its routes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from moldau.platform.ports.clock import Clock
from moldau.platform.ports.randomness import Random
from moldau.platform.ports.tasks import Tasks
from moldau.programs.http.routes import Route, Router
from moldau.programs.rest.clients import Clients
from moldau.programs.rest.idempotency import AnsweredOnce
from moldau.programs.rest.operations import with_document
from moldau.programs.rest.schemas import Schemas
from moldau.programs.rest.scope import Scope
from moldau.programs.rest.v2.homes import Homes, Place
from moldau.programs.rest.v2.instances import Instances
from moldau.programs.rest.v2.table import v2_routes
from moldau.programs.rest.v2.topics import PARTITION, TOPIC
from moldau.programs.rest.v3.table import v3_routes

__all__ = ["Tenant"]


class Tenant:
    """The proxy of all clients, or with logins that of one user."""

    def __init__(
        self,
        client: Mapping[str, str],
        tasks: Tasks,
        clock: Clock,
        random: Random,
        schemas: Schemas | None = None,
        homes: Homes | None = None,
        user: str = "",
    ) -> None:
        """`client` has settings of clients, by Kafka's names; `homes` is shared by all users."""

        async def ended(places: Sequence[tuple[str, str]]) -> None:
            if homes is not None:
                await homes.release(Place(user, *names) for names in places)

        self.clients = Clients(client)
        self.users = 0
        """Requests that are being answered."""
        self._instances = Instances(tasks, clock, random, ended=ended)
        self._scope = scope = Scope(self.clients, schemas)
        once = AnsweredOnce(tasks, clock)
        routes = [*v3_routes(scope, tasks), *v2_routes(scope, self._instances, homes, user)]
        wrapped = [once.wrap(one) if _sends(one) else one for one in routes]
        self.router = Router(with_document(wrapped))

    @property
    def is_used(self) -> bool:
        return self.users + self._scope.streams + len(self._instances) > 0

    async def log_in(self) -> None:
        """Return where the cluster knows the user, or `RefusedError`."""
        await self.clients.cluster_id()

    async def close(self) -> None:
        """What was handed over is sent, and consumers leave their groups."""
        await self._instances.close()
        await self.clients.close()


def _sends(route: Route) -> bool:
    """Whether it sends records."""
    is_v3 = route.pattern.endswith(("/records", "/records:batch"))
    return route.method == "POST" and (is_v3 or route.pattern in (TOPIC, PARTITION))
