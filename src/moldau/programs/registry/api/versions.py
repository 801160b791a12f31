"""`/subjects/{subject}/versions` and all that is below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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
from moldau.programs.registry.api.scope import Scope
from moldau.programs.registry.deleting import delete_version
from moldau.programs.registry.lookups import need_subject, need_version
from moldau.programs.registry.names import version_of
from moldau.programs.registry.records import StoredSchema, StoreRecord
from moldau.programs.registry.refusals import Refusal, refuse
from moldau.programs.registry.registering import Registration
from moldau.programs.registry.state import RegistryState
from moldau.schemas.model import SchemaText

__all__ = ["VersionRoutes"]


class VersionRoutes:
    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def routes(self) -> list[Route]:
        reading, base = self.scope.reading, "/subjects/{subject}/versions"
        return [
            Route("GET", base, reading(self.every)),
            Route("POST", base, self.register),
            Route("GET", f"{base}/{{version}}", reading(self.get)),
            Route("DELETE", f"{base}/{{version}}", self.delete),
            Route("GET", f"{base}/{{version}}/schema", reading(self.text)),
            Route("GET", f"{base}/{{version}}/referencedby", reading(self.referrers)),
            Route("POST", f"{base}/{{version}}/tags", self.tag),
        ]

    def every(self, request: Request) -> Response:
        only = request.flag("deletedOnly")
        found = need_subject(
            self.scope.state,
            self.scope.subject(request),
            deleted=only or request.flag("deleted"),
        )
        return reply(page_of(request, [one.version for one in found if one.is_deleted or not only]))

    async def register(self, request: Request) -> Response:
        ensure_media_type(request)
        body = json_body(request)
        asked = Registration(
            self.scope.subject(request),
            schema_of(body),
            request.flag("normalize"),
            _maybe_number(body, "id"),
            _maybe_number(body, "version"),
        )

        def decide(_state: RegistryState) -> tuple[StoredSchema, Sequence[StoreRecord]]:
            return self.scope.registrar.register(asked)

        return reply(_registered(await self.scope.store.write(decide)))

    def _found(self, request: Request) -> StoredSchema:
        return need_version(
            self.scope.state,
            self.scope.subject(request),
            version_of(request.parameters["version"]),
            deleted=request.flag("deleted"),
        )

    def get(self, request: Request) -> Response:
        stored = self._found(request)
        return reply(schema_json(stored, self.scope.formatted(stored, request.one("format"))))

    def text(self, request: Request) -> Response:
        return self.scope.text(self._found(request), request.one("format"))

    def referrers(self, request: Request) -> Response:
        """Ids of the schemas that refer to it."""
        state, version = self.scope.state, version_of(request.parameters["version"])
        stored = need_version(state, self.scope.subject(request), version, deleted=True)
        found = [
            state.subjects[subject][number]
            for subject, number in state.referrers.get(stored.place, ())
        ]
        deleted = request.flag("deleted")
        ids = sorted({one.id for one in found if deleted or not one.is_deleted})
        return reply(page_of(request, ids))

    async def delete(self, request: Request) -> Response:
        subject = self.scope.subject(request)
        version, permanent = version_of(request.parameters["version"]), request.flag("permanent")

        def decide(state: RegistryState) -> tuple[int, Sequence[StoreRecord]]:
            return delete_version(state, subject, version, permanent=permanent)

        return reply(await self.scope.store.write(decide))

    async def tag(self, request: Request) -> Response:
        """A next version with other tags, metadata or rules."""
        ensure_media_type(request)
        body, subject = json_body(request), self.scope.subject(request)
        version = version_of(request.parameters["version"])

        def decide(state: RegistryState) -> tuple[StoredSchema, Sequence[StoreRecord]]:
            stored = need_version(state, subject, version)
            wanted = body.get("newVersion")
            if wanted is not None and wanted != state.versions(subject)[-1].version + 1:
                text = f"The new version would not be {wanted}"
                raise refuse(Refusal.INVALID_VERSION, text)
            return self.scope.registrar.register(Registration(subject, _tagged(stored, body)))

        return reply(_registered(await self.scope.store.write(decide)))


def _tagged(stored: StoredSchema, body: Mapping[str, Any]) -> SchemaText:
    """The same schema, with the tags of paths changed, and metadata and rules replaced if given."""
    metadata = dict(body.get("metadata") or stored.schema.metadata or {})
    tags = {path: list(names) for path, names in (metadata.get("tags") or {}).items()}
    for path, names in _tags(body, "tagsToAdd"):
        tags[path] = [*dict.fromkeys([*tags.get(path, ()), *names])]
    for path, names in _tags(body, "tagsToRemove"):
        tags[path] = [name for name in tags.get(path, ()) if name not in names]
    metadata["tags"] = {path: names for path, names in tags.items() if names}
    rules = body.get("ruleSet") or stored.schema.rule_set
    schema = stored.schema
    return SchemaText(schema.text, schema.kind, schema.references, metadata, rules)


def _tags(body: Mapping[str, Any], name: str) -> list[tuple[str, list[str]]]:
    try:
        return [
            (str(one["schemaEntity"]["entityPath"]), [str(tag) for tag in one["tags"]])
            for one in body.get(name) or ()
        ]
    except (KeyError, TypeError):
        text = f"{name} has to have a schemaEntity with its entityPath, and tags"
        raise refuse(Refusal.INVALID_SCHEMA, text) from None


def _registered(stored: StoredSchema) -> dict[str, Any]:
    """Without the text: clients take one for the form in which they sent it."""
    return {"id": stored.id, "version": stored.version, "guid": stored.guid}


def _maybe_number(body: Mapping[str, Any], name: str) -> int | None:
    value = body.get(name)
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise refuse(Refusal.INVALID_VERSION, f"{name} is no number: {value!r}")
    return value
