"""Bytes to values by the schema that the record names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from moldau.client.errors import InvalidArgumentError, SerializationError
from moldau.client.schemas.associated import strategy_of
from moldau.client.schemas.kept import Kept
from moldau.client.schemas.migrations import find_migration
from moldau.client.schemas.registry import RegistryClient
from moldau.schemas.data_errors import DataError
from moldau.schemas.framing import KEY_HEADER, VALUE_HEADER, frame_of
from moldau.schemas.model import InvalidSchemaError, SchemaText
from moldau.schemas.parsed import Decode, ParsedSchema
from moldau.schemas.rules import (
    READ,
    Record,
    RuleAction,
    RuleExecutor,
    RunFor,
    Scene,
    rules_of,
)
from moldau.schemas.subjects import SubjectOf

__all__ = ["SchemaDeserializer"]

Headers: TypeAlias = Iterable[tuple[str, bytes | None]]
Read: TypeAlias = Callable[[bytes, Record], Any]
"""Of the payload, and of the record that it is from."""


class _Plan(NamedTuple):
    """How values of one schema and subject are read."""

    decode: Decode
    on_bytes: RunFor | None
    migrate: RunFor | None
    on_values: RunFor | None

    def read(self, data: bytes, start: int, record: Record) -> Any:  # noqa: ANN401
        """Of a payload behind `start` bytes of indexes."""
        if self.on_bytes is not None:
            data = data[:start] + self.on_bytes(data[start:], record)
        value = self.decode(data)
        if self.migrate is not None:
            value = self.migrate(value, record)
        return value if self.on_values is None else self.on_values(value, record)


class SchemaDeserializer:
    """For `value_deserializer`, or with `is_key` for `key_deserializer`.

    Values are those of the schema that wrote them, or with `reader` as that schema has them, or
    with `use_latest` as the subject's newest version has them, by the migration rules of the
    versions between; which one is newest is asked with each schema that has not written before, and
    is the same for all from then on. Avro gives dictionaries, Protobuf messages, JSON Schema what
    JSON has; `into` makes something else of each.

    `rules` run those that the schema has, such as `FieldEncryption`; without them values come as
    they were written. `actions` are what rules name for their success and failure, such as
    `DeadLetters`. Rules know the keys of a subject, which is named as its serializer named it.
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
        actions: Sequence[RuleAction] = (),
        use_latest: bool = False,
    ) -> None:
        if use_latest and reader is not None:
            raise InvalidArgumentError("values are read by a reader's schema or by the newest one")
        self._registry = registry
        self._reader = SchemaText(reader) if isinstance(reader, str) else reader
        self._parsed_reader: ParsedSchema | None = None
        self._into = into
        self._is_key = is_key
        self._header = KEY_HEADER if is_key else VALUE_HEADER
        self._subject = subject
        self._subject_of = strategy_of(subject, registry)
        self._rules = rules
        self._actions = actions
        self.takes_key = bool(actions)
        """A consumer of this client gives it: a dead letter has it, too."""
        self._use_latest = use_latest
        self._readers: Kept[tuple[int | str, str], Read] = Kept(self._read_by)
        self._newest: dict[str, int] = {}
        """Versions, by subject."""

    def __repr__(self) -> str:
        return f"<SchemaDeserializer by {self._registry!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        given = {
            "is_key": self._is_key,
            "into": self._into,
            "subject": self._subject,
            "rules": self._rules,
            "actions": self._actions,
            "use_latest": self._use_latest,
        }
        return _again, (self._registry, self._reader, given)

    def __call__(self, topic: str, data: bytes) -> Any:  # noqa: ANN401
        return self.deserialize(topic, data)

    def deserialize(
        self, topic: str, data: bytes, headers: Headers = (), *, key: object = None
    ) -> Any:  # noqa: ANN401
        """The schema may be named in a header."""
        headers = tuple(headers)
        prefix = next((value for name, value in headers if name == self._header and value), b"")
        try:
            schema, payload = frame_of(prefix + data)
            value = self._readers.get((schema, topic))(payload, Record(topic, data, headers, key))
        except (DataError, InvalidSchemaError) as error:
            raise SerializationError(f"a record of {topic}: {error}") from None
        return value if self._into is None else self._into(value)

    def _read_by(self, named: tuple[int | str, str]) -> Read:
        registry, (schema, topic) = self._registry, named
        found = registry.by_id(schema) if isinstance(schema, int) else registry.by_guid(schema)
        writer = registry.parsed(found.schema)
        if not self._rules and not self._use_latest:
            decode = self._decoder(writer, self._given_reader(), found.schema.kind)
            return lambda payload, _: decode(payload)

        def plan_for(record_name: str | None) -> _Plan:
            subject = self._subject_of(topic, self._is_key, record_name)
            return self._plan(subject, found.schema, writer)

        plans: Kept[str | None, _Plan] = Kept(plan_for)

        def read(payload: bytes, record: Record) -> Any:  # noqa: ANN401
            plan = plans.get(writer.record_name_in(payload))
            return plan.read(payload, writer.payload_start(payload), record)

        return read

    def _plan(self, subject: str, schema: SchemaText, writer: ParsedSchema) -> _Plan:
        if self._use_latest:
            return self._plan_for_latest(subject, schema, writer)
        reader = self._given_reader()
        scene = Scene(reader or writer, subject, READ)
        on_values, on_bytes = rules_of(schema, scene, self._rules or (), self._actions)
        return _Plan(self._decoder(writer, reader, schema.kind), on_bytes, None, on_values)

    def _plan_for_latest(self, subject: str, schema: SchemaText, writer: ParsedSchema) -> _Plan:
        """Rules for bytes are those of the schema that wrote them."""
        registry, given = self._registry, (self._rules or (), self._actions)
        latest = registry.latest(subject)
        if self._newest.get(subject, latest.version) != latest.version:
            self._readers = Kept(self._read_by)  # by the one that was newest before
        self._newest[subject] = latest.version
        reader = registry.parsed(latest.schema)
        decode, migrate = self._decoder(writer, reader, schema.kind), None
        on_bytes = on_values = None
        if self._rules:
            migrate = find_migration(registry, subject, schema, latest, *given)
            on_bytes = rules_of(schema, Scene(writer, subject, READ), *given).on_bytes
            on_values = rules_of(latest.schema, Scene(reader, subject, READ), *given).on_values
        if migrate is not None:
            decode = writer.json_decoder() if writer.has_indexes else writer.decoder()
            migrate = _fitted(migrate, reader)
        return _Plan(decode, on_bytes, migrate, on_values)

    def _given_reader(self) -> ParsedSchema | None:
        if self._reader is not None and self._parsed_reader is None:
            self._parsed_reader = self._registry.parsed(self._reader)
        return self._parsed_reader

    def _decoder(self, writer: ParsedSchema, reader: ParsedSchema | None, kind: str) -> Decode:
        if reader is not None and type(writer) is not type(reader):
            raise DataError(f"it was written by a schema of {kind}, not the reader's")
        return writer.decoder(reader)


def _fitted(migrate: RunFor, reader: ParsedSchema) -> RunFor:
    """What comes of it as a value of the schema that it is read by."""
    encode, decode = reader.encoder(), reader.decoder()

    def run(value: object, record: Record) -> Any:  # noqa: ANN401
        payload, indexes = encode(migrate(value, record))
        return decode(indexes + payload)

    return run


def _again(
    registry: RegistryClient, reader: SchemaText | None, given: dict[str, Any]
) -> SchemaDeserializer:
    return SchemaDeserializer(registry, reader, **given)
