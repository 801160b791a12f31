"""`/associations`: of a subject, of a resource by its name or its id, and several at once.

Several are of several resources, and each of those is answered for itself.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from moldau.platform.ports.randomness import Random
from moldau.programs.http.json_bodies import json_body, json_response
from moldau.programs.http.messages import HttpError, Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.registry.api.bodies import (
    LONG_PAGE,
    MEDIA_TYPE,
    ensure_media_type,
    page_of,
    reply,
    schema_json,
    schema_of,
)
from moldau.programs.registry.api.scope import Scope
from moldau.programs.registry.associations.asked import (
    TOPIC,
    Change,
    change_of,
    checked,
    invalid,
    resource_of,
)
from moldau.programs.registry.associations.changing import Changed, Changer, deleted
from moldau.programs.registry.associations.records import STRONG, WEAK, Association, Resource
from moldau.programs.registry.associations.table import Associations, fitting
from moldau.programs.registry.names import WHOLE_DEFAULT, subject_of_values
from moldau.programs.registry.records import StoredSchema, StoreRecord
from moldau.programs.registry.refusals import Refusal, refuse
from moldau.programs.registry.state import RegistryState
from moldau.programs.registry.tagging import REGISTERED, with_tags
from moldau.schemas.model import JsonObject, SchemaText

__all__ = ["AssociationRoutes"]

BASE: Final = "/associations"
BY_SUBJECT: Final = f"{BASE}/subjects/{{subject}}"
BY_NAME: Final = f"{BASE}/resources/{{resourceNamespace}}/{{resourceName}}"
BY_ID: Final = f"{BASE}/resources/{{resourceId}}"
EACH: Final = 207
FIXED_BITS: Final = 0xF000_C000_0000_0000_0000
VERSION_4: Final = 0x4000_8000_0000_0000_0000
FAILED: Final = 500
ANOTHER_ID: Final = (
    "Resource ID in the path parameter does not match the resource ID in the request body"
)
CREATE, UPSERT, DELETE = "CREATE", "UPSERT", "DELETE"


class AssociationRoutes:
    def __init__(self, scope: Scope, random: Random) -> None:
        self.scope = scope
        self._changer = Changer(scope.registrar, _schema_of, lambda: _guid(random))

    def routes(self) -> list[Route]:
        changing = [
            Route("POST", BASE, self.create),
            Route("PUT", BY_ID, self.change),
            Route("POST", f"{BASE}:batchGet", self.get_each),
            Route("POST", f"{BASE}:batchMutate", self.change_each),
        ]
        below = [
            Route(method, f"/contexts/{{context}}{pattern}", handler)
            for method, pattern, handler in changing
        ]
        return [
            Route("GET", BY_SUBJECT, self._fresh(self.of_subject)),
            Route("GET", BY_NAME, self._fresh(self.named)),
            Route("GET", BY_ID, self._fresh(self.of_resource)),
            Route("DELETE", BY_ID, self.delete),
            *changing,
            *below,
        ]

    @property
    def _table(self) -> Associations:
        return self.scope.state.associations

    # Reading.

    def _fresh(
        self, found: Callable[[Request], list[Association]]
    ) -> Callable[[Request], Awaitable[Response]]:
        """Where there is none, another registry may have written it a moment ago: look again."""

        async def answer(request: Request) -> Response:
            wanted = found(request)
            if not wanted:
                await self.scope.store.read_to_end()
                wanted = found(request)
            wanted = _shown(request, wanted)
            return reply([one.as_json() for one in page_of(request, wanted, LONG_PAGE)])

        return answer

    def of_subject(self, request: Request) -> list[Association]:
        found = self._table.of_subject(self.scope.subject(request))
        wanted = _type_of(request)
        return _fitting(request, [one for one in found if one.resource.type == wanted])

    def named(self, request: Request) -> list[Association]:
        names = request.parameters
        place = names["resourceName"], names["resourceNamespace"], _type_of(request)
        return _fitting(request, self._table.named(*place))

    def of_resource(self, request: Request) -> list[Association]:
        resource_id = request.parameters["resourceId"]
        return _fitting(request, self._table.of_resource(resource_id, _type_of(request)))

    def get_each(self, request: Request) -> Response:
        shows_schemas = request.flag("includeSchemas")
        results: list[JsonObject] = []
        for given in _requests(request):
            try:
                results.append({"result": self._got(request, given, shows_schemas=shows_schemas)})
            except HttpError as error:
                text = f"Error while getting associations: {error}"
                results.append({"error": {"error_code": FAILED, "message": text}})
        return json_response({"results": results}, MEDIA_TYPE, EACH)

    def _got(
        self, request: Request, given: Mapping[str, Any], *, shows_schemas: bool
    ) -> JsonObject:
        resource = _looked_for(given)
        kinds, lifecycle = given.get("associationTypes") or (), given.get("lifecycle")
        if resource.id:
            found = self._table.of_resource(resource.id, resource.type)
        else:
            found = self._table.named(resource.name, resource.namespace, resource.type)
        found = _shown(request, fitting(found, kinds, lifecycle))
        if found:
            known = found[0].resource
            resource = Resource(*(own or other for own, other in zip(resource, known, strict=True)))
        latest = self._latest if shows_schemas else _without_schema
        return _answer(resource, [(one, latest(one)) for one in found])

    def _latest(self, one: Association) -> StoredSchema | None:
        versions = self.scope.state.versions(one.subject)
        return versions[-1] if versions else None

    # Changing.

    async def create(self, request: Request) -> Response:
        return await self._changed(request, json_body(request), is_new=True)

    async def change(self, request: Request) -> Response:
        body, resource_id = json_body(request), request.parameters["resourceId"]
        if body.get("resourceId") not in (None, resource_id):
            raise invalid("resourceId", ANOTHER_ID)
        return await self._changed(request, {**body, "resourceId": resource_id}, is_new=False)

    async def _changed(self, request: Request, body: JsonObject, *, is_new: bool) -> Response:
        ensure_media_type(request)
        is_dry = request.flag("dryRun")
        change = change_of(body, is_new=is_new, is_dry=is_dry)
        written = await self._write(change, _context_of(request), is_dry=is_dry)
        return reply(_answer(change.resource, written))

    async def _write(
        self, change: Change, context: str, *, is_dry: bool
    ) -> list[tuple[Association, StoredSchema | None]]:
        def decide(_state: RegistryState) -> Changed:
            written, records = self._changer.change(change, context)
            return ([], []) if is_dry else (written, records)

        return await self.scope.store.write(decide)

    async def delete(self, request: Request) -> Response:
        resource_id, resource_type = request.parameters["resourceId"], _type_of(request)
        kinds = request.query.get("associationType", ())
        await self._delete(
            (resource_id, resource_type),
            kinds,
            cascades=request.flag("cascadeLifecycle"),
            is_dry=request.flag("dryRun"),
            must_be=True,
        )
        return Response(status=204)

    async def _delete(
        self,
        resource: tuple[str, str],
        kinds: Collection[str],
        *,
        cascades: bool,
        is_dry: bool,
        must_be: bool = False,
    ) -> None:
        def decide(state: RegistryState) -> tuple[None, Sequence[StoreRecord]]:
            if must_be and not fitting(state.associations.of_resource(*resource), kinds):
                text = f"Association for '{resource[0]}' not found."
                raise refuse(Refusal.ASSOCIATION_NOT_FOUND, text)
            records = deleted(state, resource, kinds, cascades=cascades)
            return None, [] if is_dry else records

        await self.scope.store.write(decide)

    async def change_each(self, request: Request) -> Response:
        ensure_media_type(request)
        context, is_dry = _context_of(request), request.flag("dryRun")
        results: list[JsonObject] = []
        for given in _requests(request):
            try:
                results.append({"result": await self._mutated(given, context, is_dry=is_dry)})
            except HttpError as error:
                shown = {"error_code": error.code, "message": str(error)}
                results.append({"error": shown})
        return json_response({"results": results}, MEDIA_TYPE, EACH)

    async def _mutated(self, given: Mapping[str, Any], context: str, *, is_dry: bool) -> JsonObject:
        """Neighbours that do the same are one change; what was done before one that fails stays."""
        resource = resource_of(given, is_dry=is_dry)
        place = resource.id, resource.type
        schemas: dict[str, StoredSchema | None] = {}
        for doing, run in groupby(_operations(given), key=lambda one: one["opType"]):
            if doing == DELETE:
                for one in run:
                    kinds, cascades = [str(one.get("associationType"))], one.get("cascadeLifecycle")
                    await self._delete(place, kinds, cascades=bool(cascades), is_dry=is_dry)
                continue
            is_new = doing == CREATE
            asked = tuple(checked(resource, one, is_new=is_new) for one in run)
            written = await self._write(Change(resource, asked, is_new), context, is_dry=is_dry)
            schemas |= {one.kind: schema for one, schema in written}
        found = [] if is_dry else self._table.of_resource(*place)
        return _answer(resource, [(one, schemas.get(one.kind)) for one in found])


def _answer(
    resource: Resource, found: Iterable[tuple[Association, StoredSchema | None]]
) -> JsonObject:
    parts = [one.as_part(None if schema is None else schema_json(schema)) for one, schema in found]
    return {**resource.as_json(), **({"associations": parts} if parts else {})}


def _without_schema(_one: Association) -> None:
    return None


def _schema_of(given: Mapping[str, Any]) -> SchemaText:
    return with_tags(schema_of(given), given, REGISTERED)


def _guid(random: Random) -> str:
    """Of version 4 (RFC 9562): by chance, but for version and variant."""
    number = int.from_bytes(random.randbytes(16), "big")
    number = number & ~FIXED_BITS | VERSION_4
    digits = f"{number:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def _shown(request: Request, found: list[Association]) -> list[Association]:
    """Those of topics that the user may know of."""
    shown = request.may_show
    if shown is None:
        return found
    return [one for one in found if subject_of_values(one.resource.name) in shown]


def _type_of(request: Request) -> str:
    return request.one("resourceType") or TOPIC


def _fitting(request: Request, found: Iterable[Association]) -> list[Association]:
    lifecycle = request.one("lifecycle")
    if lifecycle not in (None, STRONG, WEAK):
        raise HttpError(404, "HTTP 404 Not Found")  # what JAX-RS makes of it
    return fitting(found, request.query.get("associationType", ()), lifecycle)


def _context_of(request: Request) -> str:
    """In the path or in the query; without one the default."""
    return request.parameters.get("context") or request.one("context") or WHOLE_DEFAULT


def _requests(request: Request) -> list[Mapping[str, Any]]:
    given = json_body(request).get("requests")
    if not isinstance(given, list) or not given:
        raise invalid("requests", "cannot be null or empty")
    if not all(isinstance(one, dict) for one in given):
        raise invalid("requests", "is a list of objects")
    return given


def _operations(given: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Each is looked at before the first is done."""
    found = given.get("associations")
    if not isinstance(found, list) or not found:
        raise invalid("associations", "cannot be null or empty")
    kinds: set[str] = set()
    for one in found:
        if not isinstance(one, dict) or one.get("opType") not in (CREATE, UPSERT, DELETE):
            raise invalid("opType", f"must be one of {CREATE}, {UPSERT} and {DELETE}")
        kind = str(one.get("associationType") or "value")
        if kind in kinds:
            text = f"may only appear once per request, but '{kind}' appears more than once"
            raise invalid("associationType", text)
        kinds.add(kind)
    return found


def _looked_for(given: Mapping[str, Any]) -> Resource:
    texts = [given.get(f"resource{part}") or "" for part in ("Name", "Namespace", "Id", "Type")]
    name, namespace, resource_id, resource_type = map(str, texts)
    if not (name or resource_id):
        raise invalid("resourceId", "either resourceId or resourceName must be specified")
    if name and not namespace:
        text = "resourceNamespace is required when resourceName is specified"
        raise invalid("resourceNamespace", text)
    return Resource(name, namespace, resource_id, resource_type or TOPIC)
