"""Data by a schema of Protobuf: messages of Google's package, made from the registered file.

A payload begins with the path to its message in the file: how many indexes, then each, as zigzag
numbers; the first message, which is the commonest, is one zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from google.protobuf import descriptor_pb2, json_format, message_factory
from google.protobuf.message import DecodeError, EncodeError, Message

from moldau.schemas.avro.decoding import read_long
from moldau.schemas.avro.encoding import zigzag
from moldau.schemas.data_errors import DataError
from moldau.schemas.parsed import Encoded

__all__ = ["ProtobufData", "full_name_at", "indexes_bytes", "indexes_of", "read_indexes"]

DEPTH_MAX: Final = 100
FIRST: Final = b"\0"
JSON_ERRORS: Final = (json_format.Error, DecodeError, TypeError, ValueError)


class ProtobufData:
    """Data of one file, in a pool that has it and all it imports."""

    def __init__(self, file: Any, pool: Any) -> None:
        self._file = file
        self._pool = pool
        self._classes: dict[tuple[int, ...], type[Message]] = {}
        self._indexes: dict[str, bytes] = {}

    def encode(self, value: object) -> Encoded:
        """A message, or a mapping as JSON has it for the first message of the file."""
        message = self.message_of(value)
        try:
            payload = message.SerializeToString()
        except EncodeError as error:
            raise DataError(str(error)) from None
        return Encoded(payload, self._indexes_of(message.DESCRIPTOR))

    def message_of(self, value: object) -> Message:
        if isinstance(value, Mapping):
            return self._of_mapping(value)
        if not isinstance(value, Message):
            raise DataError(f"{value!r} is no message of Protobuf")
        return value

    def decode(self, data: bytes) -> Message:
        """Indexes and payload."""
        path, at = read_indexes(data)
        message = self.class_at(path)()
        try:
            message.ParseFromString(data[at:])
        except DecodeError:
            name = message.DESCRIPTOR.full_name
            raise DataError(f"the bytes are no {name}") from None
        return message

    def decode_json(self, data: bytes) -> Any:
        """The same as JSON, with the fields that have their defaults."""
        message = self.decode(data)
        try:
            return json_format.MessageToDict(
                message, always_print_fields_with_no_presence=True, descriptor_pool=self._pool
            )
        except JSON_ERRORS as error:
            raise DataError(str(error)) from None

    def _indexes_of(self, descriptor: Any) -> bytes:
        name = descriptor.full_name
        found = self._indexes.get(name)
        if found is None:
            found = self._indexes[name] = indexes_bytes(indexes_of(descriptor))
        return found

    def class_at(self, path: tuple[int, ...]) -> type[Message]:
        found = self._classes.get(path)
        if found is None:
            found = self._classes[path] = self._class_at(path)
        return found

    def _class_at(self, path: tuple[int, ...]) -> type[Message]:
        name = full_name_at(self._file, path)
        found: type[Message] = message_factory.GetMessageClass(
            self._pool.FindMessageTypeByName(name)
        )
        return found

    def _of_mapping(self, value: Mapping[str, Any]) -> Message:
        message = self.class_at((0,))()
        try:
            return json_format.ParseDict(dict(value), message)
        except JSON_ERRORS as error:
            raise DataError(str(error)) from None


def full_name_at(file: Any, path: tuple[int, ...]) -> str:
    """The full name of the message at these indexes, or `DataError`."""
    declared, names = file.message_type, [file.package] if file.package else []
    for index in path:
        if not 0 <= index < len(declared):
            raise DataError(f"the schema has no message {list(path)}")
        names.append(declared[index].name)
        declared = declared[index].nested_type
    return ".".join(names)


def indexes_of(descriptor: Any) -> tuple[int, ...]:
    """The path to a message in its file, in the order of its declarations."""
    names: list[str] = []
    outer = descriptor
    while outer is not None:
        names.append(outer.name)
        outer = outer.containing_type
    file = descriptor_pb2.FileDescriptorProto()
    descriptor.file.CopyToProto(file)
    declared, found = file.message_type, []
    for name in reversed(names):
        index = next(i for i, one in enumerate(declared) if one.name == name)
        found.append(index)
        declared = declared[index].nested_type
    return tuple(found)


def indexes_bytes(path: tuple[int, ...]) -> bytes:
    if path == (0,):
        return FIRST
    out = bytearray()
    zigzag(out, len(path))
    for index in path:
        zigzag(out, index)
    return bytes(out)


def read_indexes(data: bytes) -> tuple[tuple[int, ...], int]:
    """The path, and where the message begins."""
    try:
        count, at = read_long(data, 0)
        if not 0 <= count <= DEPTH_MAX:
            raise DataError(f"it has {count} indexes of a message")
        path: list[int] = []
        for _ in range(count):
            index, at = read_long(data, at)
            path.append(index)
    except IndexError:
        raise DataError("the bytes end too early") from None
    return tuple(path) or (0,), at
