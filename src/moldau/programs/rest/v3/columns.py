"""Columns of Arrow in place of JSON: a body that is sent, and what may be in it.

    POST …/records
    Content-Type: application/vnd.apache.arrow.stream

A row is a record. `value` has to be there; `key`, `partition`, `timestamp` and `headers` may be,
as pages of records have them, and other columns of such a page are left out. The body is from
anywhere, so it is checked before anything is made of it: it has no dictionaries, no compressed
buffers and no types without bytes, which would make gigabytes of a few bytes, and all its offsets
are within its buffers.
"""

from __future__ import annotations

from importlib import import_module
from struct import error as StructError
from struct import unpack_from
from types import ModuleType
from typing import TYPE_CHECKING, Final

from moldau.client.arguments.consumer import EXTRA
from moldau.errors import MissingExtraError
from moldau.programs.http.messages import HttpError
from moldau.programs.rest.refusals import bad_request

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ARROW", "ensure_arrow", "table_of"]

ARROW: Final = "application/vnd.apache.arrow.stream"
COLUMNS: Final = ("key", "value", "partition", "timestamp", "headers")
PLAIN: Final = ("schema", "record batch")
"""Kinds of messages that a stream may have here."""
HEADER, COMPRESSION = 2, 3
"""Places of fields in the tables `Message` and `RecordBatch` of Arrow's format."""


def ensure_arrow(status: int) -> None:
    """406 or 415 where the proxy has no pyarrow."""
    try:
        import_module(EXTRA)
    except MissingExtraError as error:
        raise HttpError(status, str(error)) from None


def table_of(body: bytes) -> pa.Table:
    """The columns of such a stream that a record has; 400 for what is none."""
    arrow = import_module("pyarrow")
    try:
        _check_messages(arrow, body)
        table: pa.Table = arrow.ipc.open_stream(body).read_all()
        table.validate(full=True)
    except (arrow.ArrowException, OSError, StructError, ValueError) as error:
        first = str(error).partition("\n")[0]
        raise bad_request(f"the body is no stream of Arrow: {first}") from None
    names = table.schema.names
    if len(set(names)) < len(names):
        raise bad_request("each column may be there once")
    table = table.select([name for name in COLUMNS if name in names])
    for field in table.schema:
        if not _is_of_records(arrow.types, field.name, field.type):
            raise bad_request(f"{field.name} cannot be a column of {field.type}")
    return table


def _is_of_records(types: ModuleType, name: str, kind: pa.DataType) -> bool:
    """Whether it is what a record has there, in bytes of its own for every row."""
    if name == "partition":
        found = types.is_integer(kind)
    elif name == "timestamp":
        found = types.is_timestamp(kind) or types.is_int64(kind)
    elif name == "headers":
        found = types.is_list(kind) and types.is_struct(kind.value_type)
        found = found and all(_is_text(types, one.type) for one in kind.value_type)
    else:
        found = _is_text(types, kind)
    return bool(found)


def _is_text(types: ModuleType, kind: pa.DataType) -> bool:
    is_short = types.is_binary(kind) or types.is_string(kind)
    return bool(is_short or types.is_large_binary(kind) or types.is_large_string(kind))


def _check_messages(arrow: ModuleType, body: bytes) -> None:
    reader = arrow.ipc.MessageReader.open_stream(body)
    try:
        while True:
            message = reader.read_next_message()
            if message.type not in PLAIN:
                raise bad_request(f"a stream of records has no {message.type}")
            if message.type == PLAIN[1] and _is_compressed(message.metadata.to_pybytes()):
                raise bad_request("buffers of Arrow come without compression here")
    except StopIteration:
        return


def _is_compressed(metadata: bytes) -> bool:
    """By the field `compression` of the table `RecordBatch`, which is a FlatBuffer."""
    header = _field(metadata, unpack_from("<I", metadata)[0], HEADER)
    if header is None:
        return False
    batch = header + unpack_from("<I", metadata, header)[0]
    return _field(metadata, batch, COMPRESSION) is not None


def _field(data: bytes, table: int, number: int) -> int | None:
    """Where a field of a table of FlatBuffers is; None where it is not there."""
    directory = table - unpack_from("<i", data, table)[0]
    size = unpack_from("<H", data, directory)[0]
    place = 4 + 2 * number
    offset = unpack_from("<H", data, directory + place)[0] if place < size else 0
    return table + offset if offset else None
