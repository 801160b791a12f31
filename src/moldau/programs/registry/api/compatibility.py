"""`/compatibility`: whether a schema may follow, without registering it."""

from __future__ import annotations

from collections.abc import Sequence

from moldau.programs.http.json_bodies import json_body
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.registry.api.bodies import ensure_media_type, reply, schema_of
from moldau.programs.registry.api.scope import Scope
from moldau.programs.registry.names import LATEST, version_of
from moldau.programs.registry.records import StoredSchema
from moldau.programs.registry.refusals import Refusal, refuse

__all__ = ["CompatibilityRoutes"]


class CompatibilityRoutes:
    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def routes(self) -> list[Route]:
        base, reading = "/compatibility/subjects/{subject}/versions", self.scope.reading
        return [
            Route("POST", base, reading(self.with_all)),
            Route("POST", f"{base}/{{version}}", reading(self.with_one)),
        ]

    def with_all(self, request: Request) -> Response:
        return self._check(request, self.scope.state.versions(self.scope.subject(request)))

    def with_one(self, request: Request) -> Response:
        """With the latest one of a subject that has none it is compatible, as with all of them."""
        versions = self.scope.state.versions(self.scope.subject(request))
        version = version_of(request.parameters["version"])
        if version == LATEST:
            return self._check(request, versions[-1:])
        found = [one for one in versions if one.version == version]
        if not found:
            raise refuse(Refusal.VERSION_NOT_FOUND, f"Version {version} not found.")
        return self._check(request, found)

    def _check(self, request: Request, earlier: Sequence[StoredSchema]) -> Response:
        ensure_media_type(request)
        subject, registrar = self.scope.subject(request), self.scope.registrar
        try:
            schema = registrar.understood(
                schema_of(json_body(request)),
                subject,
                normalize=request.flag("normalize"),
                as_new=True,
            )
            found = registrar.conflicts(subject, schema, earlier)
        except HttpError as error:
            if error.code != Refusal.INVALID_SCHEMA or not request.flag("verbose"):
                raise
            found = [str(error)]
        answer: dict[str, object] = {"is_compatible": not found}
        if request.flag("verbose"):
            answer["messages"] = found
        return reply(answer)
