"""A look at the records of a batch."""

from __future__ import annotations

import pytest

from moldau.protocol.records.batch import read_whole_header
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.compression import Codec
from moldau.protocol.records.inspection import (
    RECORD_ERRORS_MAX,
    UNFOLDED_BYTES_MAX,
    Inspection,
    inspect_records,
)
from moldau.protocol.records.record import records_block
from moldau.protocol.records.refusals import InvalidBatchError, InvalidTimestampError
from moldau.protocol.records.scan import STEP_RECORDS, read_rows


def inspected(
    count: int, *, key: bytes | None = b"key", window: tuple[int, int] | None = None
) -> Inspection:
    builder = BatchBuilder(BatchFields(codec=Codec.LZ4))
    for timestamp in range(count):
        builder.append(timestamp, key, b"value")
    batch = builder.build()
    header = read_whole_header(batch)
    return inspect_records(batch, header, True, window)


def test_more_records_than_a_step_has_are_surveyed_whole() -> None:
    count = 2 * STEP_RECORDS + 5
    inspection = inspected(count)
    assert inspection.survey == (count, 0, count - 1, 0, 0)
    assert inspection.max_timestamp == count - 1


def test_a_batch_of_no_records_breaks_no_rule() -> None:
    builder = BatchBuilder()
    batch = builder.build(last_offset_delta=3)
    inspection = inspect_records(batch, read_whole_header(batch), True, (0, 9))
    assert inspection.survey.record_count == 0


def test_a_batch_that_swells_beyond_all_measure_is_refused() -> None:
    builder = BatchBuilder(BatchFields(codec=Codec.GZIP))
    builder.append(0, b"key", bytes(UNFOLDED_BYTES_MAX))
    batch = builder.build()
    with pytest.raises(InvalidBatchError, match=f"more than the {UNFOLDED_BYTES_MAX} bytes"):
        inspect_records(batch, read_whole_header(batch), True, None)


def test_a_refusal_names_only_so_many_records() -> None:
    with pytest.raises(InvalidBatchError) as refusal:
        inspected(RECORD_ERRORS_MAX + 5, key=None)
    indexes = [error.batch_index for error in refusal.value.record_errors]
    assert indexes == list(range(RECORD_ERRORS_MAX))


def test_keys_are_judged_before_timestamps_and_timestamps_name_the_refusal() -> None:
    builder = BatchBuilder()
    builder.append(99, None, b"")
    builder.append(99, b"key", b"")
    batch = builder.build()
    with pytest.raises(InvalidTimestampError) as refusal:
        inspect_records(batch, read_whole_header(batch), True, (0, 9))
    reasons = [error.reason for error in refusal.value.record_errors]
    assert "no key" in reasons[0]
    assert "timestamp 99" in reasons[1]


def test_no_timestamp_is_within_every_window() -> None:
    builder = BatchBuilder()
    builder.append(-1, b"key", b"")
    batch = builder.build()
    inspect_records(batch, read_whole_header(batch), True, (5, 9))


def test_rows_can_be_put_in_order() -> None:
    builder = BatchBuilder()
    builder.append(0, b"key", b"", offset_delta=7)
    builder.append(0, b"key", b"", offset_delta=9)
    batch = builder.build()
    header = read_whole_header(batch)
    inspection = inspect_records(batch, header, True, None)
    assert inspection.survey.misplaced == 2
    assert inspection.block == records_block(batch, header)
    assert [row.offset_delta for row in read_rows(inspection.rows_in_order())] == [0, 1]
