"""Protobuf behind the table of languages."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any, Final

from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.message import Message

from moldau.schemas.data_errors import DataError
from moldau.schemas.parsed import ChangeField, Decode, Difference, Encode, ParsedSchema, no_format
from moldau.schemas.protobuf.changing import changed_message
from moldau.schemas.protobuf.data import ProtobufData, full_name_at, read_indexes
from moldau.schemas.protobuf.pools import Resolved, resolved
from moldau.schemas.protobuf.printing import proto_text
from moldau.schemas.protobuf.wire_rules import proto_differences
from moldau.schemas.shapes.forms import FORMS, shown_as
from moldau.schemas.shapes.of_protobuf import protobuf_shapes

__all__ = ["PROTOBUF_LANGUAGE", "ProtobufLanguage", "ProtobufSchema"]

PROTOBUF: Final = "PROTOBUF"


class ProtobufSchema:
    """One file."""

    def __init__(self, given: Resolved, text: str) -> None:
        self.file = given.file
        self._pool = given.pool
        self._printed = proto_text(given.file)
        self._text = text if given.has_others else self._printed

    def __repr__(self) -> str:
        messages = ", ".join(message.name for message in self.file.message_type)
        return f"ProtobufSchema({messages})"

    @property
    def canonical(self) -> str:
        """As it was written where it has options that a descriptor does not keep."""
        return self._text

    @property
    def normalized(self) -> str:
        return self._printed

    def formatted(self, name: str) -> str:
        """`serialized` is the descriptor in base64; `ignore_extensions` leaves out options and
        fields that a file adds to others' messages."""
        if name == "serialized":
            return base64.b64encode(self.file.SerializeToString()).decode()
        if name in ("", "default"):
            return self.canonical
        if name == "ignore_extensions":
            return proto_text(_without_extensions(self.file))
        if name in FORMS:
            return shown_as(name, protobuf_shapes(self.file, self._pool))
        raise no_format(name, PROTOBUF)

    @property
    def record_name(self) -> str | None:
        if not self.file.message_type:
            return None
        first = str(self.file.message_type[0].name)
        return f"{self.file.package}.{first}" if self.file.package else first

    @property
    def field_names(self) -> frozenset[str]:
        messages = self.file.message_type
        return (
            frozenset(str(field.name) for field in messages[0].field) if messages else frozenset()
        )

    @property
    def has_indexes(self) -> bool:
        return True

    def record_name_of(self, value: Any) -> str | None:
        """A mapping is written as the first message of the file."""
        if isinstance(value, Mapping):
            return self.record_name
        if not isinstance(value, Message):
            raise DataError(f"{value!r} is no message of Protobuf")
        return str(value.DESCRIPTOR.full_name)

    def record_name_in(self, data: bytes) -> str | None:
        return full_name_at(self.file, read_indexes(data)[0])

    def encoder(self) -> Encode:
        return ProtobufData(self.file, self._pool).encode

    def decoder(self, reader: ParsedSchema | None = None) -> Decode:
        """By the reader's schema alone where there is one: fields are known by their numbers."""
        wanted = self if reader is None else reader
        assert isinstance(wanted, ProtobufSchema)
        return ProtobufData(wanted.file, wanted._pool).decode

    def bounded_decoder(self) -> Decode:
        return self.decoder()

    def changed(self, value: Any, change: ChangeField) -> Any:
        message = ProtobufData(self.file, self._pool).message_of(value)
        return changed_message(message, change)

    def payload_start(self, data: bytes) -> int:
        return read_indexes(data)[1]

    def json_encoder(self) -> Encode:
        """Of the first message of the file."""
        return self.encoder()

    def json_decoder(self) -> Decode:
        return ProtobufData(self.file, self._pool).decode_json


def _without_extensions(file: FileDescriptorProto) -> FileDescriptorProto:
    found = FileDescriptorProto()
    found.CopyFrom(file)
    del found.extension[:]
    below = list(found.message_type)
    while below:
        message = below.pop()
        del message.extension[:]
        del message.extension_range[:]
        below += message.nested_type
    return found


class ProtobufLanguage:
    """The line of the table."""

    name: Final = PROTOBUF

    def parse(
        self, text: str, references: Mapping[str, str], *, as_new: bool = True
    ) -> ProtobufSchema:
        return ProtobufSchema(resolved(text, references), text)

    def differences(
        self, reader: ParsedSchema, writer: ParsedSchema, *, lenient: bool = False
    ) -> list[Difference]:
        assert isinstance(reader, ProtobufSchema)
        assert isinstance(writer, ProtobufSchema)
        return proto_differences(reader.file, writer.file)


PROTOBUF_LANGUAGE: Final = ProtobufLanguage()
