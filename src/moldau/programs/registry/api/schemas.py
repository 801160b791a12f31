"""`/schemas`: by id, by GUID, and all of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from moldau.programs.http.messages import DIGITS_MAX, HttpError, Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.registry.api.bodies import (
    LONG_PAGE,
    page_of,
    qualify_references,
    reply,
    schema_json,
)
from moldau.programs.registry.api.listing import subjects_with_prefix
from moldau.programs.registry.api.scope import Scope
from moldau.programs.registry.associations.records import STRONG, WEAK
from moldau.programs.registry.associations.table import Associations, fitting
from moldau.programs.registry.lookups import by_guid, by_id, places_of_id, resolved
from moldau.programs.registry.names import bare_of, context_of
from moldau.programs.registry.records import StoredSchema
from moldau.programs.registry.refusals import Refusal, refuse
from moldau.programs.registry.state import RegistryState
from moldau.programs.registry.tagging import found_tags
from moldau.schemas.kinds import KINDS
from moldau.schemas.model import JsonObject

__all__ = ["SchemaRoutes"]

ID_MAX = 2**31 - 1
UNASSOCIATED: Final = "NONE"


class SchemaRoutes:
    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def routes(self) -> list[Route]:
        reading = self.scope.reading
        return [
            Route("GET", "/schemas", self.every),
            Route("GET", "/schemas/types", self.types),
            Route("GET", "/schemas/ids/{id}", reading(self.by_id)),
            Route("GET", "/schemas/ids/{id}/schema", reading(self.text)),
            Route("GET", "/schemas/ids/{id}/subjects", reading(self.subjects)),
            Route("GET", "/schemas/ids/{id}/versions", reading(self.versions)),
            Route("GET", "/schemas/guids/{guid}", reading(self.by_guid)),
            Route("GET", "/schemas/guids/{guid}/ids", reading(self.ids_of_guid)),
        ]

    def types(self, _request: Request) -> Response:
        return reply(sorted(KINDS))

    def every(self, request: Request) -> Response:
        deleted, latest = request.flag("deleted"), request.flag("latestOnly")
        kind = request.one("ruleType")
        found: list[StoredSchema] = []
        for subject in subjects_with_prefix(self.scope.state, request):
            versions = self.scope.state.versions(subject, deleted=deleted)
            found += versions[-1:] if latest else versions
        if kind:
            found = [one for one in found if _has_rule_of(one, kind)]
        kept = _with_associations(self.scope.state.associations, request, found)
        shown = [
            {**schema_json(one), **({"associations": them} if them else {})}
            for one, them in page_of(request, kept, LONG_PAGE)
        ]
        if request.flag("aliases"):
            aliases = _aliases(self.scope.state)
            for one in shown:
                if one["subject"] in aliases:
                    one["aliases"] = aliases[one["subject"]]
        return reply(shown)

    def by_id(self, request: Request) -> Response:
        stored = self._found(request)
        text = self.scope.formatted(stored, request.one("format"))
        answer = self._alone(stored, text)
        if request.one("subject") is not None:
            answer |= {"subject": stored.subject, "version": stored.version}
        answer |= found_tags(stored.schema, request)
        qualify_references(answer, stored.subject, request)
        if request.flag("fetchMaxId"):
            answer["maxId"] = self.scope.state.contexts[context_of(stored.subject)].highest
        return reply(answer)

    def text(self, request: Request) -> Response:
        return self.scope.text(self._found(request), request.one("format"))

    def subjects(self, request: Request) -> Response:
        return reply(page_of(request, sorted({one.subject for one in self._all(request)})))

    def versions(self, request: Request) -> Response:
        found = [{"subject": one.subject, "version": one.version} for one in self._all(request)]
        return reply(page_of(request, found))

    def by_guid(self, request: Request) -> Response:
        stored = by_guid(self.scope.state, request.parameters["guid"])
        return reply(self._alone(stored, self.scope.formatted(stored, request.one("format"))))

    def ids_of_guid(self, request: Request) -> Response:
        """The ids that it has, one for each context."""
        wanted = by_guid(self.scope.state, request.parameters["guid"]).guid
        found = {
            context_of(one.subject): one.id
            for one in self.scope.state.all_schemas()
            if one.guid == wanted
        }
        return reply([{"context": context, "id": number} for context, number in found.items()])

    def _alone(self, stored: StoredSchema, text: str | None) -> JsonObject:
        return {**stored.schema.as_json(text), "guid": stored.guid}

    def _number(self, request: Request) -> int:
        text = request.parameters["id"]
        if not text.isascii() or not text.isdecimal():
            raise HttpError(404, "HTTP 404 Not Found")
        if len(text) > DIGITS_MAX or int(text) > ID_MAX:
            raise refuse(Refusal.SCHEMA_NOT_FOUND, f"Schema {text} not found")
        return int(text)

    def _found(self, request: Request) -> StoredSchema:
        return by_id(self.scope.state, self._number(request), self.scope.asked_subject(request))

    def _all(self, request: Request) -> list[StoredSchema]:
        """The versions with the id; of one subject, if the query names one."""
        state, number = self.scope.state, self._number(request)
        wanted = by_id(state, number, self.scope.asked_subject(request)).subject
        found = places_of_id(state, number, wanted, deleted=request.flag("deleted"))
        bare = bare_of(request.one("subject") or "")
        shown = request.may_show
        return [
            one
            for one in found
            if (not bare or one.subject == wanted) and (shown is None or one.subject in shown)
        ]


def _with_associations(
    table: Associations, request: Request, found: Iterable[StoredSchema]
) -> list[tuple[StoredSchema, list[JsonObject]]]:
    """Those whose subject's associations fit the query, with these.

    The lifecycle `NONE` is that of subjects that have none.
    """
    kind, kinds = request.one("resourceType"), request.query.get("associationType", ())
    lifecycles = request.query.get("lifecycle", ())
    if kind is None and not kinds and not lifecycles:
        return [(one, []) for one in found]
    if not set(lifecycles) <= {STRONG, WEAK, UNASSOCIATED}:
        raise HttpError(404, "HTTP 404 Not Found")  # what JAX-RS makes of it
    kept = []
    for one in found:
        fit = [
            each
            for each in fitting(table.of_subject(one.subject), kinds)
            if kind in (None, each.resource.type)
        ]
        wanted = [each.as_json() for each in fit if not lifecycles or each.lifecycle in lifecycles]
        if wanted or (not fit and UNASSOCIATED in lifecycles):
            kept.append((one, wanted))
    return kept


def _has_rule_of(stored: StoredSchema, kind: str) -> bool:
    phases = (stored.schema.rule_set or {}).values()
    rules = [rule for phase in phases if isinstance(phase, list) for rule in phase]
    return any(rule.get("type") == kind for rule in rules)


def _aliases(state: RegistryState) -> dict[str, list[str]]:
    """Those that name each subject."""
    found: dict[str, list[str]] = {}
    for name in sorted(name for name in state.configs if name):
        subject = resolved(state, name)
        if subject != name:
            found.setdefault(subject, []).append(name)
    return found
