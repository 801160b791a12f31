"""Avro's types as objects; a record may hold itself."""

from __future__ import annotations

from typing import Any, Final

__all__ = ["MISSING", "NAMED", "PRIMITIVES", "AvroField", "AvroType"]

PRIMITIVES: Final = frozenset(
    ("null", "boolean", "int", "long", "float", "double", "bytes", "string")
)
NAMED: Final = frozenset(("record", "error", "enum", "fixed"))
MISSING: Final = object()
"""In place of a default that is not there: null is one."""


class AvroField:
    """One field of a record."""

    __slots__ = ("aliases", "default", "doc", "name", "order", "properties", "type")

    def __init__(self, name: str, kind: AvroType) -> None:
        self.name = name
        self.type = kind
        self.doc: str | None = None
        self.default: object = MISSING
        self.order = "ascending"
        self.aliases: tuple[str, ...] = ()
        self.properties: dict[str, Any] = {}

    def __repr__(self) -> str:
        return f"AvroField({self.name}: {self.type.shown})"

    @property
    def has_default(self) -> bool:
        return self.default is not MISSING


class AvroType:
    """One type; which of the attributes it has depends on its kind."""

    __slots__ = (
        "aliases",
        "branches",
        "default",
        "doc",
        "fields",
        "items",
        "kind",
        "name",
        "properties",
        "size",
        "space",
        "symbols",
    )

    def __init__(self, kind: str, name: str = "", space: str = "") -> None:
        self.kind = kind
        self.name = name
        self.space = space
        self.doc: str | None = None
        self.aliases: tuple[str, ...] = ()
        self.properties: dict[str, Any] = {}
        self.fields: list[AvroField] = []
        self.symbols: list[str] = []
        self.default: str | None = None
        """Of an enum."""
        self.size = 0
        self.items: AvroType
        """Of an array or a map."""
        self.branches: list[AvroType] = []

    def __repr__(self) -> str:
        return f"AvroType({self.shown})"

    @property
    def full_name(self) -> str:
        return f"{self.space}.{self.name}" if self.space else self.name

    @property
    def shown(self) -> str:
        """For a person; also what a union may hold once."""
        return self.full_name if self.kind in NAMED else self.kind
