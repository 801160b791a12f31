"""What a broker in the same process needs to know of the schemas that records name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from moldau.programs.http.messages import HttpError
from moldau.programs.registry.lookups import by_guid, by_id, places_of_id
from moldau.programs.registry.parsing import Parser
from moldau.programs.registry.state import RegistryState
from moldau.schemas.known import KnownSchema

__all__ = ["RegistrySchemas"]


class RegistrySchemas:
    """Looked up in the state of a registry."""

    def __init__(self, state: RegistryState, read_to_end: Callable[[], Awaitable[None]]) -> None:
        """What is not known is looked for in the topic first: other registries write to it too."""
        self._state = state
        self._read_to_end = read_to_end
        self._parser = Parser()

    def __repr__(self) -> str:
        return f"RegistrySchemas({self._state!r})"

    async def find(self, schema: int | str) -> KnownSchema | None:
        """By its id or GUID; None where there is none."""
        await self._read_to_end()
        try:
            stored = (
                by_id(self._state, schema)
                if isinstance(schema, int)
                else by_guid(self._state, schema)
            )
        except HttpError:
            return None
        subjects = frozenset(
            one.subject for one in places_of_id(self._state, stored.id, stored.subject)
        )
        try:
            parsed = self._parser.parse(self._state, stored.schema, stored.subject)
            return KnownSchema(subjects, parsed, stored.schema)
        except HttpError:
            return KnownSchema(subjects, None)
