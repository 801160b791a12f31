"""`/subjects` and `/subjects/{subject}`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from moldau.programs.http.json_bodies import json_body
from moldau.programs.http.messages import Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.registry.api.bodies import (
    ensure_media_type,
    page_of,
    reply,
    schema_json,
    schema_of,
)
from moldau.programs.registry.api.listing import deleted_alone, subjects_with_prefix
from moldau.programs.registry.api.scope import Scope
from moldau.programs.registry.deleting import delete_subject
from moldau.programs.registry.lookups import need_subject, wherever
from moldau.programs.registry.records import StoredSchema, StoreRecord
from moldau.programs.registry.refusals import Refusal, refuse
from moldau.programs.registry.state import RegistryState

__all__ = ["SubjectRoutes"]


class SubjectRoutes:
    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def routes(self) -> list[Route]:
        reading = self.scope.reading
        return [
            Route("GET", "/subjects", self.every),
            Route("POST", "/subjects/{subject}", reading(self.look_up)),
            Route("DELETE", "/subjects/{subject}", self.delete),
            Route("GET", "/subjects/{subject}/metadata", reading(self.by_metadata)),
        ]

    def every(self, request: Request) -> Response:
        state = self.scope.state
        deleted, only = request.flag("deleted"), deleted_alone(request)
        names = [
            name
            for name in subjects_with_prefix(state, request)
            if _is_wanted(state.subjects[name].values(), deleted, only)
        ]
        return reply(page_of(request, names))

    def look_up(self, request: Request) -> Response:
        ensure_media_type(request)
        subject, deleted = self.scope.subject(request), request.flag("deleted")
        stored = self.scope.registrar.look_up(
            wherever(self.scope.state, subject, deleted=deleted),
            schema_of(json_body(request)),
            normalize=request.flag("normalize"),
            deleted=deleted,
        )
        return reply(schema_json(stored, self.scope.formatted(stored, request.one("format"))))

    async def delete(self, request: Request) -> Response:
        subject = self.scope.subject(request)
        permanent = request.flag("permanent")

        def decide(state: RegistryState) -> tuple[Sequence[int], Sequence[StoreRecord]]:
            return delete_subject(state, subject, permanent=permanent)

        return reply(await self.scope.store.write(decide))

    def by_metadata(self, request: Request) -> Response:
        """The latest version whose properties are as the query has them."""
        wanted = dict(
            zip(request.query.get("key", ()), request.query.get("value", ()), strict=False)
        )
        subject, deleted = self.scope.subject(request), request.flag("deleted")
        for stored in reversed(need_subject(self.scope.state, subject, deleted=deleted)):
            properties = (stored.schema.metadata or {}).get("properties") or {}
            if wanted.items() <= properties.items():
                text = self.scope.formatted(stored, request.one("format"))
                return reply(schema_json(stored, text))
        raise refuse(Refusal.SCHEMA_NOT_FOUND, "Schema not found")


def _is_wanted(versions: Iterable[StoredSchema], deleted: bool, only: bool) -> bool:
    is_live = any(not one.is_deleted for one in versions)
    return not is_live if only else deleted or is_live
