"""How the keys and values of records are shown.

Plain topics: as text, or as numbers. Kafka's own topics: decoded into JSON by the first bytes of
key and value (coordinators), or by the frame of a metadata record. What cannot be decoded is shown
as a sentence in its place, and the dump goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple, Protocol

from moldau.broker.log.dump.group import with_consumer_protocol
from moldau.broker.log.dump.plain_json import json_text, plain_message
from moldau.errors import DecodeError, MoldauError
from moldau.protocol.messages.index import OTHERS, load
from moldau.protocol.records.record import Record
from moldau.protocol.wire.compile import decode
from moldau.protocol.wire.schema import Message
from moldau.protocol.wire.varint import decode_uvarint

FRAME_VERSION = 1
_VERSION_BYTES = 2
OFFSETS_MODULES = (
    "stored.offsets",
    "stored.classic_group",
    "stored.consumer_group",
    "stored.share_group",
    "stored.streams_group",
)
TRANSACTIONS_MODULES = ("stored.transaction_log",)
SHARE_STATE_MODULES = ("stored.share_state",)
METADATA_MODULES = (
    "stored.metadata_topics",
    "stored.metadata_brokers",
    "stored.metadata_cluster",
    "stored.metadata_security",
    "stored.metadata_transactions",
)
REMOTE_LOG_MODULES = ("stored.remote_log",)


class Part(NamedTuple):
    """A key or a value."""

    plain: object
    """For programs."""
    text: str | None
    """For people; None shows nothing."""


NOTHING = Part(None, None)
DELETED = Part(None, "<DELETE>")


class Decoder(Protocol):
    """Shows a record."""

    def read(self, record: Record) -> tuple[Part, Part]:
        """Its key and its value."""
        ...


BytesDecoder = Callable[[bytes], object]


class PlainDecoder:
    """Keys and values by themselves."""

    def __init__(self, key: BytesDecoder, value: BytesDecoder) -> None:
        self._key = key
        self._value = value

    def read(self, record: Record) -> tuple[Part, Part]:
        return _part(record.key, self._key), _part(record.value, self._value)


def _part(data: bytes | None, decoder: BytesDecoder) -> Part:
    if data is None:
        return NOTHING
    plain = decoder(data)
    return Part(plain, str(plain))


def as_text(data: bytes) -> str:
    return data.decode(errors="replace")


def as_integer(data: bytes) -> int:
    return _number(data, 4)


def as_long(data: bytes) -> int:
    return _number(data, 8)


def _number(data: bytes, size: int) -> int:
    if len(data) != size:
        raise DecodeError(f"{len(data)} bytes are no number of {size}; choose another decoder")
    return int.from_bytes(data, "big", signed=True)


BYTES_DECODERS: dict[str, BytesDecoder] = {
    "org.apache.kafka.tools.api.StringDecoder": as_text,
    "org.apache.kafka.tools.api.IntegerDecoder": as_integer,
    "org.apache.kafka.tools.api.LongDecoder": as_long,
    "org.apache.kafka.tools.api.DefaultDecoder": as_text,
}
"""By the names of Kafka's own; its `DefaultDecoder` shows an address, ours the text."""


class CoordinatorDecoder:
    """Records of a coordinator's topic: the key has the type, the value the version."""

    def __init__(self, modules: tuple[str, ...]) -> None:
        self._modules = modules

    def read(self, record: Record) -> tuple[Part, Part]:
        if record.key is None:
            raise DecodeError(f"record at offset {record.offset} has no key; is it another topic?")
        kind = int.from_bytes(record.key[:_VERSION_BYTES], "big", signed=True)
        pair = coordinator_messages(self._modules).get(kind)
        if pair is None:
            sentence = f"Unknown record type {kind} at offset {record.offset}, skipping."
            return Part(sentence, sentence), NOTHING
        try:
            return _key_part(pair[0], record.key), _value_part(pair[1], record.value)
        except MoldauError as error:
            sentence = f"Error at offset {record.offset}, skipping. {error}"
            return Part(sentence, sentence), NOTHING


@cache
def coordinator_messages(
    modules: tuple[str, ...],
) -> dict[int, tuple[type[Message], type[Message]]]:
    """Key and value class by record type."""
    keys = {
        name.removesuffix("Key"): load(module, name)
        for module in modules
        for name in OTHERS[module]
        if name.endswith("Key")
    }
    return {
        key.KEY: (key, load(module, f"{stem}Value"))
        for module in modules
        for stem, key in keys.items()
        if f"{stem}Value" in OTHERS[module]
    }


def _key_part(message_class: type[Message], key: bytes) -> Part:
    message = decode(message_class, 0, key[_VERSION_BYTES:])
    plain = {"type": str(message_class.KEY), "data": plain_message(message, 0)}
    return Part(plain, json_text(plain))


def _value_part(message_class: type[Message], value: bytes | None) -> Part:
    if value is None:
        return DELETED
    version = int.from_bytes(value[:_VERSION_BYTES], "big", signed=True)
    if version not in message_class.VERSIONS:
        raise DecodeError(f"{message_class.__name__} has no version {version}")
    message = decode(message_class, version, value[_VERSION_BYTES:])
    data = with_consumer_protocol(message, plain_message(message, version))
    plain = {"version": str(version), "data": data}
    return Part(plain, json_text(plain))


class MetadataDecoder:
    """Records of the metadata log, or of the remote log metadata topic, which frames alike."""

    def __init__(self, modules: tuple[str, ...]) -> None:
        self._modules = modules

    def read(self, record: Record) -> tuple[Part, Part]:
        try:
            return NOTHING, self._value(record.value or b"")
        except MoldauError as error:
            sentence = f"Error at {record.offset}, skipping. {error}"
            return NOTHING, Part(sentence, sentence)

    def _value(self, value: bytes) -> Part:
        try:
            frame, position = decode_uvarint(value, 0)
            kind, position = decode_uvarint(value, position)
            version, position = decode_uvarint(value, position)
        except IndexError as error:
            raise DecodeError("the frame of the record is cut off") from error
        message_class = _framed_messages(self._modules).get(kind)
        if frame != FRAME_VERSION or message_class is None:
            raise DecodeError(f"frame version {frame}, record id {kind}: there is none")
        if version not in message_class.VERSIONS:
            raise DecodeError(f"{message_class.__name__} has no version {version}")
        message = decode(message_class, version, value[position:])
        plain = {
            "type": _enum_name(message_class.__name__),
            "version": version,
            "data": plain_message(message, version),
        }
        return Part(plain, json_text(plain))


@cache
def _framed_messages(modules: tuple[str, ...]) -> dict[int, type[Message]]:
    classes = [load(module, name) for module in modules for name in OTHERS[module]]
    return {message_class.KEY: message_class for message_class in classes}


def _enum_name(name: str) -> str:
    """`FeatureLevelRecord` as `FEATURE_LEVEL_RECORD`."""
    words = "".join(f"_{letter}" if letter.isupper() else letter for letter in name)
    return words.removeprefix("_").upper()
