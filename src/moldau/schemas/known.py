"""What checking the schema id of a record needs of a registry, where it is not decoded."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from moldau.schemas.model import SchemaText
from moldau.schemas.parsed import ParsedSchema

__all__ = ["KnownSchema", "SchemaLookup"]


class KnownSchema(NamedTuple):
    """One schema, and where it is registered."""

    subjects: frozenset[str]
    parsed: ParsedSchema | None
    """None where its language cannot be read here."""
    schema: SchemaText | None = None
    """Its metadata and rules, where it has some."""

    @property
    def record_name(self) -> str | None:
        return None if self.parsed is None else self.parsed.record_name


class SchemaLookup(Protocol):
    """The way to a registry."""

    async def find(self, schema: int | str) -> KnownSchema | None:
        """By its id or GUID; None where there is none, `MoldauError` without an answer."""
        ...
