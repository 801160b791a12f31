"""Kafka's primitive types as annotated Python types.

A checker sees `int`, `str` or `bytes`; the compiler sees how the value lies in bytes. `Array` and
`StructOf` are what `list[...]` and nested structs mean on the wire.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from moldau.platform.buffers import Buffer
from moldau.platform.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Primitive:
    """A type without parts."""

    name: str
    """Kafka's name for it."""
    code: str
    """How `struct` spells it; empty where the width varies."""
    width: int
    """Bytes on the wire; 0 where it varies."""
    zero: object
    """What Kafka takes for the default where a field declares none."""


@dataclass(frozen=True, slots=True)
class Array:
    """Any number of values of one type."""

    of: WireType


@dataclass(frozen=True, slots=True)
class StructOf:
    """A nested struct, by its class."""

    cls: type


WireType: TypeAlias = Primitive | Array | StructOf


class Entity(str):
    """What a number or name stands for, so that tools can distinguish a broker from a partition."""

    __slots__ = ()


NULL_UUID = bytes(16)

BOOL = Primitive("bool", "?", 1, False)
INT8 = Primitive("int8", "b", 1, 0)
INT16 = Primitive("int16", "h", 2, 0)
UINT16 = Primitive("uint16", "H", 2, 0)
INT32 = Primitive("int32", "i", 4, 0)
UINT32 = Primitive("uint32", "I", 4, 0)
INT64 = Primitive("int64", "q", 8, 0)
FLOAT64 = Primitive("float64", "d", 8, 0.0)
UUID = Primitive("uuid", "16s", 16, NULL_UUID)
STRING = Primitive("string", "", 0, "")
BYTES = Primitive("bytes", "", 0, b"")
BYTE_VIEW = Primitive("bytes", "", 0, b"")
RECORDS = Primitive("records", "", 0, None)

Bool = Annotated[bool, BOOL]
Int8 = Annotated[int, INT8]
Int16 = Annotated[int, INT16]
UInt16 = Annotated[int, UINT16]
Int32 = Annotated[int, INT32]
UInt32 = Annotated[int, UINT32]
Int64 = Annotated[int, INT64]
Float64 = Annotated[float, FLOAT64]
String = Annotated[str, STRING]
Bytes = Annotated[bytes, BYTES]
Uuid = Annotated[bytes, UUID]
"""Sixteen bytes; `wire.uuids` turns them into Kafka's text and back."""
ByteView = Annotated[Buffer, BYTE_VIEW]
"""Bytes that may be large: decoded as a view of the frame, encoded without a copy."""
Records = Annotated[Buffer, RECORDS]
"""Record batches; they pass through the codecs untouched."""

BrokerId = Annotated[int, INT32, Entity("brokerId")]
ProducerId = Annotated[int, INT64, Entity("producerId")]
TopicName = Annotated[str, STRING, Entity("topicName")]
GroupId = Annotated[str, STRING, Entity("groupId")]
TransactionalId = Annotated[str, STRING, Entity("transactionalId")]
