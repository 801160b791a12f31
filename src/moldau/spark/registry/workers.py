"""What runs in Spark's workers: each asks the registry once for a schema, and keeps it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, Final, NamedTuple

import pyarrow as pa

from moldau.client.errors import SerializationError
from moldau.client.schemas.calls import RegistryError
from moldau.client.schemas.deserializing import SchemaDeserializer
from moldau.client.schemas.registry import RegistryClient
from moldau.client.schemas.serializing import SchemaSerializer
from moldau.schemas.model import AVRO, SchemaText
from moldau.spark.registry.texts import json_text, plain

__all__ = [
    "Options",
    "Read",
    "Target",
    "Write",
    "decode",
    "deserializer_of",
    "encode",
    "options_of",
    "writer",
    "writer_of",
]

Options = tuple[tuple[str, str], ...]
Write = Callable[[Any], bytes | None]
DECODED: Final = pa.struct([("text", pa.string()), ("problem", pa.string())])
NOT_FOUND: Final = 404


class Target(NamedTuple):
    """What is written: of no `schema` the newest of the subject."""

    subject: str
    schema: str | None
    kind: str


class Read(NamedTuple):
    """A value as JSON, or why it is none."""

    text: str | None
    problem: str | None


def options_of(registry: str | Mapping[str, str]) -> Options:
    """Where it is, in a form that travels and can be compared."""
    given = {"url": registry} if isinstance(registry, str) else registry
    return tuple(sorted(given.items()))


def decode(deserializer: SchemaDeserializer, values: pa.Array) -> pa.Array:
    """Each value as JSON; a registry that cannot be asked is an error, and no record's fault."""
    read = partial(_read, deserializer)
    rows = [None if value is None else read(value)._asdict() for value in values.to_pylist()]
    return pa.array(rows, DECODED)


def _read(deserializer: SchemaDeserializer, value: bytes) -> Read:
    try:
        return Read(json_text(deserializer("value", value)), None)
    except SerializationError as error:
        return Read(None, str(error))
    except RegistryError as error:
        if error.status != NOT_FOUND:
            raise
        return Read(None, str(error))


def encode(write: Write, rows: pa.Array) -> pa.Array:
    """Each row as bytes in the registry's frame."""
    return pa.array([write(row) for row in rows.to_pylist(maps_as_pydicts="strict")], pa.binary())


@cache
def deserializer_of(options: Options, reader: SchemaText | None) -> SchemaDeserializer:
    return SchemaDeserializer(RegistryClient(dict(options)), reader)


@cache
def writer_of(options: Options, target: Target) -> Write:
    return writer(RegistryClient(dict(options)), target)


def writer(registry: RegistryClient, target: Target) -> Write:
    """What makes bytes of rows: Avro takes them as they are, the others as JSON has them."""
    if target.schema is None:
        schema = registry.latest(target.subject).schema
    else:
        schema = SchemaText(target.schema, target.kind)
    serializer = SchemaSerializer(
        registry,
        schema,
        subject=lambda topic, is_key, record: target.subject,
        use_latest=target.schema is None,
    )
    if schema.kind == AVRO:
        return lambda row: serializer(target.subject, row)
    return lambda row: None if row is None else serializer(target.subject, plain(row))
