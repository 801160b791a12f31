"""Reads the message schemas inside Apache Kafka's jars, and lists what they have for every field.

A schema is JSON with comments: one message with its fields, nested where a field is a struct. What
both sides say is brought into one form, `FieldFacts`, so that a difference is a sentence:

- every range of versions is cut down to the versions that the message and the structs around the
  field are in, because outside of them it says nothing;
- a path such as `topics.partitions.index` stands for the nesting, because names of structs are
  not on the wire.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from moldau.protocol.wire.types import NULL_UUID
from moldau.protocol.wire.versions import NONE, Versions
from tests.judges.kafka_jars import message_jars

SCHEMA_FILE = re.compile(r"(common/)?(message|metadata)/[^/]+\.json")
COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*')
WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
ZEROS: dict[str, object] = {
    "bool": False, "string": "", "bytes": b"", "uuid": NULL_UUID, "float64": 0.0, "records": None
}  # fmt: skip
"""Defaults of fields that declare none; numbers are 0, arrays and structs are empty."""
EMPTY = "empty"

Schema = dict[str, Any]


@dataclass(frozen=True)
class FieldFacts:
    """What one field is, wherever it was declared."""

    path: str
    type: str
    """Kafka's name, `struct`, and `[]` before what an array holds."""
    versions: Versions
    nullable: Versions
    tagged: Versions
    tag: int | None
    default: object
    ignorable: bool
    map_key: bool
    flexible: bool
    entity: str | None


def apache_schemas(libs: Path) -> dict[str, Schema]:
    """Every message by its name, also those whose versions have all been removed."""
    schemas = {}
    for jar in message_jars(libs):
        with zipfile.ZipFile(jar) as archive:
            for name in filter(SCHEMA_FILE.fullmatch, archive.namelist()):
                schema = json.loads(COMMENT.sub(r"\1", archive.read(name).decode()))
                schemas[schema["name"]] = schema
    return schemas


def versions_of(schema: Schema, key: str) -> Versions:
    return Versions.parse(schema[key]) if key in schema else NONE


def apache_facts(schema: Schema) -> dict[str, FieldFacts]:
    """All fields of a message that are in one of its versions, by path and in wire order."""
    shared = {struct["name"]: struct["fields"] for struct in schema.get("commonStructs", [])}
    valid = versions_of(schema, "validVersions")
    return {facts.path: facts for facts in _walk(schema.get("fields", []), shared, "", valid)}


def _walk(
    fields: list[Schema], shared: Schema, within: str, valid: Versions
) -> Iterator[FieldFacts]:
    for field in fields:
        facts = _facts(field, within, valid)
        if facts.versions == NONE:
            continue
        yield facts
        if "struct" in facts.type:
            inner = field.get("fields") or shared[field["type"].removeprefix("[]")]
            yield from _walk(inner, shared, f"{facts.path}.", facts.versions)


def _facts(field: Schema, within: str, valid: Versions) -> FieldFacts:
    tagged = versions_of(field, "taggedVersions")
    versions = (versions_of(field, "versions") if "versions" in field else tagged).within(valid)
    array, element = re.fullmatch(r"(\[\])?(.*)", field["type"]).groups()  # type: ignore[union-attr]
    kind = (array or "") + ("struct" if element[0].isupper() else element)
    return FieldFacts(
        path=within + snake_case(field["name"]),
        type=kind,
        versions=versions,
        nullable=versions_of(field, "nullableVersions").within(versions),
        tagged=tagged.within(versions),
        tag=field.get("tag"),
        default=_default(kind, field.get("default")),
        ignorable=field.get("ignorable", False),
        map_key=field.get("mapKey", False),
        flexible=field.get("flexibleVersions") != "none",
        entity=field.get("entityType"),
    )


def _default(kind: str, declared: object) -> object:
    if declared == "null":
        return None
    if kind.startswith("[]") or kind == "struct":
        return EMPTY
    if declared is None or kind not in ZEROS:
        return ZEROS.get(kind, int(str(declared or 0), 0))
    return str(declared).lower() == "true" if kind == "bool" else declared


def snake_case(name: str) -> str:
    """`LeaderId` as `leader_id`; KRaft is one word to us."""
    return WORD_START.sub("_", name.replace("KRaft", "Kraft")).lower()
