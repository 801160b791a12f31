"""Which schemas the records of a batch name, and whether their payloads can be read by them.

A record names its schema in the first bytes of its key or value, or in a header
(`schemas.framing`). A batch has many records and few schemas, so each distinct name is looked at
once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final, NamedTuple

from moldau.platform.buffers import Buffer
from moldau.protocol.records.batch import ensure_checksum, read_whole_header
from moldau.protocol.records.record import records_block
from moldau.protocol.records.refusals import RecordError
from moldau.protocol.records.scan import ROW, read_rows, scan_in_steps
from moldau.protocol.records.scan_headers import headers_at
from moldau.schemas.data_errors import DataError
from moldau.schemas.framing import GUID_END, KEY_HEADER, VALUE_HEADER
from moldau.schemas.parsed import Decode

__all__ = [
    "ERRORS_MAX",
    "UNREADABLE",
    "Frames",
    "Part",
    "Payloads",
    "Records",
    "frames_of",
    "payloads_of",
    "read_records",
    "unreadable",
]

ERRORS_MAX: Final = 10
"""Records of one batch that are named for one reason."""
ID_BYTES: Final = 5
BY_GUID: Final = b"\1"
KEY, VALUE, HEADERS = 2, 4, 6
"""Where a row has the start of a part; behind it stands the length, or how many there are."""
Names = dict[bytes, list[int]]
"""The bytes that name a schema, and the first records that have them."""
UNREADABLE: Final = (DataError, RecursionError)


class Records(NamedTuple):
    """The records of one batch, uncompressed."""

    block: bytes
    record_count: int


class Frames(NamedTuple):
    """What the records of a batch name."""

    keys: Names
    values: Names


class Payloads(NamedTuple):
    """What reads them, by the bytes that name the schema; nothing for those that are not asked."""

    keys: Mapping[bytes, Decode]
    values: Mapping[bytes, Decode]


class Part(NamedTuple):
    """A key or a value."""

    record_index: int
    is_key: bool
    prefix: bytes
    """What names the schema."""
    payload: bytes
    """With the indexes of its message in front, where the schema has several."""


def read_records(batch: Buffer) -> Records:
    """Those of a batch that is whole and sound, or `CorruptRecordError`."""
    header = read_whole_header(batch)
    ensure_checksum(batch, header)
    return Records(records_block(batch, header), header.record_count)


def frames_of(records: Records, *, with_keys: bool, with_values: bool) -> Frames:
    """What they name; null keys and values name nothing."""
    return Frames(
        _names(records, KEY, KEY_HEADER) if with_keys else {},
        _names(records, VALUE, VALUE_HEADER) if with_values else {},
    )


# hot: 0.4 us a record with all that is about it, of 69 bytes; 2.8 where payloads are decoded.
def _names(records: Records, part: int, header: str) -> Names:
    """Of its keys or values; `part` is where a row has their start, with the length behind."""
    block, record_count = records
    found: Names = {}
    index = -1
    for rows in scan_in_steps(block, record_count):
        for row in ROW.iter_unpack(rows):
            index += 1
            length = row[part + 1]
            if length < 0:
                continue
            prefix = (
                _named(block, row[HEADERS], row[HEADERS + 1], header) if row[HEADERS + 1] else b""
            )
            if not prefix:
                start = row[part]
                prefix = block[start : start + (ID_BYTES if length > ID_BYTES else length)]
                if prefix[:1] == BY_GUID:
                    prefix = block[start : start + min(length, GUID_END)]
            known = found.get(prefix)
            if known is None:
                found[prefix] = [index]
            elif len(known) < ERRORS_MAX:
                known.append(index)
    return found


def unreadable(records: Records, payloads: Payloads) -> Iterator[RecordError]:
    """The records that cannot be read by the schemas that they name."""
    for part in payloads_of(records, payloads.keys, payloads.values):
        decode = (payloads.keys if part.is_key else payloads.values)[part.prefix]
        try:
            decode(part.payload)
        except UNREADABLE as error:
            what = "key" if part.is_key else "value"
            yield RecordError(
                part.record_index, f"the {what} cannot be read by its schema: {error}"
            )


def payloads_of(
    records: Records, keys: Collection[bytes], values: Collection[bytes]
) -> Iterator[Part]:
    """The keys and the values that name one of these schemas, with what is behind the name."""
    block, record_count = records
    index = 0
    for rows in scan_in_steps(block, record_count):
        for row in read_rows(rows):
            headers = (row.headers_start, row.header_count)
            for is_key, header, start, length, wanted in (
                (True, KEY_HEADER, row.key_start, row.key_length, keys),
                (False, VALUE_HEADER, row.value_start, row.value_length, values),
            ):
                if wanted and length >= 0:
                    given = _header(block, *headers, header)
                    data = given + block[start : start + length]
                    prefix = _prefix(data, 0, len(data))
                    if prefix in wanted:
                        yield Part(index, is_key, prefix, data[len(prefix) :])
            index += 1


def _prefix(block: bytes, start: int, length: int) -> bytes:
    prefix = block[start : start + (ID_BYTES if length > ID_BYTES else length)]
    if prefix[:1] == BY_GUID:
        return block[start : start + min(length, GUID_END)]
    return prefix


def _named(block: bytes, start: int, count: int, name: str) -> bytes:
    """By a header; empty where none does."""
    value = _header(block, start, count, name)
    return _prefix(value, 0, len(value))


def _header(block: bytes, start: int, count: int, name: str) -> bytes:
    if count:
        for key, value in headers_at(block, start, count):
            if key == name and value:
                return value
    return b""
