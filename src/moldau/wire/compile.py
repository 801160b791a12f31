"""From message and version to bytes and back.

Codecs are compiled on first use and kept with the message's class. `decode` and `encode` are the
plain doors; who answers requests by the thousand keeps the functions of `decoder_for` and
`encoder_for` instead.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from struct import error as StructError
from typing import Any, TypeVar

from moldau.buffers import Buffer
from moldau.errors import DecodeError, EncodeError
from moldau.wire.emit_decode import emit_decoder, has_views
from moldau.wire.emit_encode import emit_encoder
from moldau.wire.schema import Message
from moldau.wire.weight import FREE, PEER_PER_BYTE, PER_BYTE

M = TypeVar("M", bound=Message)

__all__ = [
    "PEER_PER_BYTE",
    "PER_BYTE",
    "decode",
    "decode_prefix",
    "decoder_for",
    "encode",
    "encode_parts",
    "encoder_for",
]


def decode(cls: type[M], version: int, buffer: Buffer, *, per_byte: int = PER_BYTE) -> M:
    """The message that fills `buffer` from end to end, or `DecodeError`.

    Records and other byte views in it are slices of `buffer`, which must outlive it.
    """
    message, end = decode_prefix(cls, version, buffer, per_byte=per_byte)
    if end != len(buffer):
        raise DecodeError(f"{len(buffer) - end} bytes are left behind {cls.__name__} v{version}")
    return message


def decode_prefix(
    cls: type[M], version: int, buffer: Buffer, position: int = 0, *, per_byte: int = PER_BYTE
) -> tuple[M, int]:
    """The message at `position`, and the position after it."""
    decoder, keeps_views = decoder_for(cls, version)
    if keeps_views:
        buffer = memoryview(buffer)
    elif type(buffer) is not bytes:
        buffer = bytes(buffer)
    end = len(buffer)
    try:
        message, stop = decoder(buffer, position, end, FREE + per_byte * (end - position))
    except (IndexError, StructError) as error:
        raise DecodeError(f"{cls.__name__} v{version} is cut off: it has {end} bytes") from error
    except DecodeError as error:
        raise DecodeError(f"{cls.__name__} v{version}: {error}") from None
    return message, stop


def encode(message: Message, version: int) -> bytes:
    """The message in one piece, or `EncodeError`."""
    parts = encode_parts(message, version)
    return bytes(parts[0]) if len(parts) == 1 else b"".join(parts)


def encode_parts(message: Message, version: int) -> list[Buffer]:
    """The message in pieces: large buffers in it stand alone, as they were given."""
    encoder = encoder_for(type(message), version)
    parts: list[Buffer] = []
    try:
        encoder(message, parts)
    except (StructError, AttributeError, TypeError, ValueError) as error:
        raise EncodeError(f"{type(message).__name__} v{version}: {error}") from error
    except EncodeError as error:
        raise EncodeError(f"{type(message).__name__} v{version}: {error}") from None
    return parts


@cache
def decoder_for(cls: type[Message], version: int) -> tuple[Callable[..., Any], bool]:
    """The decode function, and whether it keeps views of what it is given."""
    if version not in cls.VERSIONS:
        raise DecodeError(f"{cls.__name__} has versions {cls.VERSIONS}, not {version}")
    return emit_decoder(cls, version), has_views(cls, version)


@cache
def encoder_for(cls: type[Message], version: int) -> Callable[..., None]:
    """The encode function: it appends the message's pieces to a list."""
    if version not in cls.VERSIONS:
        raise EncodeError(f"{cls.__name__} has versions {cls.VERSIONS}, not {version}")
    return emit_encoder(cls, version)
