"""`/`, `/contexts` and `/v1/metadata`."""

from __future__ import annotations

from collections.abc import Sequence

from moldau import __version__
from moldau.programs.http.messages import Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.registry.api.bodies import page_of, reply
from moldau.programs.registry.api.scope import Scope
from moldau.programs.registry.names import DEFAULT_CONTEXT, context_of, in_context
from moldau.programs.registry.records import StoreRecord, context_tombstone
from moldau.programs.registry.refusals import Refusal, refuse
from moldau.programs.registry.state import RegistryState

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
            Route("DELETE", "/contexts/{context}", self.delete_context),
            Route("GET", "/v1/metadata/id", self.id),
            Route("GET", "/v1/metadata/version", self.version),
            Route("GET", "/v1/metadata/deployment", self.deployment),
        ]

    def root(self, _request: Request) -> Response:
        return reply({})

    def contexts(self, request: Request) -> Response:
        state, prefix = self.scope.state, request.one("contextPrefix") or ""
        filled = {name for name, ids in state.contexts.items() if ids.places}
        found = {DEFAULT_CONTEXT} | filled | state.named_contexts.keys()
        return reply(page_of(request, sorted(one for one in found if one.startswith(prefix))))

    async def delete_context(self, request: Request) -> Response:
        """Only one in which there is nothing any more, not even softly deleted."""
        name = context_of(in_context(request.parameters["context"], ""))

        def decide(state: RegistryState) -> tuple[None, Sequence[StoreRecord]]:
            ids = state.contexts.get(name)
            if name == DEFAULT_CONTEXT or (ids is not None and ids.places):
                text = f"The specified context '{name}' is not empty."
                raise refuse(Refusal.CONTEXT_NOT_EMPTY, text)
            return None, [context_tombstone(name)] if name in state.named_contexts else []

        await self.scope.store.write(decide)
        return Response(status=204)

    def id(self, _request: Request) -> Response:
        clusters = {
            "kafka-cluster": self.cluster_id,
            "schema-registry-cluster": self.group,
        }
        return reply({"id": "", "scope": {"path": [], "clusters": clusters}})

    def version(self, _request: Request) -> Response:
        return reply({"version": f"moldau-{__version__}", "commitId": ""})

    def deployment(self, _request: Request) -> Response:
        """Attributes that an operator sets, which is not possible here."""
        return reply({"attributes": []})
