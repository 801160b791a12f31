"""Tags that stand in a schema's text, at the records and fields that they are about.

A place is a path as Confluent's registry has it. Of Avro it is the full name of a record, and a
field's behind it: `shop.Order.card`. Of JSON Schema it leads through the document, with `object`
for what has properties: `object.card`, `object.lines.array.object.price`, `object.to.oneof.0`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from moldau.schemas.model import AVRO, InvalidSchemaError
from moldau.schemas.parsed import INLINE_TAGS

__all__ = ["JSON", "Place", "has_inline_tags", "inline_tags", "retagged"]

JSON: Final = "JSON"
RECORD: Final = "sr_record"
FIELD: Final = "sr_field"
COMBINED: Final[Mapping[str, str]] = {"allOf": "allof", "anyOf": "anyof", "oneOf": "oneof"}
BRANCHES: Final = ("if", "then", "else")
DEFINITIONS: Final = ("definitions", "$defs")


class Place(NamedTuple):
    """A record or a field of a schema."""

    kind: str
    """`sr_record` or `sr_field`."""
    path: str


Nodes: TypeAlias = dict[Place, dict[str, Any]]
Changes: TypeAlias = Iterable[tuple[Place, Sequence[str]]]


def has_inline_tags(kind: str) -> bool:
    """Whether this is known of the language."""
    return kind in (AVRO, JSON)


def inline_tags(kind: str, text: str) -> dict[Place, list[str]]:
    """All that have some, in their order."""
    found = {place: _tags_of(node) for place, node in _nodes(kind, json.loads(text)).items()}
    return {place: tags for place, tags in found.items() if tags}


def retagged(kind: str, text: str, added: Changes, removed: Changes) -> str:
    """The text with other tags; `InvalidSchemaError` for a place that is not in it."""
    document = json.loads(text)
    nodes = _nodes(kind, document)
    for place, tags in added:
        node = _node(nodes, place)
        _set(node, [*dict.fromkeys([*_tags_of(node), *tags])])
    for place, tags in removed:
        node = _node(nodes, place)
        _set(node, [tag for tag in _tags_of(node) if tag not in tags])
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False)


def _node(nodes: Nodes, place: Place) -> dict[str, Any]:
    if place not in nodes:
        raise InvalidSchemaError(f"it has no {place.kind} at {place.path!r}")
    return nodes[place]


def _tags_of(node: Mapping[str, Any]) -> list[str]:
    tags = node.get(INLINE_TAGS)
    return [str(tag) for tag in tags] if isinstance(tags, list) else []


def _set(node: dict[str, Any], tags: list[str]) -> None:
    node.pop(INLINE_TAGS, None)
    if tags:
        node[INLINE_TAGS] = tags


def _nodes(kind: str, document: Any) -> Nodes:  # any JSON
    found: Nodes = {}
    if kind == AVRO:
        _collect_avro(document, "", found)
    else:
        _collect_json(document, "", found, in_field=False)
    return found


def _collect_avro(node: Any, namespace: str, found: Nodes) -> None:  # any JSON
    if isinstance(node, list):
        for one in node:
            _collect_avro(one, namespace, found)
    if not isinstance(node, dict):
        return
    if node.get("type") not in ("record", "error"):
        for name in ("type", "items", "values"):
            _collect_avro(node.get(name), namespace, found)
        return
    space, _, bare = str(node.get("name")).rpartition(".")
    namespace = space or node.get("namespace", namespace)
    full = f"{namespace}.{bare}" if namespace else bare
    found[Place(RECORD, full)] = node
    for field in node.get("fields") or ():
        found[Place(FIELD, f"{full}.{field['name']}")] = field
        _collect_avro(field["type"], namespace, found)


def _collect_json(node: Any, scope: str, found: Nodes, *, in_field: bool) -> None:
    if not isinstance(node, dict):
        return
    for word, name in COMBINED.items():
        for index, one in enumerate(node.get(word) or ()):
            _collect_json(one, f"{scope}{name}.{index}.", found, in_field=False)
    for word in BRANCHES:
        _collect_json(node.get(word), f"{scope}conditional.{word}.", found, in_field=False)
    _collect_json(node.get("items"), f"{scope}array.", found, in_field=False)
    _collect_json(node.get("not"), f"{scope}not.", found, in_field=False)
    if "properties" in node or node.get("type") == "object":
        _collect_object(node, f"{scope}object", found, in_field=in_field)


def _collect_object(node: dict[str, Any], scope: str, found: Nodes, *, in_field: bool) -> None:
    """A field that is an object is tagged as the field that it is."""
    if not in_field:
        found[Place(RECORD, scope)] = node
    properties = node.get("properties")
    for name, one in properties.items() if isinstance(properties, dict) else ():
        if isinstance(one, dict):
            found[Place(FIELD, f"{scope}.{name}")] = one
        _collect_json(one, f"{scope}.{name}.", found, in_field=True)
    for word in DEFINITIONS:
        below = node.get(word)
        for name, one in below.items() if isinstance(below, dict) else ():
            _collect_json(one, f"{scope}.{word}.{name}.", found, in_field=False)
