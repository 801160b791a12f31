"""`/`, `/contexts` and `/v1/metadata`."""

from __future__ import annotations

from moldau import __version__
from moldau.programs.http.messages import Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.registry.api.bodies import page_of, reply
from moldau.programs.registry.api.scope import Scope
from moldau.programs.registry.names import DEFAULT_CONTEXT

__all__ = ["GeneralRoutes"]


class GeneralRoutes:
    def __init__(self, scope: Scope, cluster_id: str, group: str) -> None:
        self.scope = scope
        self.cluster_id = cluster_id
        self.group = group

    def routes(self) -> list[Route]:
        return [
            Route("GET", "/", self.root),
            Route("POST", "/", self.root),
            Route("GET", "/contexts", self.contexts),
            Route("GET", "/v1/metadata/id", self.id),
            Route("GET", "/v1/metadata/version", self.version),
        ]

    def root(self, _request: Request) -> Response:
        return reply({})

    def contexts(self, request: Request) -> Response:
        found = {DEFAULT_CONTEXT} | {
            name for name, ids in self.scope.state.contexts.items() if ids.places
        }
        return reply(page_of(request, sorted(found)))

    def id(self, _request: Request) -> Response:
        clusters = {
            "kafka-cluster": self.cluster_id,
            "schema-registry-cluster": self.group,
        }
        return reply({"id": "", "scope": {"path": [], "clusters": clusters}})

    def version(self, _request: Request) -> Response:
        return reply({"version": f"moldau-{__version__}", "commitId": ""})
