"""JSON Schema behind the table of languages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from moldau.schemas.json_schema.accepting import ALL, Comparison
from moldau.schemas.json_schema.changing import changed_json
from moldau.schemas.json_schema.data import JsonData, decode_json
from moldau.schemas.json_schema.pointers import Document, Node, nodes_of
from moldau.schemas.model import InvalidSchemaError
from moldau.schemas.parsed import ChangeField, Decode, Difference, Encode, ParsedSchema, no_format
from moldau.schemas.shapes.forms import FORMS, shown_as
from moldau.schemas.shapes.of_json_schema import json_shape

__all__ = ["JSON_LANGUAGE", "JsonLanguage", "JsonSchema"]

JSON: Final = "JSON"
DEPTH_MAX: Final = 100
OBJECTS: Final = ("properties", "patternProperties", "definitions", "$defs")
UNBOUNDED: Final = frozenset(
    ("pattern", "patternProperties", "uniqueItems", "$ref", "$dynamicRef", "$recursiveRef")
)
"""Expressions that explode, pairs of items, and branches that branch again at each level."""
LISTS: Final = ("allOf", "anyOf", "oneOf", "prefixItems")


class JsonSchema:
    """One schema."""

    def __init__(self, document: Document) -> None:
        self.document = document

    def __repr__(self) -> str:
        return f"JsonSchema({self.canonical[:60]})"

    @property
    def canonical(self) -> str:
        return json.dumps(self.document.root, separators=(",", ":"), ensure_ascii=False)

    @property
    def normalized(self) -> str:
        root = self.document.root
        return json.dumps(root, separators=(",", ":"), ensure_ascii=False, sort_keys=True)

    def formatted(self, name: str) -> str:
        if name in ("", "default"):
            return self.canonical
        if name in FORMS:
            return shown_as(name, (json_shape(self.document),))
        raise no_format(name, JSON)

    @property
    def record_name(self) -> str | None:
        """Its title, as Confluent's serializers have it."""
        root = self.document.root
        title = root.get("title") if isinstance(root, dict) else None
        return title if isinstance(title, str) else None

    @property
    def field_names(self) -> frozenset[str]:
        root = self.document.root
        named = root.get("properties") if isinstance(root, dict) else None
        return frozenset(named if isinstance(named, dict) else ())

    @property
    def has_indexes(self) -> bool:
        return False

    def record_name_of(self, value: Any) -> str | None:
        return self.record_name

    def record_name_in(self, data: bytes) -> str | None:
        return self.record_name

    def encoder(self) -> Encode:
        return JsonData(self.document).encode

    def decoder(self, reader: ParsedSchema | None = None) -> Decode:
        """By the reader's schema alone where there is one: JSON has its names with it."""
        wanted = self if reader is None else reader
        assert isinstance(wanted, JsonSchema)
        return JsonData(wanted.document).decode

    def bounded_decoder(self) -> Decode:
        """Any JSON, where the schema has something that may take time without end."""
        if any(not UNBOUNDED.isdisjoint(node) for node in nodes_of(self.document.root)):
            return decode_json
        return self.decoder()

    def changed(self, value: Any, change: ChangeField) -> Any:
        return changed_json(self.document, value, change)

    def payload_start(self, data: bytes) -> int:
        return 0

    def json_encoder(self) -> Encode:
        return self.encoder()

    def json_decoder(self) -> Decode:
        return self.decoder()


class JsonLanguage:
    """The line of the table."""

    name: Final = JSON

    def parse(self, text: str, references: Mapping[str, str], *, as_new: bool = True) -> JsonSchema:
        others = {name: _loaded(other) for name, other in references.items()}
        root = _loaded(text)
        for node in nodes_of(root):
            _check(node)
        document = Document(root, others)
        document.check()
        return JsonSchema(document)

    def differences(
        self, reader: ParsedSchema, writer: ParsedSchema, *, lenient: bool = False
    ) -> list[Difference]:
        assert isinstance(reader, JsonSchema)
        assert isinstance(writer, JsonSchema)
        comparison = Comparison(reader.document, writer.document, lenient=lenient)
        return comparison.compare(reader.document.root, writer.document.root)


def _loaded(text: str) -> Node:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidSchemaError(f"The schema is not JSON: {error}") from None
    if not isinstance(found, dict | bool):
        raise InvalidSchemaError("A JSON Schema is an object, true or false")
    _ensure_shallow(found)
    return found


def _ensure_shallow(root: Node) -> None:
    """Whatever compares two schemas climbs down into them."""
    level: list[Node] = [root] if isinstance(root, dict) else []
    for _ in range(DEPTH_MAX):
        values = (one.values() if isinstance(one, dict) else one for one in level)
        level = [item for inner in values for item in inner if isinstance(item, dict | list)]
        if not level:
            return
    raise InvalidSchemaError(f"The schema is nested more than {DEPTH_MAX} deep")


def _check(node: dict[str, Node]) -> None:
    """What would mean nothing; a property may have any of these names, so only shapes count."""
    kinds = node.get("type")
    if isinstance(kinds, str | list):
        given = [kinds] if isinstance(kinds, str) else kinds
        unknown = [one for one in given if not isinstance(one, str) or one not in ALL]
        if unknown:
            raise InvalidSchemaError(f"There is no type {json.dumps(unknown[0])}")
    for key in LISTS:
        if key in node and isinstance(node[key], str | int | float):
            raise InvalidSchemaError(f"{key} has to be a list of schemas")
    for key in OBJECTS:
        if key in node and isinstance(node[key], str | int | float | list):
            raise InvalidSchemaError(f"{key} has to be an object")
    required = node.get("required")
    if isinstance(required, list) and not all(isinstance(one, str) for one in required):
        raise InvalidSchemaError("required has to be a list of names")


JSON_LANGUAGE: Final = JsonLanguage()
