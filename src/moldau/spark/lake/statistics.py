"""What a Parquet footer has of its columns, in the form of Delta's log.

Readers skip files by these numbers, so a number may be missing, but never too narrow:

- Floating-point columns get none: a footer leaves NaN out, and Spark sorts NaN above everything.
- Long text is cut. A cut text is below the whole one, so it will do as the least; as the greatest
  it gets the highest character behind it.
- Bytes get none, as with Delta's own writer, and decimals none, for JSON has only floats.

Times are in UTC here: the writer of parts sees to that.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from pyarrow import parquet

__all__ = ["file_statistics"]

TEXT_LENGTH_MAX = 32
HIGHEST = "\U0010ffff"
COLUMNS_MAX = 32
"""As many columns as Delta looks at: a log with more of them grows faster than it helps."""


def file_statistics(footer: parquet.FileMetaData) -> str:
    """The JSON for the log from the metadata that a Parquet writer leaves."""
    least: dict[str, Any] = {}
    greatest: dict[str, Any] = {}
    nulls: dict[str, int] = {}
    for name, chunks in _columns(footer):
        counted = [chunk for chunk in chunks if chunk is not None and chunk.has_null_count]
        if len(counted) < len(chunks):
            continue
        nulls[name] = sum(chunk.null_count for chunk in counted)
        _note_bounds(name, [chunk for chunk in counted if chunk.has_min_max], least, greatest)
    values = {"minValues": least, "maxValues": greatest, "nullCount": nulls}
    return json.dumps({"numRecords": footer.num_rows, **values}, ensure_ascii=False)


def _columns(footer: parquet.FileMetaData) -> Iterable[tuple[str, list[Any]]]:
    """Each plain column with the statistics of all its chunks."""
    for index in range(min(footer.num_columns, COLUMNS_MAX)):
        if footer.schema.column(index).path == footer.schema.column(index).name:
            groups = range(footer.num_row_groups)
            chunks = [footer.row_group(group).column(index).statistics for group in groups]
            yield footer.schema.column(index).name, chunks


def _note_bounds(
    name: str, chunks: list[Any], least: dict[str, Any], greatest: dict[str, Any]
) -> None:
    """Both ends, or neither: from chunks that hold a value."""
    if not chunks or not all(_is_ordered(chunk.min) for chunk in chunks):
        return
    lowest, highest = min(chunk.min for chunk in chunks), max(chunk.max for chunk in chunks)
    least[name] = _written(lowest)
    if not isinstance(highest, str) or len(highest) <= TEXT_LENGTH_MAX:
        greatest[name] = _written(highest)
    elif highest[TEXT_LENGTH_MAX] != HIGHEST:
        greatest[name] = highest[:TEXT_LENGTH_MAX] + HIGHEST


def _is_ordered(value: object) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, int | str) or hasattr(value, "isoformat")


def _written(value: object) -> object:
    if isinstance(value, str):
        return value[:TEXT_LENGTH_MAX]
    if isinstance(value, int):
        return value
    if not hasattr(value, "tzinfo"):
        return f"{value:%Y-%m-%d}"
    return f"{value:%Y-%m-%dT%H:%M:%S.%f}" + ("Z" if value.tzinfo else "")
