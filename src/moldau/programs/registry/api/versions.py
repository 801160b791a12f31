"""`/subjects/{subject}/versions` and all that is below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from moldau.programs.http.json_bodies import json_body
from moldau.programs.http.messages import Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.registry.api.bodies import (
    LONG_PAGE,
    ensure_media_type,
    maybe_object,
    page_of,
    qualify_references,
    reply,
    schema_json,
    schema_of,
)
from moldau.programs.registry.api.listing import deleted_alone
from moldau.programs.registry.api.scope import Scope
from moldau.programs.registry.deleting import delete_version
from moldau.programs.registry.inheriting import merged_rules, versioned
from moldau.programs.registry.lookups import need_subject, need_version, wherever
from moldau.programs.registry.names import version_of
from moldau.programs.registry.records import StoredSchema, StoreRecord
from moldau.programs.registry.refusals import Refusal, refuse
from moldau.programs.registry.registering import Registration
from moldau.programs.registry.rule_sets import ensure_rules
from moldau.programs.registry.state import RegistryState
from moldau.programs.registry.tagging import KEEPS_TAGS, REGISTERED, found_tags, with_tags

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
        only, negative = deleted_alone(request), request.flag("deletedAsNegative")
        deleted = only or request.flag("deleted")
        subject = self.scope.subject(request)
        need_subject(self.scope.state, subject, deleted=deleted)
        found = self.scope.state.versions(subject, deleted=deleted or negative)
        if only and not negative:
            found = [one for one in found if one.is_deleted]
        numbers = [-one.version if one.is_deleted and negative else one.version for one in found]
        return reply(page_of(request, numbers))

    async def register(self, request: Request) -> Response:
        ensure_media_type(request)
        body = json_body(request)
        asked = Registration(
            self.scope.subject(request),
            with_tags(schema_of(body, may_be_empty=True), body, REGISTERED),
            request.flag("normalize"),
            _maybe_number(body, "id"),
            _maybe_number(body, "version"),
            request.flag("force"),
            keeps_tags=body.get(KEEPS_TAGS) is True,
        )

        def decide(_state: RegistryState) -> tuple[StoredSchema, Sequence[StoreRecord]]:
            return self.scope.registrar.register(asked)

        stored, form = await self.scope.store.write(decide), request.one("format")
        answer = _registered(stored)
        if form:
            answer["schema"] = self.scope.formatted(stored, form) or stored.schema.text
        return reply(answer)

    def _found(self, request: Request) -> StoredSchema:
        """A subject that names no context may be in any."""
        state, deleted = self.scope.state, request.flag("deleted")
        subject = wherever(state, self.scope.subject(request), deleted=deleted)
        version = version_of(request.parameters["version"])
        return need_version(state, subject, version, deleted=deleted)

    def get(self, request: Request) -> Response:
        stored = self._found(request)
        answer = schema_json(stored, self.scope.formatted(stored, request.one("format")))
        answer |= found_tags(stored.schema, request)
        qualify_references(answer, stored.subject, request)
        return reply(answer)

    def text(self, request: Request) -> Response:
        return self.scope.text(self._found(request), request.one("format"))

    def referrers(self, request: Request) -> Response:
        """Ids of the schemas that refer to it."""
        state, version = self.scope.state, version_of(request.parameters["version"])
        subject = wherever(state, self.scope.subject(request), deleted=True)
        stored = need_version(state, subject, version, deleted=True)
        found = [
            state.subjects[subject][number]
            for subject, number in state.referrers.get(stored.place, ())
        ]
        deleted = request.flag("deleted")
        ids = sorted({one.id for one in found if deleted or not one.is_deleted})
        return reply(page_of(request, ids, LONG_PAGE))

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
        wanted = _maybe_number(body, "newVersion")

        def decide(state: RegistryState) -> tuple[StoredSchema, Sequence[StoreRecord]]:
            stored = need_version(state, subject, version)
            former = state.versions(subject)[-1].schema.rule_set
            metadata = maybe_object(body, "metadata") or stored.schema.metadata
            schema = replace(stored.schema, metadata=metadata, rule_set=_rules(former, body))
            schema = versioned(with_tags(schema, body), 0, is_wanted=True)
            asked = Registration(subject, schema, version=wanted)
            return self.scope.registrar.register(asked)

        return reply(_registered(await self.scope.store.write(decide)))


def _rules(former: Mapping[str, Any] | None, body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Those given, or those of the version before with some of them changed."""
    given, merged = maybe_object(body, "ruleSet"), maybe_object(body, "rulesToMerge")
    removed = body.get("rulesToRemove")
    if merged is None and removed is None:
        return given
    if given is not None:
        text = "ruleSet should be omitted if specifying rulesToMerge or rulesToRemove"
        raise refuse(Refusal.INVALID_RULES, text)
    ensure_rules(merged)
    found = merged_rules(former, merged) or {}
    names = [str(name) for name in removed] if isinstance(removed, list) else []
    return {
        phase: [rule for rule in rules if rule.get("name") not in names]
        if isinstance(rules, list)
        else rules
        for phase, rules in found.items()
    }


def _registered(stored: StoredSchema) -> dict[str, Any]:
    """Without the text: clients take one for the form in which they sent it."""
    return {"id": stored.id, "version": stored.version, "guid": stored.guid}


def _maybe_number(body: Mapping[str, Any], name: str) -> int | None:
    value = body.get(name)
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise refuse(Refusal.INVALID_VERSION, f"{name} is no number: {value!r}")
    return value
