"""What every handler is given: the state, who changes it, and the names in a request."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, TypeVar

from moldau.platform.ports.randomness import Random
from moldau.programs.http.messages import Handler, HttpError, Request, Response
from moldau.programs.registry.lookups import resolved
from moldau.programs.registry.names import ensure_subject, in_context
from moldau.programs.registry.parsing import Parser
from moldau.programs.registry.records import StoredSchema, StoreRecord
from moldau.programs.registry.refusals import Refusal, refuse
from moldau.programs.registry.registering import Registrar
from moldau.programs.registry.state import RegistryState
from moldau.schemas.levels import Level
from moldau.schemas.model import InvalidSchemaError
from moldau.schemas.parsed import UnknownFormatError
from moldau.schemas.shapes.form_names import FORM_NAMES

__all__ = ["Scope", "Store"]

Answer = TypeVar("Answer")

NOT_THERE = 404
JSON, PLAIN_TEXT = "application/json", "text/plain; charset=utf-8"


class Store(Protocol):
    """Where records are kept: a topic, or a list."""

    @property
    def state(self) -> RegistryState: ...

    async def read_to_end(self) -> None: ...

    async def write(
        self, decide: Callable[[RegistryState], tuple[Answer, Sequence[StoreRecord]]]
    ) -> Answer: ...


class Scope:
    """What the routes of a registry share."""

    def __init__(self, store: Store, default: Level, random: Random) -> None:
        self.store = store
        self.random = random
        self.default = default
        self.parser = Parser()
        self.registrar = Registrar(store.state, self.parser, default)

    @property
    def state(self) -> RegistryState:
        return self.store.state

    def subject(self, request: Request) -> str:
        """As it is in the path, with the context that may stand before it there."""
        name = in_context(request.parameters.get("context", ""), request.parameters["subject"])
        return resolved(self.state, ensure_subject(name))

    def key_subject(self, request: Request) -> str:
        """Whose keys are meant: of the subject in the path, or of the one that its alias names."""
        name = in_context(request.parameters.get("context", ""), request.parameters["subject"])
        return resolved(self.state, name, for_keys=True)

    def asked_subject(self, request: Request) -> str:
        """The subject, or only its context, of the query."""
        return in_context(request.parameters.get("context", ""), request.one("subject") or "")

    def formatted(self, stored: StoredSchema, name: str | None) -> str | None:
        """Another form of its text; None for the text as it is, as for a form that is not known."""
        if not name:
            return None
        try:
            parsed = self.parser.parse(self.state, stored.schema, stored.subject)
            return parsed.formatted(name.lower())
        except UnknownFormatError:
            return None
        except InvalidSchemaError as error:
            raise refuse(Refusal.INVALID_SCHEMA, str(error)) from None

    def text(self, stored: StoredSchema, name: str | None) -> Response:
        """The text alone; what is written for programs is no JSON."""
        text = self.formatted(stored, name) or stored.schema.text
        return Response(
            text.encode(), media_type=PLAIN_TEXT if (name or "").lower() in FORM_NAMES else JSON
        )

    def reading(self, handler: Callable[[Request], Response]) -> Handler:
        """What is not there may have been written by another registry a moment ago: look again."""

        def answer(request: Request) -> Response | Awaitable[Response]:
            try:
                return handler(request)
            except HttpError as error:
                if error.status != NOT_THERE:
                    raise
            return self._again(handler, request)

        return answer

    async def _again(self, handler: Callable[[Request], Response], request: Request) -> Response:
        await self.store.read_to_end()
        return handler(request)
