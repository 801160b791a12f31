"""A look at the records of a batch, for the rules that cannot be checked on its header.

The sum over all records decides (`records.survey`); the list of the guilty is made only when
there are any, and is cut off, because one sentence to the producer is enough.
"""

from __future__ import annotations

from collections.abc import Iterator

from moldau.errors import CorruptRecordError
from moldau.platform.buffers import Buffer
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.records.batch import NO_TIMESTAMP, BatchHeader
from moldau.protocol.records.record import records_block
from moldau.protocol.records.refusals import (
    BatchRefusedError,
    InvalidBatchError,
    InvalidTimestampError,
    RecordError,
)
from moldau.protocol.records.scan import (
    NULL_LENGTH,
    ROW,
    Row,
    read_rows,
    scan_in_steps,
)
from moldau.protocol.records.survey import Survey, join_surveys, survey_rows

RECORD_ERRORS_MAX = 100
"""As many single records as a refusal names: a whole batch of them would be the longer answer."""
UNFOLDED_BYTES_MAX = 64 * 1024 * 1024
"""What a batch may become for a look: its sender pays a few kilobytes for it, the broker all."""
UNFOLDED_RATIO = 16
"""Batches that are large themselves may grow by this much, if that is more."""
INT64_MIN, INT64_MAX = -(1 << 63), (1 << 63) - 1

Window = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Inspection:
    """A batch's records, which obey the rules."""

    header: BatchHeader
    block: bytes
    """The records, decompressed."""
    survey: Survey

    @property
    def max_timestamp(self) -> int:
        return self.header.base_timestamp + self.survey.timestamp_delta_max

    def rows_in_order(self) -> bytes:
        """The rows of all records, with offset deltas that count them from 0."""
        rows = _rows(self.block, self.header)
        return b"".join(
            ROW.pack(*row._replace(offset_delta=index)) for index, row in enumerate(rows)
        )


def inspect_records(
    batch: Buffer, header: BatchHeader, wants_keys: bool, window: Window | None
) -> Inspection:
    """The records of `batch`, or why they are refused; a `window` bounds their timestamps."""
    try:
        block = unfolded(batch, header)
        survey = _survey(block, header)
    except CorruptRecordError as error:  # the checksum held: its producer made it so
        raise InvalidBatchError(f"batch with records that cannot be read: {error}") from error
    if wants_keys and survey.null_keys:
        refusal = _refusal(block, header, wants_keys, window)
        refusal.null_keys = survey.null_keys
        raise refusal
    if _reaches_beyond(survey, header, window):
        refusal = _refusal(block, header, wants_keys, window)
        if refusal.record_errors:  # no timestamp at all is fine, and yet outside of every window
            raise refusal
    return Inspection(header, block, survey)


def unfolded(batch: Buffer, header: BatchHeader) -> bytes:
    """The records of a batch, decompressed; they may not become too many."""
    return records_block(batch, header, max(UNFOLDED_BYTES_MAX, UNFOLDED_RATIO * header.size))


def _survey(block: bytes, header: BatchHeader) -> Survey:
    survey = None
    for rows in scan_in_steps(block, header.record_count):
        if rows:
            first_index = survey.record_count if survey else 0
            survey = join_surveys(survey, survey_rows(rows, first_index))
    return survey or Survey(0, 0, 0, 0, 0)


def _reaches_beyond(survey: Survey, header: BatchHeader, window: Window | None) -> bool:
    earliest, latest = window or (INT64_MIN, INT64_MAX)
    base = header.base_timestamp
    return base + survey.timestamp_delta_min < earliest or (
        base + survey.timestamp_delta_max > latest
    )


def _refusal(
    block: bytes, header: BatchHeader, wants_keys: bool, window: Window | None
) -> BatchRefusedError:
    kind: type[BatchRefusedError] = InvalidBatchError
    errors: list[RecordError] = []
    for index, row in enumerate(_rows(block, header)):
        timestamp = header.base_timestamp + row.timestamp_delta
        if wants_keys and row.key_length == NULL_LENGTH:
            errors.append(RecordError(index, "it has no key, and the topic is compacted"))
        elif window and timestamp != NO_TIMESTAMP and not window[0] <= timestamp <= window[1]:
            kind = InvalidTimestampError
            reason = f"its timestamp {timestamp} is not within [{window[0]}, {window[1]}]"
            errors.append(RecordError(index, reason))
        if len(errors) == RECORD_ERRORS_MAX:
            break
    reasons = (
        f"record {errors[0].batch_index}: {errors[0].reason}" if errors else "nothing is wrong"
    )
    return kind(f"batch with records that break the topic's rules; {reasons}", tuple(errors))


def _rows(block: bytes, header: BatchHeader) -> Iterator[Row]:
    for rows in scan_in_steps(block, header.record_count):
        yield from read_rows(rows)
