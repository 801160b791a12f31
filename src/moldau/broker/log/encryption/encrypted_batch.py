"""The form of an encrypted batch: Kafka's header in the clear, an envelope, the records encrypted.

    0        header, with the mark 0x80 among its attributes; length and checksum are of what
             stands here, all else is as the producer and the leader made it
    61       form of the rest, 1 byte = 1
    62       size of the key's id, 1 byte, and the id, UTF-8
             size of the wrapped data key, 2 bytes, and the wrapped data key
             nonce, 12 bytes
             the records, as they were compressed, and a tag of 16 bytes: AES-256-GCM

The envelope travels with the batch, so a batch is all that a follower, another disk or a copy of a
file needs beside the key. The tag covers the header, without length and checksum, and the
partition's name too: a batch whose times, offsets or producer were changed, or that was moved, is
refused. Markers of transactions hold nothing of a client's and stay readable, for recovery reads
them without keys; they have the mark alone.
"""

from __future__ import annotations

from struct import Struct
from typing import Final, NamedTuple

from moldau.errors import CorruptRecordError
from moldau.platform.buffers import Buffer
from moldau.protocol.records.batch import (
    CRC_POSITION,
    CRC_START,
    ENCRYPTED_BIT,
    HEADER_SIZE,
    LENGTH_END,
    LENGTH_POSITION,
    BatchHeader,
    set_checksum,
    write_header,
)

FORM: Final = 1
NONCE_SIZE: Final = 12
TAG_SIZE: Final = 16
KEY_ID_BYTES_MAX: Final = 255
WRAPPED_BYTES_MAX: Final = 65_535
_SIZE: Final = Struct(">H")


class Envelope(NamedTuple):
    """An encrypted batch's key, and its content."""

    key_id: str
    wrapped: bytes
    nonce: bytes
    ciphertext: memoryview
    """With its tag."""


def envelope_head(key_id: str, wrapped: bytes) -> bytes:
    """The part of an envelope that all batches of one data key share."""
    name = key_id.encode()
    assert 0 < len(name) <= KEY_ID_BYTES_MAX
    assert 0 < len(wrapped) <= WRAPPED_BYTES_MAX
    return bytes((FORM, len(name))) + name + _SIZE.pack(len(wrapped)) + wrapped


def read_envelope(batch: Buffer, header: BatchHeader) -> Envelope:
    """Take a whole encrypted batch apart, or `CorruptRecordError`."""
    view = memoryview(batch)[HEADER_SIZE : header.size]
    if len(view) < 2 or view[0] != FORM:
        raise _nonsense(header)
    wrapped_at = 2 + view[1] + _SIZE.size
    if len(view) < wrapped_at:
        raise _nonsense(header)
    nonce_at = wrapped_at + _SIZE.unpack_from(view, wrapped_at - _SIZE.size)[0]
    if len(view) < nonce_at + NONCE_SIZE + TAG_SIZE:
        raise _nonsense(header)
    return Envelope(
        str(view[2 : wrapped_at - _SIZE.size], "utf-8", "replace"),
        bytes(view[wrapped_at:nonce_at]),
        bytes(view[nonce_at : nonce_at + NONCE_SIZE]),
        view[nonce_at + NONCE_SIZE :],
    )


def _nonsense(header: BatchHeader) -> CorruptRecordError:
    return CorruptRecordError(
        f"batch at offset {header.base_offset} is marked as encrypted and has no envelope"
    )


def marked(header: BatchHeader) -> BatchHeader:
    return header.replaced(attributes=header.attributes | ENCRYPTED_BIT)


def unmarked(header: BatchHeader) -> BatchHeader:
    return header.replaced(attributes=header.attributes & ~ENCRYPTED_BIT)


def batch_of(header: BatchHeader, *body: Buffer) -> bytearray:
    """A header, with length and checksum made right, before the parts of a body."""
    batch = bytearray().join((bytes(HEADER_SIZE), *body))
    size = len(batch)
    write_header(batch, header.replaced(length=size - LENGTH_END))
    set_checksum(batch, size)
    return batch


def covered(partition: str, header: BatchHeader) -> bytes:
    """What the tag covers beside the records: all of the header but length and checksum."""
    packed = header.pack()
    return b"".join(
        (
            packed[:LENGTH_POSITION],
            packed[LENGTH_END:CRC_POSITION],
            packed[CRC_START:],
            partition.encode(),
        )
    )
