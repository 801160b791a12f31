"""The record inside a transaction's control batch: COMMIT or ABORT.

Key: int16 version, int16 type (0 abort, 1 commit). Value: int16 version, int32 coordinator epoch.
Control batches are never compressed, so the record lies behind the header as it is; both versions
are 0 today, and later ones may only add fields behind these.
"""

from __future__ import annotations

from enum import IntEnum
from struct import Struct
from struct import error as StructError
from typing import NamedTuple

from moldau.buffers import Buffer
from moldau.errors import CorruptRecordError
from moldau.records.batch import HEADER_SIZE

_KEY = Struct(">hh")
_VALUE = Struct(">hi")
_VARINT_BYTES_MAX = 10
"""What 64 bits take at 7 a byte."""


class MarkerType(IntEnum):
    """How the transaction ended."""

    ABORT = 0
    COMMIT = 1


class EndMarker(NamedTuple):
    """What a marker says beyond its batch header."""

    type: MarkerType
    coordinator_epoch: int


def read_end_marker(batch: Buffer, position: int = 0) -> EndMarker:
    """The marker in the whole control batch at `position`, which holds at least one record."""
    try:
        return _read(batch, position + HEADER_SIZE)
    except (StructError, IndexError, ValueError) as error:
        raise CorruptRecordError(f"transaction marker is malformed: {error}") from error


def _read(batch: Buffer, position: int) -> EndMarker:
    position = _skip_varint(batch, position) + 1
    position = _skip_varint(batch, _skip_varint(batch, position))
    key_size, position = _varint(batch, position)
    if key_size < _KEY.size:
        raise ValueError(f"key of {key_size} bytes")
    _, kind = _KEY.unpack_from(batch, position)
    value_size, position = _varint(batch, position + key_size)
    if value_size < _VALUE.size:
        raise ValueError(f"value of {value_size} bytes")
    _, coordinator_epoch = _VALUE.unpack_from(batch, position)
    return EndMarker(MarkerType(kind), coordinator_epoch)


def _varint(batch: Buffer, position: int) -> tuple[int, int]:
    raw = 0
    for index in range(_VARINT_BYTES_MAX):
        byte = batch[position + index]
        raw |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:
            return (raw >> 1) ^ -(raw & 1), position + index + 1
    raise ValueError("number without an end")


def _skip_varint(batch: Buffer, position: int) -> int:
    return _varint(batch, position)[1]
