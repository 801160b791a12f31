"""JSON that is plainly good, read by columns in Python; all that is doubtful is left to Spark.

Spark's `from_json` has the last word on what a value means (parsing.py), and it costs a way of each
record through Spark's rows. Most records need no last word: Arrow's reader of JSON is stricter, so
what it takes for an object with fields of the right types, `from_json` reads to the same row. Where
the two differ, or Arrow refuses, the record is in doubt, and never a reason is given here.

Values become lines `{"r":VALUE}` of one text. No value can take part in the line of another, for an
object cannot follow inside of one; a value that makes two lines of its own shows in their number.
Arrow names the line that it cannot read, or none: then halves are tried. After too many of such
tries all that is left of the batch is in doubt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import json as arrow_json
from pyspark.sql import types

__all__ = ["QuickJson"]

READ_ALIKE = (
    types.LongType,
    types.IntegerType,
    types.ShortType,
    types.ByteType,
    types.DoubleType,
    types.BooleanType,
    types.TimestampType,
)
"""Beside texts of no collation. A float is rounded in another way, and the others have options."""
OPENING, CLOSING, NOTHING = pa.scalar(b'{"r":'), pa.scalar(b"}\n"), pa.scalar(b"")
SIZE_MAX = 50_000
"""Jackson, by which Spark reads, refuses longer names."""
UNCHECKED_SIZE_MAX = 999
DEPTH_MAX = 999
LONG_NUMBER = r"[-+.eE0-9]{1000}"
"""Jackson refuses deeper nesting and longer numbers, which a shorter value cannot have."""
TRIES_MAX = 64
"""Each is a part of a batch that was read in vain."""
LINE = re.compile(r" in row (\d+)$")
CHANGED = re.compile(r"Column\(/r/(.+)\) changed from (number|string|boolean) to ")
OTHER_THAN = {"number": "[^-0-9n\\s]", "string": '[^"n\\s]', "boolean": "[^tfn\\s]"}
"""How a value begins that is not of this kind; null is of any."""
CERTAIN_TIME = (
    r"^(?:19|20)\d\d-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])"
    r"|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)"
    r"T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?(?:Z|[+-](?:0\d|1[0-7]):[0-5]\d)$"
)
"""A day that each of these months has, and a zone: nothing that depends on a session."""


class QuickJson:
    """Reads values of one schema. One for each task, for it notes which columns have misfits."""

    def __init__(self, schema: pa.Schema, size_max: int) -> None:
        self.schema = schema
        self._size_max = min(size_max, SIZE_MAX)
        row = pa.struct([pa.field(each.name, _as_read(each.type)) for each in schema])
        self._options = arrow_json.ParseOptions(
            explicit_schema=pa.schema([("r", row)]), unexpected_field_behavior="ignore"
        )
        self._misfits: dict[str, str] = {}

    @staticmethod
    def can_read(schema: types.StructType) -> bool:
        """Whether all columns are of types that are read alike."""
        names = {name.lower() for name in schema.names}
        kinds = [type(column.dataType) for column in schema]
        plain = all(
            kind in READ_ALIKE or column.dataType == types.StringType()
            for kind, column in zip(kinds, schema, strict=True)
        )
        return plain and 0 < len(names) == len(schema.names)

    def read(self, values: pa.Array) -> tuple[np.ndarray, pa.RecordBatch]:
        """The places of values that are good without doubt, in their order, and their columns."""
        places = np.flatnonzero(self._hopeful(values))
        found = list(self._found(values.take(pa.array(places)), places))
        if not found:
            return places[:0], pa.RecordBatch.from_pylist([], schema=self.schema)
        kept = np.concatenate([each for each, _ in found])
        rows = pa.concat_arrays([row for _, row in found])
        columns, certain = [], np.ones(len(rows), dtype=bool)
        for field in self.schema:
            column, is_certain = _converted(rows.field(field.name), field.type)
            columns.append(column)
            certain &= is_certain
        read = pa.RecordBatch.from_arrays(columns, schema=self.schema)
        if certain.all():
            return kept, read
        return kept[certain], read.filter(pa.array(certain))

    def _hopeful(self, values: pa.Array) -> np.ndarray:
        """What may be an object, and is within all limits of both readers."""
        sizes = pc.fill_null(pc.binary_length(values), 0).to_numpy()
        is_hopeful: np.ndarray = (sizes > 0) & (sizes <= self._size_max)
        for looks in (pc.starts_with(values, b"{"), pc.ends_with(values, b"}")):
            is_hopeful &= _flags(looks)
        long = np.flatnonzero(is_hopeful & (sizes > UNCHECKED_SIZE_MAX))
        if len(long):
            is_hopeful[long] = _within_limits(values.take(pa.array(long)))
        if not _is_text(values):
            texts = values.to_pylist()
            is_hopeful &= np.array([bool(text) and _is_utf8(text) for text in texts], dtype=bool)
        return is_hopeful

    def _found(
        self, values: pa.Array, places: np.ndarray
    ) -> Iterator[tuple[np.ndarray, pa.StructArray]]:
        """Parts that Arrow can read, from left to right."""
        for pattern in self._misfits.values():
            values, places = _without(pattern, values, places)
        waiting, tries_left = [(values, places)], TRIES_MAX
        while waiting and tries_left:
            values, places = waiting.pop()
            if not len(values):
                continue
            try:
                rows = self._rows(values)
            except pa.ArrowInvalid as refused:
                tries_left -= 1
                waiting += self._parts(values, places, str(refused))
            else:
                is_row = _flags(rows.is_valid())
                yield places[is_row], rows if is_row.all() else rows.filter(pa.array(is_row))

    def _rows(self, values: pa.Array) -> pa.StructArray:
        lines = pc.binary_join_element_wise(OPENING, values, CLOSING, NOTHING).buffers()[2]
        options = arrow_json.ReadOptions(use_threads=False, block_size=len(lines) + 1)
        source = pa.BufferReader(lines)
        table = arrow_json.read_json(source, read_options=options, parse_options=self._options)
        if table.num_rows != len(values):
            raise pa.ArrowInvalid("values that are more than one line")
        rows = table["r"].combine_chunks()
        return rows.chunk(0) if isinstance(rows, pa.ChunkedArray) else rows

    def _parts(
        self, values: pa.Array, places: np.ndarray, why: str
    ) -> list[tuple[pa.Array, np.ndarray]]:
        """What to try next, the last one first: without misfits, around a line, or by halves."""
        changed = CHANGED.search(why)
        if changed and changed[1] not in self._misfits:
            pattern = f'"{re.escape(changed[1])}"\\s*:\\s*{OTHER_THAN[changed[2]]}'
            self._misfits[changed[1]] = pattern
            return [_without(pattern, values, places)]
        line = LINE.search(why)
        end = int(line[1]) if line else len(values) // 2
        beyond = end + 1 if line or len(values) == 1 else end
        return [(values[beyond:], places[beyond:]), (values[:end], places[:end])]


def _as_read(kind: pa.DataType) -> pa.DataType:
    return pa.string() if pa.types.is_timestamp(kind) else kind


def _converted(column: pa.Array, kind: pa.DataType) -> tuple[pa.Array, np.ndarray]:
    """The column in its type, and where there is no doubt about it."""
    if pa.types.is_timestamp(kind):
        is_certain = _or_null(pc.match_substring_regex(column, CERTAIN_TIME))
        certain = column if is_certain.all() else pc.if_else(pa.array(is_certain), column, None)
        return certain.cast(kind), is_certain
    if pa.types.is_floating(kind):
        return column, _or_null(pc.is_finite(column))
    return column, np.ones(len(column), dtype=bool)


def _without(pattern: str, values: pa.Array, places: np.ndarray) -> tuple[pa.Array, np.ndarray]:
    keep = ~_flags(pc.match_substring_regex(values, pattern))
    return values.filter(pa.array(keep)), places[keep]


def _within_limits(values: pa.Array) -> np.ndarray:
    opened = [pc.count_substring(values, bracket).to_numpy() for bracket in (b"{", b"[")]
    is_within: np.ndarray = opened[0] + opened[1] <= DEPTH_MAX
    is_within &= ~_flags(pc.match_substring_regex(values, LONG_NUMBER))
    return is_within


def _is_text(values: pa.Array) -> bool:
    try:
        values.cast(pa.string())
    except pa.ArrowInvalid:
        return False
    return True


def _is_utf8(value: bytes) -> bool:
    try:
        value.decode()
    except UnicodeDecodeError:
        return False
    return True


def _flags(found: pa.Array) -> np.ndarray:
    return _bools(pc.fill_null(found, False))


def _or_null(found: pa.Array) -> np.ndarray:
    return _bools(pc.fill_null(found, True))


def _bools(found: pa.Array) -> np.ndarray:
    flags: np.ndarray = found.to_numpy(zero_copy_only=False).astype(bool)
    return flags
