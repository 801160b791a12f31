"""A key or a value of v3: its `data`, and what turns it into bytes.

    {"type": "STRING", "data": "k"}
    {"type": "AVRO", "schema": "\"int\"", "data": 1}
    {"schema_id": 7, "data": 1}
    {"subject": "orders-value", "schema_version": 2, "data": 1}
    {"data": 1}

The last one is by the latest schema of its subject.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from moldau.programs.rest.bodies import maybe_field
from moldau.programs.rest.formats import WRITERS
from moldau.programs.rest.links import Json
from moldau.programs.rest.refusals import bad_data, bad_request
from moldau.programs.rest.schemas import FORMAT_OF, KIND_OF, TOPIC_NAME, Schemas, Wanted, Writer
from moldau.schemas.data_errors import DataError

__all__ = ["part_bytes"]

PLAIN: Final = ("type", "data")
OF_SCHEMA: Final = ("subject", "subject_name_strategy", "schema_id", "schema_version", "schema")


async def part_bytes(
    schemas: Schemas, topic: str, given: Mapping[str, Any], name: str, sizes: dict[str, Json]
) -> bytes | None:
    """The bytes of the key or the value, whose account goes into `sizes`."""
    part = given.get(name)
    if part is None:
        return None
    if type(part) is not dict:
        raise bad_request(f"{name} has to be an object")
    kind = (maybe_field(part, "type", str) or "").upper()
    if len(part) > len(PLAIN) or "data" not in part:
        _ensure_fields(part, kind)
    plain, data = WRITERS.get(kind), part.get("data")
    if plain is not None:
        found = None if data is None else plain(data)
        sizes[name] = {"type": kind, "size": 0 if found is None else len(found)}
        return found
    if kind and kind not in KIND_OF:
        raise bad_request(f"type of {name} is one of {', '.join((*WRITERS, *KIND_OF))}")
    writer = await schemas.writer(_wanted(part, topic, name, kind))
    found = None if data is None else _written(writer, name, data)
    sizes[name] = _account(writer, found)
    return found


def _ensure_fields(part: Mapping[str, Any], kind: str) -> None:
    """400 for fields that there are not, and for those of a schema where the format has none."""
    for name in part:
        if name not in PLAIN and name not in OF_SCHEMA:
            raise bad_request(f'Unrecognized field "{name}"')
        if kind in WRITERS and name in OF_SCHEMA and part[name] is not None:
            raise bad_request(f"'type={kind}' cannot be used with '{name}'.")


def _wanted(part: Mapping[str, Any], topic: str, name: str, kind: str) -> Wanted:
    """Text, id and version exclude each other, and so do a subject and a strategy."""
    text = maybe_field(part, "schema", str)
    number, version = maybe_field(part, "schema_id", int), maybe_field(part, "schema_version", int)
    if sum(one is not None for one in (text, number, version)) > 1:
        raise bad_request(f"{name} has one of schema, schema_id and schema_version")
    if text is not None and not kind:
        raise bad_request(f"{name} has a schema, so it needs a type: {', '.join(KIND_OF)}")
    subject = maybe_field(part, "subject", str)
    strategy = maybe_field(part, "subject_name_strategy", str)
    if subject is not None and strategy is not None:
        raise bad_request(f"{name} has one of subject and subject_name_strategy")
    return Wanted(
        topic,
        name == "key",
        KIND_OF.get(kind),
        text,
        number,
        version,
        subject,
        _strategy(strategy),
    )


def _strategy(name: str | None) -> str:
    """`TOPIC_NAME` is `TopicNameStrategy`."""
    if name is None:
        return TOPIC_NAME
    if "_" not in name and not name.isupper():
        return name
    return "".join(word.capitalize() for word in name.split("_")) + "Strategy"


def _written(writer: Writer, name: str, data: object) -> bytes:
    try:
        return writer.write(data)
    except DataError as error:
        raise bad_data(str(error.under(name))) from None


def _account(writer: Writer, found: bytes | None) -> Json:
    schema = writer.schema
    kind = schema.schema.kind
    account = {
        "type": FORMAT_OF.get(kind, kind),
        "subject": schema.subject or None,
        "schema_id": schema.id,
        "schema_version": schema.version if schema.version > 0 else None,
        "size": 0 if found is None else len(found),
    }
    return {label: value for label, value in account.items() if value is not None}
