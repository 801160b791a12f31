"""How a record names the schema that it was written with.

    00 | id, 4 bytes big-endian   | payload
    01 | GUID, 16 bytes           | payload

Payloads of Protobuf have the indexes of their message in front. Instead, all but the payload may
stand in a header, `__key_schema_id` or `__value_schema_id`, and the payload is bare.
"""

from __future__ import annotations

from struct import Struct
from typing import Final, NamedTuple

from moldau.schemas.data_errors import DataError

__all__ = [
    "KEY_HEADER",
    "VALUE_HEADER",
    "Frame",
    "frame_of",
    "guid_frame",
    "id_frame",
]

KEY_HEADER: Final = "__key_schema_id"
VALUE_HEADER: Final = "__value_schema_id"
BY_ID: Final = 0
BY_GUID: Final = 1
_ID: Final = Struct(">BI")
GUID_END: Final = 17


class Frame(NamedTuple):
    """What stands in front; `schema` is an id, or a GUID as text."""

    schema: int | str
    payload: bytes


def id_frame(number: int) -> bytes:
    return _ID.pack(BY_ID, number)


def guid_frame(guid: str) -> bytes:
    return bytes((BY_GUID,)) + bytes.fromhex(guid.replace("-", ""))


def frame_of(data: bytes) -> Frame:
    """Taken apart, or `DataError` where no schema is named."""
    kind = data[0] if data else -1
    if kind == BY_ID and len(data) >= _ID.size:
        return Frame(_ID.unpack_from(data)[1], data[_ID.size :])
    if kind == BY_GUID and len(data) >= GUID_END:
        return Frame(_guid_text(data[1:GUID_END].hex()), data[GUID_END:])
    raise DataError("it does not begin with the id of a schema, as serializers of a registry do")


def _guid_text(digits: str) -> str:
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
