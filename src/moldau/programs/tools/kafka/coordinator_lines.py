"""Formatters of Kafka's own topics: offsets, groups, transactions and share groups as JSON.

What a coordinator writes has its type in the key and its version in the value; each formatter
shows some types and is silent of the others. Kafka's end no line, and so these do not either.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from moldau.broker.log.dump.decoders import (
    OFFSETS_MODULES,
    SHARE_STATE_MODULES,
    TRANSACTIONS_MODULES,
    coordinator_messages,
)
from moldau.broker.log.dump.plain_json import json_text, plain_message
from moldau.client import ConsumerRecord
from moldau.errors import DecodeError, MoldauError
from moldau.programs.tools.kafka.deserializers import UnreadableError
from moldau.protocol.wire.compile import decode
from moldau.protocol.wire.schema import Message

__all__ = [
    "CoordinatorWriter",
    "GroupWriter",
    "OffsetWriter",
    "ShareGroupWriter",
    "ShareStateWriter",
    "TransactionWriter",
]

NUMBER_BYTES = 2
"""Of the type before a key, and of the version before a value."""


class CoordinatorWriter:
    """A record as JSON, if it is of one of these types."""

    MODULES: ClassVar[tuple[str, ...]]
    TYPES: ClassVar[range | None] = None
    """None is all."""

    def __init__(self, _properties: Mapping[str, str]) -> None:
        self._messages = coordinator_messages(self.MODULES)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self._messages)} types>"

    def line(self, record: ConsumerRecord) -> bytes:
        """Nothing of a record that is of no type here."""
        if record.key is None:
            return b""
        try:
            return self._json(bytes(record.key), record.value)
        except MoldauError as error:
            raise UnreadableError(
                f"Could not read record at offset {record.offset} due to: {error}"
            ) from error

    def _json(self, key: bytes, value: bytes | None) -> bytes:
        kind, data = _number_and_rest(key)
        if kind not in self._messages or (self.TYPES is not None and kind not in self.TYPES):
            return b""
        key_class, value_class = self._messages[kind]
        shown: dict[str, object] = {
            "key": {"type": kind, "data": _plain(key_class, 0, data)},
            "value": None,
        }
        if value is not None:
            version, data = _number_and_rest(bytes(value))
            shown["value"] = {"version": version, "data": _plain(value_class, version, data)}
        return json_text(shown).encode()


def _number_and_rest(data: bytes) -> tuple[int, bytes]:
    if len(data) < NUMBER_BYTES:
        raise DecodeError(f"{len(data)} bytes are too few for a type or a version")
    return int.from_bytes(data[:NUMBER_BYTES], "big", signed=True), data[NUMBER_BYTES:]


def _plain(message_class: type[Message], version: int, data: bytes) -> dict[str, object]:
    if version not in message_class.VERSIONS:
        raise DecodeError(f"{message_class.__name__} has no version {version}")
    return plain_message(decode(message_class, version, data), version)


class OffsetWriter(CoordinatorWriter):
    """Kafka's OffsetsMessageFormatter."""

    MODULES = OFFSETS_MODULES
    TYPES = range(2)


class GroupWriter(CoordinatorWriter):
    """Kafka's GroupMetadataMessageFormatter: of classic groups."""

    MODULES = OFFSETS_MODULES
    TYPES = range(2, 3)


class ShareGroupWriter(CoordinatorWriter):
    """Kafka's ShareGroupMessageFormatter."""

    MODULES = OFFSETS_MODULES
    TYPES = range(10, 16)


class TransactionWriter(CoordinatorWriter):
    """Kafka's TransactionLogMessageFormatter."""

    MODULES = TRANSACTIONS_MODULES


class ShareStateWriter(CoordinatorWriter):
    """Kafka's ShareGroupStateMessageFormatter."""

    MODULES = SHARE_STATE_MODULES
