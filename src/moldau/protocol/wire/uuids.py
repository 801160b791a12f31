"""Sixteen bytes as Kafka writes them for people: URL-safe base64 without padding."""

from __future__ import annotations

from binascii import Error as Base64Error
from binascii import a2b_base64, b2a_base64

from moldau.errors import DecodeError
from moldau.platform.ports.randomness import Random
from moldau.protocol.wire.types import NULL_UUID

URL_SAFE = bytes.maketrans(b"+/", b"-_")
FROM_URL_SAFE = bytes.maketrans(b"-_", b"+/")
METADATA_TOPIC_ID = bytes(15) + b"\x01"
"""The topic of the metadata log has the same id in every cluster."""


def uuid_text(uuid: bytes) -> str:
    return b2a_base64(uuid, newline=False).translate(URL_SAFE).decode()[:22]


def parse_uuid(text: str) -> bytes:
    try:
        uuid = a2b_base64(text.encode("ascii").translate(FROM_URL_SAFE) + b"==")
    except (Base64Error, ValueError) as error:
        raise DecodeError(f"{text!r} is no id: 22 letters, digits, - or _ make one") from error
    if len(uuid) != 16:
        raise DecodeError(f"{text!r} is no id: it has {len(uuid)} bytes instead of 16")
    return uuid


def is_null_uuid(uuid: bytes) -> bool:
    return uuid == NULL_UUID


def new_uuid(random: Random) -> bytes:
    """A random id (version 4) that no text form begins with a dash, as Kafka makes them."""
    while True:
        made = bytearray(random.randbytes(16))
        made[6] = made[6] & 0x0F | 0x40
        made[8] = made[8] & 0x3F | 0x80
        if made[0] >> 2 != 0b111110:
            return bytes(made)
