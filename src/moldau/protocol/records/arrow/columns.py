"""What comes in to be written: columns of many types, brought to one.

Keys, values and header values may be binary or text, plain, large, views or dictionaries; headers
may be a list of key and value or a map; timestamps may have any unit. Arrow casts them, without a
copy where the bytes can stay.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from moldau.errors import EncodeError
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.records.arrow.varints import varint_array

Integers = npt.NDArray[np.int64]

TIMESTAMP_TYPE = pa.timestamp("ms", tz="UTC")
HEADERS_TYPE = pa.list_(
    pa.struct([pa.field("key", pa.large_binary()), pa.field("value", pa.large_binary())])
)
NULL_LENGTH = -1


def _scalar(octets: bytes) -> pa.Scalar:
    """As `pa.scalar` would make it, which imports all of pandas where that is installed."""
    ends = pa.py_buffer(np.array([0, len(octets)], np.int64))
    return pa.Array.from_buffers(pa.large_binary(), 1, [None, ends, pa.py_buffer(octets)])[0]


EMPTY = _scalar(b"")
NO_HEADERS = _scalar(b"\x00")


@dataclass(frozen=True, slots=True)
class Columns:
    """Records ready to be packed."""

    keys: pa.Array
    key_lengths: Integers
    values: pa.Array
    value_lengths: Integers
    headers: pa.Array | pa.Scalar
    """The count of headers and the headers of each record, packed."""
    headers_sizes: Integers
    timestamps: Integers

    def __len__(self) -> int:
        return len(self.timestamps)

    def part(self, start: int, end: int) -> Columns:
        """Some of the records; nothing is copied."""
        rows = slice(start, end)
        headers = self.headers
        return Columns(
            self.keys[rows],
            self.key_lengths[rows],
            self.values[rows],
            self.value_lengths[rows],
            headers if isinstance(headers, pa.Scalar) else headers[rows],
            self.headers_sizes[rows],
            self.timestamps[rows],
        )


def read_columns(table: pa.RecordBatch | pa.Table, now_ms: int) -> Columns:
    """The columns `key`, `value`, `headers` and `timestamp`, as far as they are there."""
    keys = _payload(table, "key")
    values = _payload(table, "value")
    headers = _headers(table)
    return Columns(
        keys,
        lengths_of(keys),
        values,
        lengths_of(values),
        headers,
        np.ones(len(keys), np.int64) if headers is NO_HEADERS else lengths_of(headers),
        _timestamps(table, now_ms),
    )


def lengths_of(payload: pa.Array) -> Integers:
    lengths: Integers = pc.binary_length(payload).fill_null(NULL_LENGTH).to_numpy()
    return lengths


def join(*parts: pa.Array | pa.Scalar) -> pa.Array:
    """Row by row, the bytes of all parts behind one another; null has none."""
    return pc.binary_join_element_wise(*parts, EMPTY, null_handling="replace", null_replacement=b"")


def _column(table: pa.RecordBatch | pa.Table, name: str, wanted: pa.DataType) -> pa.Array | None:
    if name not in table.schema.names:
        return None
    column = table.column(name)
    kind = column.type
    try:
        if pa.types.is_list_view(kind) or pa.types.is_large_list_view(kind):
            raise pa.ArrowNotImplementedError("pyarrow 26 loses items when it casts list views")
        column = column.cast(wanted)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError):
        raise EncodeError(f"column {name} is {kind} and cannot become {wanted}") from None
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _payload(table: pa.RecordBatch | pa.Table, name: str) -> pa.Array:
    column = _column(table, name, pa.large_binary())
    return pa.nulls(table.num_rows, pa.large_binary()) if column is None else column


def _timestamps(table: pa.RecordBatch | pa.Table, now_ms: int) -> Integers:
    name = "timestamp"
    is_number = name in table.schema.names and pa.types.is_integer(table.schema.field(name).type)
    column = _column(table, name, pa.int64() if is_number else TIMESTAMP_TYPE)
    if column is None:
        return np.full(table.num_rows, now_ms, np.int64)
    timestamps: Integers = column.cast(pa.int64()).fill_null(now_ms).to_numpy()
    return timestamps


def _headers(table: pa.RecordBatch | pa.Table) -> pa.Array | pa.Scalar:
    column = _column(table, "headers", HEADERS_TYPE)
    if column is None:
        return NO_HEADERS
    counts = pc.list_value_length(column).fill_null(0).cast(pa.int64()).to_numpy()
    items = column.flatten()
    keys = pc.struct_field(items, "key")
    values = pc.struct_field(items, "value")
    if keys.null_count:
        raise EncodeError("a header has no key: it may be empty, but not null")
    return _packed_headers(counts, keys, values) if len(keys) else NO_HEADERS


def _packed_headers(counts: Integers, keys: pa.Array, values: pa.Array) -> pa.Array:
    key_lengths, value_lengths = varint_array(lengths_of(keys)), varint_array(lengths_of(values))
    packed = join(key_lengths, keys, value_lengths, values)
    _, item_offsets, data = packed.buffers()
    ends = np.concatenate(([0], np.cumsum(counts)))
    offsets = np.frombuffer(item_offsets, np.int64)[packed.offset :][ends]
    buffers = [None, pa.py_buffer(offsets), data]
    by_record = pa.Array.from_buffers(pa.large_binary(), len(counts), buffers)
    return join(varint_array(counts), by_record)
