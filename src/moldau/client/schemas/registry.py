"""A registry for programs without a loop, and for serializers, which block while they ask."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from moldau.client.schemas.calls import RegisteredSchema, RegistryCalls
from moldau.client.schemas.settings import RegistrySettings, registry_settings
from moldau.client.sync.own_loop import OwnLoop
from moldau.platform.closing import Closing
from moldau.schemas.model import SchemaText
from moldau.schemas.parsed import ParsedSchema

__all__ = ["RegistryClient"]

Value = TypeVar("Value")


class RegistryClient(Closing):
    """Connects with the first question, and may be pickled: the copy connects anew."""

    def __init__(self, where: str | Mapping[str, object] | RegistrySettings) -> None:
        """A URL, several with commas between, or options as in `settings`."""
        if not isinstance(where, RegistrySettings):
            where = registry_settings(where)
        self.settings = where
        self._loop: OwnLoop | None = None

    def __repr__(self) -> str:
        return f"<RegistryClient of {','.join(self.settings.urls)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return RegistryClient, (self.settings,)

    def close(self) -> None:
        loop, self._loop = self._loop, None
        if loop is not None:
            loop.close(_nothing)

    def ask(self, work: Callable[[RegistryCalls], Awaitable[Value]]) -> Value:
        """What these calls give back; for those that have no method here."""
        if self._loop is None or not self._loop.background.is_running:
            self._loop = OwnLoop("moldau-registry-client", "the registry's client")
        loop = self._loop

        async def run() -> Value:
            calls = RegistryCalls(self.settings, loop.world.network, loop.world.tasks)
            return await work(calls)

        return loop.call(run)

    def register(
        self, subject: str, schema: SchemaText, *, normalize: bool = False
    ) -> RegisteredSchema:
        """Its id; the same one again for what is registered already."""
        return self.ask(lambda calls: calls.register(subject, schema, normalize=normalize))

    def look_up(
        self, subject: str, schema: SchemaText, *, normalize: bool = False
    ) -> RegisteredSchema:
        """The version of the subject that has this schema; `RegistryError` where none has it."""
        return self.ask(lambda calls: calls.look_up(subject, schema, normalize=normalize))

    def latest(self, subject: str) -> RegisteredSchema:
        return self.ask(lambda calls: calls.latest(subject))

    def version(self, subject: str, version: int) -> RegisteredSchema:
        return self.ask(lambda calls: calls.version(subject, version))

    def by_id(self, number: int, subject: str | None = None) -> RegisteredSchema:
        return self.ask(lambda calls: calls.by_id(number, subject))

    def by_guid(self, guid: str) -> RegisteredSchema:
        return self.ask(lambda calls: calls.by_guid(guid))

    def parsed(self, schema: SchemaText) -> ParsedSchema:
        """With all that it refers to; `InvalidSchemaError` for what is none."""
        return self.ask(lambda calls: calls.parsed(schema))

    def subjects(self) -> list[str]:
        return self.ask(lambda calls: calls.subjects())

    def versions(self, subject: str) -> list[int]:
        return self.ask(lambda calls: calls.versions(subject))


async def _nothing() -> None:
    """Connections are closed with each answer."""
