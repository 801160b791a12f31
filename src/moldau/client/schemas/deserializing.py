"""Bytes to values by the schema that the record names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from moldau.client.errors import SerializationError
from moldau.client.schemas.kept import Kept
from moldau.client.schemas.registry import RegistryClient
from moldau.schemas.data_errors import DataError
from moldau.schemas.framing import KEY_HEADER, VALUE_HEADER, frame_of
from moldau.schemas.model import InvalidSchemaError, SchemaText
from moldau.schemas.parsed import Decode, ParsedSchema

__all__ = ["SchemaDeserializer"]

Headers: TypeAlias = Iterable[tuple[str, bytes | None]]


class SchemaDeserializer:
    """For `value_deserializer`, or with `is_key` for `key_deserializer`.

    Values are those of the schema that wrote them, or with `reader` as that schema has them. Avro
    gives dictionaries, Protobuf messages, JSON Schema what JSON has; `into` makes something else of
    each.
    """

    def __init__(
        self,
        registry: RegistryClient,
        reader: SchemaText | str | None = None,
        *,
        is_key: bool = False,
        into: Callable[[Any], Any] | None = None,
    ) -> None:
        self._registry = registry
        self._reader = SchemaText(reader) if isinstance(reader, str) else reader
        self._parsed_reader: ParsedSchema | None = None
        self._into = into
        self._header = KEY_HEADER if is_key else VALUE_HEADER
        self._decoders: Kept[int | str, Decode] = Kept(self._decoder)

    def __repr__(self) -> str:
        return f"<SchemaDeserializer by {self._registry!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        is_key = self._header == KEY_HEADER
        return _again, (self._registry, self._reader, is_key, self._into)

    def __call__(self, topic: str, data: bytes) -> Any:  # noqa: ANN401
        return self.deserialize(topic, data)

    def deserialize(self, topic: str, data: bytes, headers: Headers = ()) -> Any:  # noqa: ANN401
        """The schema may be named in a header."""
        prefix = next((value for name, value in headers if name == self._header and value), b"")
        try:
            schema, payload = frame_of(prefix + data)
            value = self._decoders.get(schema)(payload)
        except (DataError, InvalidSchemaError) as error:
            raise SerializationError(f"a record of {topic}: {error}") from None
        return value if self._into is None else self._into(value)

    def _decoder(self, schema: int | str) -> Decode:
        registry = self._registry
        found = registry.by_id(schema) if isinstance(schema, int) else registry.by_guid(schema)
        if self._reader is not None and self._parsed_reader is None:
            self._parsed_reader = registry.parsed(self._reader)
        writer = registry.parsed(found.schema)
        if self._parsed_reader is not None and type(writer) is not type(self._parsed_reader):
            raise DataError(f"it was written by a schema of {found.schema.kind}, not the reader's")
        return writer.decoder(self._parsed_reader)


def _again(
    registry: RegistryClient,
    reader: SchemaText | None,
    is_key: bool,
    into: Callable[[Any], Any] | None,
) -> SchemaDeserializer:
    return SchemaDeserializer(registry, reader, is_key=is_key, into=into)
