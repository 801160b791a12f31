"""`/dek-registry/v1/keks` and all that is below it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final

from moldau.programs.http.json_bodies import json_body
from moldau.programs.http.messages import Handler, HttpError, Request, Response
from moldau.programs.http.routes import Route
from moldau.programs.registry.api.bodies import ensure_media_type, page_of, reply
from moldau.programs.registry.api.scope import Scope
from moldau.programs.registry.keys.deciding import (
    algorithm_of,
    change_kek,
    create_dek,
    create_kek,
    delete_dek,
    delete_kek,
    ensure_untested,
    need_dek,
    need_kek,
    refuse_to_use,
    undelete_dek,
    undelete_kek,
)
from moldau.programs.registry.keys.records import DekPlace
from moldau.programs.registry.keys.state import KeyState
from moldau.programs.registry.keys.store import Keys
from moldau.programs.registry.names import in_context, version_of
from moldau.programs.registry.records import StoreRecord
from moldau.programs.registry.refusals import Refusal, refuse

__all__ = ["KeyRoutes"]

NOT_THERE: Final = 404
BASE: Final = "/dek-registry/v1/keks"
KEK: Final = f"{BASE}/{{name}}"
DEKS: Final = f"{KEK}/deks"
SUBJECT: Final = f"{DEKS}/{{subject}}"
VERSION: Final = f"{SUBJECT}/versions/{{version}}"
DONE: Final = Response(status=204)
FIRST: Final = "1"


class KeyRoutes:
    def __init__(self, scope: Scope, keys: Keys) -> None:
        self.scope = scope
        self.keys = keys

    def routes(self) -> list[Route]:
        """Those of schemas' contexts too: keys are of the cluster, their subjects of a context."""
        found = [*self._of_all(), *map(self._aliased, self._of_subjects())]
        below = [
            Route(method, f"/contexts/{{context}}{path}", handler)
            for method, path, handler in found
        ]
        return [*found, *below]

    def _of_all(self) -> list[Route]:
        return [
            Route("GET", BASE, self._reading(self.keks)),
            Route("POST", BASE, self.create_kek),
            Route("GET", KEK, self._reading(self.kek)),
            Route("PUT", KEK, self.change_kek),
            Route("DELETE", KEK, self.delete_kek),
            Route("POST", f"{KEK}/undelete", self.undelete_kek),
            Route("POST", f"{KEK}/test", self._reading(self.test_kek)),
            Route("GET", DEKS, self._reading(self.subjects)),
            Route("POST", DEKS, self.create_dek),
        ]

    def _of_subjects(self) -> list[Route]:
        return [
            Route("GET", SUBJECT, self._reading(self.dek)),
            Route("POST", SUBJECT, self.create_dek),
            Route("DELETE", SUBJECT, self.delete_deks),
            Route("POST", f"{SUBJECT}/undelete", self.undelete_deks),
            Route("GET", f"{SUBJECT}/versions", self._reading(self.versions)),
            Route("GET", VERSION, self._reading(self.dek)),
            Route("DELETE", VERSION, self.delete_dek),
            Route("POST", f"{VERSION}/undelete", self.undelete_dek),
        ]

    def _aliased(self, route: Route) -> Route:
        """With the subject whose keys are meant, which is found out before anything is waited for.

        Otherwise an alias that changes meanwhile would lead to keys of which the user has no right.
        """

        def answer(request: Request) -> Response | Awaitable[Response]:
            subject = self.scope.key_subject(request)
            parameters = {**request.parameters, "subject": subject}
            return route.handler(replace(request, parameters=parameters))

        return Route(route.method, route.pattern, answer)

    def _reading(self, handler: Callable[[Request, KeyState], Response]) -> Handler:
        """What is not there may have been written by another registry a moment ago: look again."""

        async def answer(request: Request) -> Response:
            try:
                return handler(request, await self.keys.known())
            except HttpError as error:
                if error.status != NOT_THERE:
                    raise
            return handler(request, await self.keys.known(again=True))

        return answer

    def keks(self, request: Request, state: KeyState) -> Response:
        deleted = request.flag("deleted")
        context = request.parameters.get("context", "")
        prefixes = request.query.get("subjectPrefix") or ([""] if context else [])
        wanted = tuple(in_context(context, prefix) for prefix in prefixes)
        names = [
            name
            for name, kek in sorted(state.keks.items())
            if (deleted or not kek.is_deleted) and (not wanted or _has_subject(state, name, wanted))
        ]
        return reply(page_of(request, names))

    def kek(self, request: Request, state: KeyState) -> Response:
        name = request.parameters["name"]
        return reply(need_kek(state, name, deleted=request.flag("deleted")).as_json())

    async def create_kek(self, request: Request) -> Response:
        ensure_media_type(request)
        body, is_tested = json_body(request), request.flag("testSharing")

        def decide(state: KeyState) -> tuple[str, Sequence[StoreRecord]]:
            name, records = create_kek(state, body)
            ensure_untested(body, is_tested=is_tested)
            return name, records

        return await self._kek_as_it_is(await self.keys.write(decide))

    def test_kek(self, request: Request, state: KeyState) -> Response:
        refuse_to_use(state, request.parameters["name"])

    async def change_kek(self, request: Request) -> Response:
        ensure_media_type(request)
        body, name = json_body(request), request.parameters["name"]
        is_tested = request.flag("testSharing")

        def decide(state: KeyState) -> tuple[str, Sequence[StoreRecord]]:
            ensure_untested({"name": name, **body}, is_tested=is_tested)
            return change_kek(state, name, body)

        await self.keys.write(decide)
        return await self._kek_as_it_is(name)

    async def _kek_as_it_is(self, name: str) -> Response:
        return reply(need_kek(await self.keys.known(), name, deleted=True).as_json())

    async def delete_kek(self, request: Request) -> Response:
        name, permanent = request.parameters["name"], request.flag("permanent")
        await self.keys.write(lambda state: delete_kek(state, name, permanent=permanent))
        return DONE

    async def undelete_kek(self, request: Request) -> Response:
        name = request.parameters["name"]
        await self.keys.write(lambda state: undelete_kek(state, name))
        return DONE

    def subjects(self, request: Request, state: KeyState) -> Response:
        name, deleted = request.parameters["name"], request.flag("deleted")
        need_kek(state, name, deleted=True)
        context = request.parameters.get("context", "")
        deks = state.deks.get(name, {}).values()
        found = {
            dek.place.subject
            for dek in deks
            if (deleted or not dek.is_deleted)
            and dek.place.subject.startswith(in_context(context, ""))
        }
        return reply(page_of(request, sorted(found)))

    async def create_dek(self, request: Request) -> Response:
        """The subject is in the path, or only in the body as clients had it before."""
        ensure_media_type(request)
        body, name = json_body(request), request.parameters["name"]
        subject = request.parameters.get("subject", body.get("subject"))
        if isinstance(subject, str):
            subject = in_context(request.parameters.get("context", ""), subject)
        whole, rewraps = {**body, "subject": subject}, request.flag("rewrap")
        place = await self.keys.write(lambda state: create_dek(state, name, whole, rewraps=rewraps))
        return reply(need_dek(await self.keys.known(), place, deleted=True).as_json())

    def dek(self, request: Request, state: KeyState) -> Response:
        found = need_dek(state, _place(request), deleted=request.flag("deleted"))
        return reply(found.as_json())

    def versions(self, request: Request, state: KeyState) -> Response:
        name, subject, algorithm, _ = _place(request)
        need_kek(state, name, deleted=True)
        found = state.of_subject(name, subject, algorithm, deleted=request.flag("deleted"))
        if not found:
            raise refuse(Refusal.KEY_NOT_FOUND, f"Key '{subject}' not found")
        return reply(page_of(request, [dek.place.version for dek in found]))

    async def delete_dek(self, request: Request) -> Response:
        place, permanent = _place(request), request.flag("permanent")
        await self.keys.write(lambda state: delete_dek(state, place, permanent=permanent))
        return DONE

    async def undelete_dek(self, request: Request) -> Response:
        place = _place(request)
        await self.keys.write(lambda state: undelete_dek(state, place))
        return DONE

    async def delete_deks(self, request: Request) -> Response:
        permanent = request.flag("permanent")

        def decide(state: KeyState) -> tuple[None, Sequence[StoreRecord]]:
            return delete_dek(state, _places(state, request), permanent=permanent)

        await self.keys.write(decide)
        return DONE

    async def undelete_deks(self, request: Request) -> Response:
        await self.keys.write(lambda state: undelete_dek(state, _places(state, request)))
        return DONE


def _place(request: Request) -> DekPlace:
    """Of one version; without one in the path the first, as Confluent's registry has it."""
    names = request.parameters
    version = version_of(names.get("version", FIRST))
    algorithm = algorithm_of(request.one("algorithm"))
    subject = in_context(names.get("context", ""), names["subject"])
    return DekPlace(names["name"], subject, algorithm, version)


def _places(state: KeyState, request: Request) -> list[DekPlace]:
    """Of all versions of the subject, with the algorithm of the query or with all of them."""
    name, subject, algorithm, _ = _place(request)
    need_kek(state, name, deleted=True)
    is_any = request.one("algorithm") is None
    found = [
        place
        for place in state.deks.get(name, {})
        if place.subject == subject and (is_any or place.algorithm == algorithm)
    ]
    if not found:
        raise refuse(Refusal.KEY_NOT_FOUND, f"Key '{subject}' not found")
    return found


def _has_subject(state: KeyState, name: str, prefixes: tuple[str, ...]) -> bool:
    return any(place.subject.startswith(prefixes) for place in state.deks.get(name, {}))
