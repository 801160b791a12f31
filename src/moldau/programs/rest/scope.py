"""What handlers share: the clients, the schemas, and the cluster that a path of v3 names."""

from __future__ import annotations

from typing import Final

from moldau.client import AsyncAdmin
from moldau.client.admin import TopicView
from moldau.programs.http.messages import Request
from moldau.programs.rest.clients import Clients
from moldau.programs.rest.links import Links
from moldau.programs.rest.refusals import absent
from moldau.programs.rest.schemas import Schemas

__all__ = ["Scope"]

THIS: Final = "-"


class Scope:
    """What the routes of a proxy share."""

    def __init__(self, clients: Clients, schemas: Schemas | None = None) -> None:
        self.clients = clients
        self.streams = 0
        """Responses and sockets that go on: their user is still there."""
        self.schemas = Schemas() if schemas is None else schemas

    @property
    def admin(self) -> AsyncAdmin:
        return self.clients.admin

    async def links(self, request: Request) -> Links:
        """Of the cluster in the path, where `-` stands for the one there is; 404 for any other."""
        cluster_id = await self.clients.cluster_id()
        wanted = request.parameters.get("cluster_id", cluster_id)
        if wanted not in (cluster_id, THIS):
            raise absent(f"Cluster {wanted}")
        return Links.of(request, cluster_id)

    async def topic(self, name: str) -> TopicView:
        return (await self.admin.describe_topics(name))[name]
