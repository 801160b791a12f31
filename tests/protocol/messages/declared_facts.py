"""What our declarations say of every field, in the form that Apache's schemas are read into."""

from __future__ import annotations

from collections.abc import Iterator

from moldau.protocol.wire.declaration import UNSET
from moldau.protocol.wire.fields import Field, fields_of
from moldau.protocol.wire.schema import Message
from moldau.protocol.wire.types import Array, Primitive, StructOf, WireType
from moldau.protocol.wire.versions import NONE, Versions
from tests.judges.kafka_schemas import EMPTY, FieldFacts


def declared_facts(message: type[Message]) -> dict[str, FieldFacts]:
    """All fields of a message by path, in wire order."""
    return {facts.path: facts for facts in _walk(message, "", message.VERSIONS)}


def _walk(cls: type, within: str, valid: Versions) -> Iterator[FieldFacts]:
    for field in fields_of(cls):
        facts = _facts(field, within, valid)
        yield facts
        element = field.type.of if isinstance(field.type, Array) else field.type
        if isinstance(element, StructOf):
            yield from _walk(element.cls, f"{facts.path}.", facts.versions)


def _facts(field: Field, within: str, valid: Versions) -> FieldFacts:
    versions = field.versions.within(valid)
    return FieldFacts(
        path=within + field.name,
        type=kafka_name(field.type),
        versions=versions,
        nullable=field.nullable.within(versions),
        tagged=field.tagged.within(versions) if field.tag is not None else NONE,
        tag=field.tag,
        default=EMPTY if field.default is UNSET else field.default,
        ignorable=field.ignorable,
        map_key=field.map_key,
        flexible=field.flexible,
        entity=field.entity,
    )


def kafka_name(wire_type: WireType) -> str:
    """The type as a schema spells it, with `struct` for every struct."""
    match wire_type:
        case Array(of):
            return "[]" + kafka_name(of)
        case StructOf():
            return "struct"
        case Primitive(name):
            return name
