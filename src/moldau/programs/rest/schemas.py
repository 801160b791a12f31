"""Keys and values by schemas of a registry, between JSON and bytes.

A request names a schema by its text, which is registered then, by its id, by a version of a
subject, or not at all, which is the latest one of the subject. What the registry answers is kept,
but for the latest version, which changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, NamedTuple

from moldau.client.errors import ClientError
from moldau.client.schemas.calls import LATEST, RegisteredSchema, RegistryCalls
from moldau.client.schemas.kept import KeptAnswers
from moldau.programs.rest.refusals import Refusal, bad_data, refuse
from moldau.schemas.data_errors import DataError
from moldau.schemas.framing import frame_of, id_frame
from moldau.schemas.model import InvalidSchemaError, SchemaText
from moldau.schemas.parsed import Decode, Encode
from moldau.schemas.subjects import subject_strategy

__all__ = ["FORMAT_OF", "KIND_OF", "TOPIC_NAME", "Schemas", "Wanted", "Writer"]

KIND_OF: Final[Mapping[str, str]] = {"AVRO": "AVRO", "JSONSCHEMA": "JSON", "PROTOBUF": "PROTOBUF"}
"""Formats of the proxy, and what the registry calls their languages."""
FORMAT_OF: Final = {kind: name for name, kind in KIND_OF.items()}
NO_REGISTRY: Final = "Payload error. Schema Registry must be configured when using schemas."
NOT_WRITTEN: Final = "Error serializing message."
TOPIC_NAME: Final = "TopicNameStrategy"


class Wanted(NamedTuple):
    """The schema that a request names for the keys or the values of a topic."""

    topic: str
    is_key: bool
    kind: str | None = None
    """Of the registry; any where it is None."""
    text: str | None = None
    id: int | None = None
    version: int | None = None
    subject: str | None = None
    strategy: str = TOPIC_NAME

    @property
    def is_latest(self) -> bool:
        return self.text is None and self.id is None and self.version is None

    def subject_of(self, record_name: str | None) -> str:
        if self.subject is not None:
            return self.subject
        return subject_strategy(self.strategy)(self.topic, self.is_key, record_name)


class Writer(NamedTuple):
    """What writes by one schema."""

    schema: RegisteredSchema
    encode: Encode

    def write(self, data: object) -> bytes:
        """With the id in front; `DataError` for what is none of the schema."""
        payload, indexes = self.encode(data)
        return id_frame(self.schema.id) + indexes + payload


class _Reader(NamedTuple):
    """What reads what was written by one schema."""

    kind: str
    decode: Decode


class Schemas:
    """The schemas of one registry, or of none: then a request that needs one is refused."""

    def __init__(self, calls: RegistryCalls | None = None, absent: str = NO_REGISTRY) -> None:
        """`absent` is why there is none."""
        self._calls = calls
        self._absent = absent
        self._writers: KeptAnswers[Wanted, Writer] = KeptAnswers()
        self._encoders: KeptAnswers[str, Encode] = KeptAnswers()
        self._readers: KeptAnswers[int | str, _Reader] = KeptAnswers()

    def __repr__(self) -> str:
        return f"<Schemas of {None if self._calls is None else self._calls.settings}>"

    async def writer(self, wanted: Wanted) -> Writer:
        calls = self._registry()
        with _refusals():
            if wanted.is_latest:
                return await self._found(calls, wanted)
            return await self._writers.get(wanted, partial(self._found, calls, wanted))

    async def read(self, kind: str, data: bytes) -> Any:  # noqa: ANN401  # any JSON
        """The JSON of a key or a value that names its schema, which has to be of this kind."""
        calls = self._registry()
        with _refusals():
            try:
                schema, payload = frame_of(data)
                reader = await self._readers.get(schema, partial(_reader, calls, schema))
                if reader.kind == kind:
                    return reader.decode(payload)
            except DataError as error:
                raise refuse(Refusal.NOT_CONVERTIBLE, str(error)) from None
        text = f"it is of the format {_format(reader.kind)}, and not {_format(kind)}"
        raise refuse(Refusal.FORMAT_MISMATCH, text)

    def _registry(self) -> RegistryCalls:
        if self._calls is None:
            raise refuse(Refusal.INVALID_PAYLOAD, self._absent)
        return self._calls

    async def _found(self, calls: RegistryCalls, wanted: Wanted) -> Writer:
        if wanted.text is not None:
            return await self._registered(calls, wanted, wanted.text)
        if wanted.id is not None:
            schema = await calls.by_id(wanted.id, wanted.subject)
        else:
            version = LATEST if wanted.version is None else wanted.version
            schema = await calls.version(wanted.subject_of(None), version)
        kind = schema.schema.kind
        if wanted.kind not in (None, kind):
            text = f"schema {schema.id} is of the type {_format(kind)}"
            raise refuse(Refusal.INVALID_PAYLOAD, text)
        encode = await self._encoders.get(
            f"{kind} {schema.guid}", partial(_encoder, calls, schema.schema)
        )
        return Writer(schema, encode)

    async def _registered(self, calls: RegistryCalls, wanted: Wanted, given: str) -> Writer:
        """By its text; what is no schema is not registered."""
        text = SchemaText(given, wanted.kind or "AVRO")
        parsed = await calls.parsed(text)
        schema = await calls.register(wanted.subject_of(parsed.record_name), text)
        return Writer(schema, parsed.json_encoder())


async def _encoder(calls: RegistryCalls, schema: SchemaText) -> Encode:
    return (await calls.parsed(schema)).json_encoder()


async def _reader(calls: RegistryCalls, name: int | str) -> _Reader:
    found = await (calls.by_id(name) if isinstance(name, int) else calls.by_guid(name))
    parsed = await calls.parsed(found.schema)
    return _Reader(found.schema.kind, parsed.json_decoder())


def _format(kind: str) -> str:
    return FORMAT_OF.get(kind, kind)


@contextmanager
def _refusals() -> Iterator[None]:
    """What the registry refuses, and what is no schema, with the codes of the proxy."""
    try:
        yield
    except InvalidSchemaError as error:
        raise refuse(Refusal.INVALID_SCHEMA, f"Invalid schema: {error}") from None
    except DataError as error:
        raise bad_data(str(error)) from None
    except ClientError as error:
        raise refuse(Refusal.WITHOUT_SCHEMA, f"{NOT_WRITTEN} {error}") from None
