"""Bytes to values by the schema that the record names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from moldau.client.errors import SerializationError
from moldau.client.schemas.kept import Kept
from moldau.client.schemas.registry import RegistryClient
from moldau.client.schemas.rules import READ, RuleExecutor, Rules, Scene, rules_of
from moldau.schemas.data_errors import DataError
from moldau.schemas.framing import KEY_HEADER, VALUE_HEADER, frame_of
from moldau.schemas.model import InvalidSchemaError, SchemaText
from moldau.schemas.parsed import Decode, ParsedSchema
from moldau.schemas.subjects import SubjectOf, subject_strategy

__all__ = ["SchemaDeserializer"]

Headers: TypeAlias = Iterable[tuple[str, bytes | None]]


class SchemaDeserializer:
    """For `value_deserializer`, or with `is_key` for `key_deserializer`.

    Values are those of the schema that wrote them, or with `reader` as that schema has them. Avro
    gives dictionaries, Protobuf messages, JSON Schema what JSON has; `into` makes something else of
    each.

    `rules` run those that the schema has, such as `FieldEncryption`; without them values come as
    they were written. Rules know the keys of a subject, which is named as its serializer named it.
    """

    def __init__(
        self,
        registry: RegistryClient,
        reader: SchemaText | str | None = None,
        *,
        is_key: bool = False,
        into: Callable[[Any], Any] | None = None,
        subject: str | SubjectOf = "topic",
        rules: Sequence[RuleExecutor] | None = None,
    ) -> None:
        self._registry = registry
        self._reader = SchemaText(reader) if isinstance(reader, str) else reader
        self._parsed_reader: ParsedSchema | None = None
        self._into = into
        self._is_key = is_key
        self._header = KEY_HEADER if is_key else VALUE_HEADER
        self._subject = subject
        self._subject_of = subject_strategy(subject) if isinstance(subject, str) else subject
        self._rules = rules
        self._decoders: Kept[tuple[int | str, str], Decode] = Kept(self._decoder)

    def __repr__(self) -> str:
        return f"<SchemaDeserializer by {self._registry!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        given = self._registry, self._reader, self._is_key, self._into, self._subject, self._rules
        return _again, given

    def __call__(self, topic: str, data: bytes) -> Any:  # noqa: ANN401
        return self.deserialize(topic, data)

    def deserialize(self, topic: str, data: bytes, headers: Headers = ()) -> Any:  # noqa: ANN401
        """The schema may be named in a header."""
        prefix = next((value for name, value in headers if name == self._header and value), b"")
        try:
            schema, payload = frame_of(prefix + data)
            value = self._decoders.get((schema, topic))(payload)
        except (DataError, InvalidSchemaError) as error:
            raise SerializationError(f"a record of {topic}: {error}") from None
        return value if self._into is None else self._into(value)

    def _decoder(self, named: tuple[int | str, str]) -> Decode:
        registry, (schema, topic) = self._registry, named
        found = registry.by_id(schema) if isinstance(schema, int) else registry.by_guid(schema)
        if self._reader is not None and self._parsed_reader is None:
            self._parsed_reader = registry.parsed(self._reader)
        writer = registry.parsed(found.schema)
        if self._parsed_reader is not None and type(writer) is not type(self._parsed_reader):
            raise DataError(f"it was written by a schema of {found.schema.kind}, not the reader's")
        decode = writer.decoder(self._parsed_reader)
        return self._by_rules(decode, topic, found.schema, writer)

    def _by_rules(
        self, decode: Decode, topic: str, schema: SchemaText, writer: ParsedSchema
    ) -> Decode:
        if not self._rules:
            return decode
        executors = self._rules

        def rules_for(record_name: str | None) -> Rules:
            subject = self._subject_of(topic, self._is_key, record_name)
            return rules_of(schema, Scene(self._parsed_reader or writer, subject, READ), executors)

        kept: Kept[str | None, Rules] = Kept(rules_for)

        def decode_by_rules(data: bytes) -> Any:  # noqa: ANN401
            on_values, on_bytes = kept.get(writer.record_name_in(data))
            if on_bytes is not None:
                start = writer.payload_start(data)
                data = data[:start] + on_bytes(data[start:])
            value = decode(data)
            return value if on_values is None else on_values(value)

        return decode_by_rules


def _again(
    registry: RegistryClient,
    reader: SchemaText | None,
    is_key: bool,
    into: Callable[[Any], Any] | None,
    subject: str | SubjectOf,
    rules: Sequence[RuleExecutor] | None,
) -> SchemaDeserializer:
    return SchemaDeserializer(
        registry, reader, is_key=is_key, into=into, subject=subject, rules=rules
    )
