"""What one user has of the console: clients, pages' operations, samples, and their routes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from moldau import __version__
from moldau.client.schemas import RegistryCalls
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.tasks import Tasks
from moldau.programs.console.access.access import AccessPages
from moldau.programs.console.access.roles import RolePages
from moldau.programs.console.api.operations import Operation, openapi, routes_of
from moldau.programs.console.audit import Audit
from moldau.programs.console.changes.running import ChangeRoutes
from moldau.programs.console.changes.table import KINDS
from moldau.programs.console.cluster.hanging import HangingTransactions
from moldau.programs.console.cluster.loggers import LoggerPages
from moldau.programs.console.cluster.overview import Overview
from moldau.programs.console.cluster.pipelines import PipelinePages
from moldau.programs.console.cluster.sampling import Sampling
from moldau.programs.console.cluster.subjects import SubjectPages
from moldau.programs.console.cluster.transactions import TransactionPages
from moldau.programs.console.groups.behind import BehindPages
from moldau.programs.console.groups.groups import GroupPages
from moldau.programs.console.reach import ConsoleSettings, Copies, Neighbours, Reach
from moldau.programs.console.search.routes import Searches, SearchesOfAll
from moldau.programs.console.serving.pages import page_routes
from moldau.programs.console.topics.records import RecordPages
from moldau.programs.console.topics.sizes import TopicSizes
from moldau.programs.console.topics.tail import Tails
from moldau.programs.console.topics.topics import TopicPages
from moldau.programs.console.values.decoding import SchemaReadings
from moldau.programs.http.messages import Request, Response
from moldau.programs.http.routes import Router
from moldau.programs.rest.bodies import reply
from moldau.programs.rest.clients import Clients

__all__ = ["ConsoleTenant"]

CLIENT: Final[Mapping[str, str]] = {"client.id": "moldau-console"}


class ConsoleTenant:
    """The console of all users, or with logins that of one user."""

    def __init__(
        self,
        client: Mapping[str, str],
        settings: ConsoleSettings,
        audit: Audit,
        tasks: Tasks,
        clock: Clock,
        user: str | None = None,
        schemas: SchemaReadings | None = None,
        registry: RegistryCalls | None = None,
        searches: SearchesOfAll | None = None,
        *,
        neighbours: Neighbours,
        copies: Copies,
    ) -> None:
        self.clients = Clients({**CLIENT, **client})
        self.users = 0
        """Requests that are being answered."""
        self.reach = Reach(
            self.clients,
            settings,
            audit,
            tasks,
            clock,
            user,
            schemas,
            registry,
            neighbours=neighbours,
            copies=copies,
        )
        self._searches = searches or SearchesOfAll()
        self._sampling = Sampling(self.reach)
        self.operations = self._all_operations()
        name = settings.cluster
        root = "/api" if name is None else f"/api/clusters/{quote(name, safe='')}"
        self._document = openapi(self.operations, root)
        self.router = Router([*routes_of(self.operations), *page_routes()])

    @property
    def is_used(self) -> bool:
        return self.users > 0

    async def log_in(self) -> None:
        """Return where the cluster knows the user, or `RefusedError`."""
        await self.clients.cluster_id()

    async def close(self) -> None:
        self._sampling.stop()
        await self.clients.close()

    def _all_operations(self) -> list[Operation]:
        reach = self.reach
        return [
            Operation("GET", "/api", self.about, "What this console is, and may do"),
            Operation("GET", "/api/clusters", self.clusters, "Clusters of this console"),
            Operation("GET", "/api/openapi.json", self.document, "This document"),
            *Overview(reach).operations(),
            *LoggerPages(reach).operations(),
            *TopicPages(reach).operations(),
            *TopicSizes(reach).operations(),
            *RecordPages(reach).operations(),
            *Tails(reach).operations(),
            *Searches(reach, self._searches).operations(),
            *GroupPages(reach).operations(),
            *BehindPages(reach).operations(),
            *SubjectPages(reach).operations(),
            *AccessPages(reach).operations(),
            *RolePages(reach).operations(),
            *TransactionPages(reach).operations(),
            *HangingTransactions(reach).operations(),
            *PipelinePages(reach).operations(),
            *self._sampling.operations(),
            *ChangeRoutes(reach, KINDS.values()).operations(),
        ]

    async def about(self, request: Request) -> Response:
        settings = self.reach.settings
        return reply(
            {
                "version": __version__,
                "cluster": settings.cluster,
                "cluster_id": await self.clients.cluster_id(),
                "servers": settings.servers,
                "user": self.reach.user,
                "is_read_only": settings.read_only,
                "can_log_out": settings.has_sessions,
                "has_schemas": self.reach.schemas is not None,
                "formats": settings.formats.listed(),
            }
        )

    def clusters(self, request: Request) -> Response:
        return reply(list(self.reach.neighbours.listed()))

    def document(self, request: Request) -> Response:
        return reply(self._document)
