"""Columns of any fitting type are taken, others refused in a sentence."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from moldau.errors import EncodeError
from moldau.protocol.records.arrow.columns import NO_HEADERS, read_columns

VALUES = ["short", None, "", "a value that is longer than twelve bytes"]
BYTES = [None if value is None else value.encode() for value in VALUES]
ITEM = pa.struct([("key", pa.string()), ("value", pa.binary())])


@pytest.mark.parametrize(
    "kind",
    [
        pa.string(),
        pa.large_string(),
        pa.string_view(),
        pa.binary(),
        pa.large_binary(),
        pa.binary_view(),
        pa.dictionary(pa.int32(), pa.string()),
    ],
)
def test_text_and_bytes_of_every_layout_are_payload(kind: pa.DataType) -> None:
    column = pa.array(VALUES).cast(kind) if pa.types.is_dictionary(kind) else pa.array(BYTES, kind)
    columns = read_columns(pa.table({"key": column, "value": column}), now_ms=0)
    assert columns.values.to_pylist() == BYTES
    assert columns.value_lengths.tolist() == [5, -1, 0, 40]
    assert columns.keys.to_pylist() == BYTES


def test_slices_and_chunks_are_what_they_show() -> None:
    table = pa.table({"value": pa.chunked_array([BYTES, BYTES])}).slice(2, 3)
    columns = read_columns(table, now_ms=0)
    assert columns.values.to_pylist() == [b"", BYTES[3], b"short"]


def test_what_is_missing_is_null_or_now() -> None:
    columns = read_columns(pa.table({"other": [1, 2]}), now_ms=77)
    assert columns.keys.to_pylist() == columns.values.to_pylist() == [None, None]
    assert columns.timestamps.tolist() == [77, 77]
    assert columns.headers is NO_HEADERS
    assert columns.headers_sizes.tolist() == [1, 1]


@pytest.mark.parametrize(
    "column",
    [
        pa.array([5, None], pa.int64()),
        pa.array([5, None], pa.timestamp("ms")),
        pa.array([5, None], pa.timestamp("ms", "Europe/Prague")),
        pa.array([5_000_000, None], pa.timestamp("ns", "UTC")),
    ],
)
def test_timestamps_of_every_kind_are_milliseconds(column: pa.Array) -> None:
    assert read_columns(pa.table({"timestamp": column}), now_ms=9).timestamps.tolist() == [5, 9]


@pytest.mark.parametrize(
    "kind",
    [pa.list_(ITEM), pa.large_list(ITEM), pa.map_(pa.string(), pa.binary())],
)
def test_headers_are_packed_with_their_count(kind: pa.DataType) -> None:
    structs = [{"key": "a", "value": b"1"}, {"key": "b", "value": None}]
    pairs = [("a", b"1"), ("b", None)]
    rows = [pairs if pa.types.is_map(kind) else structs, [], None]
    columns = read_columns(pa.table({"headers": pa.array(rows, kind)}), now_ms=0)
    assert columns.headers.to_pylist() == [b"\x04\x02a\x021\x02b\x01", b"\x00", b"\x00"]
    assert columns.headers_sizes.tolist() == [8, 1, 1]


def test_sliced_headers_are_those_of_the_slice() -> None:
    rows = [[{"key": "a", "value": b"1"}], [], [{"key": "b", "value": b""}]]
    table = pa.table({"headers": pa.array(rows, pa.list_(ITEM))}).slice(1)
    columns = read_columns(table, now_ms=0)
    assert columns.headers.to_pylist() == [b"\x00", b"\x02\x02b\x00"]
    assert columns.part(1, 2).headers.to_pylist() == [b"\x02\x02b\x00"]


@pytest.mark.parametrize(
    ("name", "column", "sentence"),
    [
        ("value", pa.array([[1]]), "column value is list"),
        ("key", pa.array([1.5]), "column key is double"),
        ("timestamp", pa.array(["yesterday"]), "column timestamp is string"),
        ("headers", pa.array([5]), "column headers is int64 and cannot become list"),
        ("headers", pa.array([[{"name": "a"}]]), "a header has no key"),
        ("headers", pa.array([[{"key": "a"}]], pa.list_view(ITEM)), "column headers is list_view"),
        ("headers", pa.array([[{"key": None, "value": b""}]]), "a header has no key"),
    ],
)
def test_other_types_are_refused(name: str, column: Any, sentence: str) -> None:
    with pytest.raises(EncodeError, match=sentence):
        read_columns(pa.table({name: column}), now_ms=0)
