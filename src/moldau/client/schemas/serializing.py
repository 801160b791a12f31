"""Values to bytes by a schema that a registry knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from enum import Enum
from typing import Any, NamedTuple, TypeAlias

from moldau.client.errors import InvalidArgumentError, SerializationError
from moldau.client.schemas.associated import strategy_of
from moldau.client.schemas.calls import RegisteredSchema
from moldau.client.schemas.kept import Kept
from moldau.client.schemas.registry import RegistryClient
from moldau.schemas.data_errors import DataError
from moldau.schemas.framing import KEY_HEADER, VALUE_HEADER, guid_frame, id_frame
from moldau.schemas.model import SchemaText
from moldau.schemas.parsed import Encoded, ParsedSchema
from moldau.schemas.rules import WRITE, Record, RuleAction, RuleExecutor, Scene, rules_of
from moldau.schemas.subjects import SubjectOf, subject_of_topic

__all__ = ["FRAMES", "SchemaSerializer"]

FRAMES = ("id", "guid", "header")


EncodeFor: TypeAlias = Callable[[Any, object], Encoded]
"""Of a value, and the key of its record."""


class _Chosen(NamedTuple):
    """What the values of one topic are written with."""

    encode: EncodeFor
    frame: bytes


class SchemaSerializer:
    """For `value_serializer`, or with `is_key` for `key_serializer`.

    A schema is registered with the first value for a topic. With `auto_register=False` it has to be
    there, and with `use_latest` the newest version of the subject is taken, whatever it is.

    `frame` is where the schema is named: by its `id` in front of the payload, as everyone reads it;
    by its `guid` there; or by its GUID in a `header`, where the payload is left bare.

    `rules` run those that the schema has, such as `FieldEncryption`; `actions` are what those name
    for their success and failure, such as `DeadLetters`.
    """

    def __init__(
        self,
        registry: RegistryClient,
        schema: SchemaText | str | None = None,
        *,
        is_key: bool = False,
        subject: str | SubjectOf = "topic",
        auto_register: bool = True,
        use_latest: bool = False,
        normalize: bool = False,
        frame: str = "id",
        rules: Sequence[RuleExecutor] = (),
        actions: Sequence[RuleAction] = (),
    ) -> None:
        """`subject` is a strategy: `topic`, `record`, `topic_record`, or a function; with
        `associated` the registry has the subject of the topic.
        """
        if schema is None and not use_latest:
            raise InvalidArgumentError("a serializer needs a schema, or use_latest=True")
        if frame not in FRAMES:
            raise InvalidArgumentError(f"a frame is one of {', '.join(FRAMES)}, and not {frame!r}")
        self._registry = registry
        self._schema = SchemaText(schema) if isinstance(schema, str) else schema
        self._parsed: ParsedSchema | None = None
        self._is_key = is_key
        self._subject = strategy_of(subject, registry)
        self._auto_register = auto_register
        self._use_latest = use_latest
        self._normalize = normalize
        self._frame = frame
        self._rules = rules
        self._actions = actions
        self.uses_header = frame == "header"
        """A producer of this client adds it."""
        self.takes_key = bool(actions)
        """A producer of this client gives it: a dead letter has it, too."""
        self._chosen: Kept[tuple[str, str | None], _Chosen] = Kept(self._choose)

    def __repr__(self) -> str:
        return f"<SchemaSerializer by {self._registry!r}>"

    def __call__(self, topic: str, value: object) -> bytes | None:
        if self.uses_header:
            raise InvalidArgumentError("a schema in a header needs a producer of this client")
        return self.serialize(topic, value)[0]

    def serialize(
        self, topic: str, value: object, *, key: object = None
    ) -> tuple[bytes | None, tuple[tuple[str, bytes], ...]]:
        """The bytes, and headers to be added; `key` is the record's, for actions."""
        if value is None:
            return None, ()
        try:
            plain = _plain(value)
            encode, frame = self._chosen.get((topic, self._record_name(plain)))
            payload, indexes = encode(plain, key)
        except DataError as error:
            what = "key" if self._is_key else "value"
            raise SerializationError(
                f"a {what} for {topic} is none of its schema: {error}"
            ) from None
        if self.uses_header:
            name = KEY_HEADER if self._is_key else VALUE_HEADER
            return payload, ((name, frame + indexes),)
        return frame + indexes + payload, ()

    def _record_name(self, value: object) -> str | None:
        """What the subject may be named after; one file of Protobuf has many messages."""
        if self._schema is None or self._subject is subject_of_topic:
            return None
        if self._parsed is None:
            self._parsed = self._registry.parsed(self._schema)
        return self._parsed.record_name_of(value)

    def _choose(self, place: tuple[str, str | None]) -> _Chosen:
        subject, registered = self._registered(*place)
        encode = self._encoder(place[0], subject, registered.schema)
        by_id = self._frame == "id"
        return _Chosen(encode, id_frame(registered.id) if by_id else guid_frame(registered.guid))

    def _encoder(self, topic: str, subject: str, schema: SchemaText) -> EncodeFor:
        """With the rules around it."""
        parsed = self._registry.parsed(schema)
        encode = parsed.encoder()
        scene = Scene(parsed, subject, WRITE)
        on_values, on_bytes = rules_of(schema, scene, self._rules, self._actions)
        if on_values is None and on_bytes is None:
            return lambda value, _: encode(value)

        def encode_by_rules(value: object, key: object) -> Encoded:
            record = Record(topic, value, key=key)
            found = encode(value if on_values is None else on_values(value, record))
            if on_bytes is None:
                return found
            return found._replace(payload=on_bytes(found.payload, record))

        return encode_by_rules

    def _registered(self, topic: str, record_name: str | None) -> tuple[str, RegisteredSchema]:
        """With its subject."""
        registry, schema = self._registry, self._schema
        subject = self._subject(topic, self._is_key, record_name)
        if schema is None or self._use_latest:
            return subject, registry.latest(subject)
        if self._auto_register:
            return subject, registry.register(subject, schema, normalize=self._normalize)
        return subject, registry.look_up(subject, schema, normalize=self._normalize)


def _plain(value: object) -> object:
    """A mapping of what has fields: dataclasses and models of pydantic."""
    if isinstance(value, Mapping | str | bytes | int | float):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value, dict_factory=_with_names)
    dump = getattr(value, "model_dump", None)
    return dump() if callable(dump) else value


def _with_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An enum is its name, which is the symbol that its schema has."""
    return {name: one.name if isinstance(one, Enum) else one for name, one in pairs}
