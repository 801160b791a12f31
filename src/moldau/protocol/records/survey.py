"""What a broker checks in many records at once: the hot half of validation.

Nearly every batch obeys, so the records are summed up first, and only where the sum is wrong does
`records.validator` look for the culprits one by one.

This module is compiled with mypyc where a compiler is there, and runs as it is where there is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from librt.strings import read_i64_le

from moldau.protocol.records.scan import ROW_SIZE

if TYPE_CHECKING:
    from mypy_extensions import i64


class Survey(NamedTuple):
    """What a run of records has in it."""

    record_count: int
    timestamp_delta_min: int
    timestamp_delta_max: int
    null_keys: int
    misplaced: int
    """Records whose offset delta is not their index in the batch."""


def survey_rows(rows: bytes, first_index: i64 = 0) -> Survey:
    """Sum up `rows` (`records.scan.Row`), at least one, of which the first has `first_index`."""
    lowest: i64 = read_i64_le(rows, 0)
    highest: i64 = lowest
    null_keys: i64 = 0
    misplaced: i64 = 0
    index: i64 = first_index
    row: i64 = 0
    rows_end: i64 = len(rows)
    while row < rows_end:
        timestamp_delta: i64 = read_i64_le(rows, row)
        if timestamp_delta < lowest:
            lowest = timestamp_delta
        if timestamp_delta > highest:
            highest = timestamp_delta
        if read_i64_le(rows, row + 8) != index:
            misplaced += 1
        if read_i64_le(rows, row + 24) < 0:
            null_keys += 1
        index += 1
        row += ROW_SIZE
    return Survey(index - first_index, lowest, highest, null_keys, misplaced)


def join_surveys(first: Survey | None, second: Survey) -> Survey:
    """What two runs have in them together."""
    if first is None:
        return second
    return Survey(
        first.record_count + second.record_count,
        min(first.timestamp_delta_min, second.timestamp_delta_min),
        max(first.timestamp_delta_max, second.timestamp_delta_max),
        first.null_keys + second.null_keys,
        first.misplaced + second.misplaced,
    )
