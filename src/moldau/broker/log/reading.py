"""Answering a fetch from the log: a file slice and what its reader needs beside it.

Who reads decides how far: followers to the end of the log, consumers to the high watermark, and
read_committed readers to the last stable offset. These also get the aborted
transactions that overlap the slice (KIP-98): each of its entries names a producer and the offset
from which its batches are to be skipped until its ABORT marker comes.

A slice begins with the batch that holds the wanted offset, so its first records may lie before it,
and may end inside a batch; readers expect both. Followers get what is on the disk. Of a topic with
`encryption.at.rest` a consumer gets a slice that decrypts when it is read.
"""

from __future__ import annotations

from enum import Enum
from typing import ClassVar, Final

from moldau.broker.log.log_state import LogState
from moldau.broker.log.segment.file_slice import EncryptedSlice, FileSlice
from moldau.broker.log.segment.segment import Segment
from moldau.broker.log.segment.transaction_index import AbortedTransaction
from moldau.errors import MoldauError
from moldau.protocol.records.batch import BatchHeader

GAPS_MAX: Final = 20
"""Remembered until they are shown."""


class Isolation(Enum):
    """How far a reader may see."""

    LOG_END = "log end"
    """A follower."""
    HIGH_WATERMARK = "high watermark"
    """A consumer with read_uncommitted."""
    COMMITTED = "committed"
    """A consumer with read_committed."""


class OffsetOutOfRangeError(MoldauError):
    """The wanted offset is not in the log: too old, or not there yet."""

    code: ClassVar[int] = 1

    def __init__(self, directory: str, offset: int, start: int, end: int) -> None:
        name = directory.rpartition("/")[2]
        super().__init__(f"{name}: offset {offset} is outside of {start} to {end}")
        self.offset = offset
        self.log_start_offset = start
        self.log_end_offset = end


class FetchResult:
    """What a read found."""

    __slots__ = (
        "aborted_transactions", "base_offset", "first_batch_size", "high_watermark",
        "last_stable_offset", "log_start_offset", "slice",
    )  # fmt: skip

    def __init__(
        self,
        slice: FileSlice | None,  # noqa: A002 - Kafka's word for it
        base_offset: int,
        high_watermark: int,
        last_stable_offset: int,
        log_start_offset: int,
        aborted_transactions: list[AbortedTransaction] | None,
        first_batch_size: int = 0,
    ) -> None:
        self.slice = slice
        """None where there is nothing to read yet."""
        self.base_offset = base_offset
        """Of the first batch; the wanted offset where there is none."""
        self.high_watermark = high_watermark
        self.last_stable_offset = last_stable_offset
        self.log_start_offset = log_start_offset
        self.aborted_transactions = aborted_transactions
        """Only for readers of committed data; None for the others."""
        self.first_batch_size = first_batch_size
        """Bytes of the first batch, of which the slice may hold less; 0 where there is none."""

    def __repr__(self) -> str:
        return f"FetchResult({self.size} bytes from offset {self.base_offset})"

    @property
    def size(self) -> int:
        return 0 if self.slice is None else self.slice.size

    def read(self) -> bytes:
        """The bytes of the slice."""
        return b"" if self.slice is None else self.slice.read()


def read(
    state: LogState, offset: int, max_bytes: int, isolation: Isolation, min_one: bool
) -> FetchResult:
    """Up to `max_bytes` from the batch that holds `offset`; with `min_one` that batch at least."""
    if not state.log_start_offset <= offset <= state.log_end_offset:
        raise OffsetOutOfRangeError(
            state.directory, offset, state.log_start_offset, state.log_end_offset
        )
    bound = upper_bound(state, isolation)
    segment = state.segments.floor(offset)
    while segment is not None and offset < bound:
        end = position_of(state, bound, segment)
        if end and (found := segment.read(offset, max_bytes, end, min_one)) is not None:
            return _result(state, isolation, offset, segment, found)
        segment = state.segments.after(segment)
        if segment is not None and end and len(state.gaps) < GAPS_MAX:
            state.gaps[offset] = segment.base_offset
    return _empty(state, isolation, offset)


def upper_bound(state: LogState, isolation: Isolation) -> int:
    """The first offset that such a reader may not see."""
    match isolation:
        case Isolation.LOG_END:
            return state.log_end_offset
        case Isolation.HIGH_WATERMARK:
            return state.high_watermark
        case Isolation.COMMITTED:
            return state.last_stable_offset


def position_of(state: LogState, offset: int, segment: Segment) -> int:
    """Where, in this segment, the batches at and after `offset` begin."""
    if offset >= state.log_end_offset:
        return segment.size
    place = state.high_watermark_place
    if place is None or place[0] != offset:
        place = _look_up(state, offset)
        state.high_watermark_place = place
    _, base_offset, position = place
    if segment.base_offset == base_offset:
        return position
    return segment.size if segment.base_offset < base_offset else 0


def _look_up(state: LogState, offset: int) -> tuple[int, int, int]:
    segment = state.segments.floor(offset)
    if segment is None:
        return offset, state.log_start_offset, 0
    found = segment.locate(offset)
    return offset, segment.base_offset, segment.size if found is None else found[0]


def _result(
    state: LogState,
    isolation: Isolation,
    offset: int,
    segment: Segment,
    found: tuple[FileSlice, BatchHeader],
) -> FetchResult:
    piece, header = found
    if header.is_encrypted and isolation is not Isolation.LOG_END:
        piece = EncryptedSlice(piece, state.encryption, state.partition)
    aborted = None
    if isolation is Isolation.COMMITTED:
        bound = segment.offset_index.upper_bound(piece.position + piece.size)
        if bound is None:
            bound = state.segments.end_of(segment, state.log_end_offset)
        aborted = aborted_transactions(state, offset, bound)
    return FetchResult(
        piece,
        header.base_offset,
        state.high_watermark,
        state.last_stable_offset,
        state.log_start_offset,
        aborted,
        header.size,
    )


def _empty(state: LogState, isolation: Isolation, offset: int) -> FetchResult:
    aborted: list[AbortedTransaction] | None = [] if isolation is Isolation.COMMITTED else None
    return FetchResult(
        None,
        offset,
        state.high_watermark,
        state.last_stable_offset,
        state.log_start_offset,
        aborted,
    )


def aborted_transactions(
    state: LogState, fetch_offset: int, bound: int
) -> list[AbortedTransaction]:
    """Those that overlap [fetch offset, bound): markers may lie in later segments."""
    found: list[AbortedTransaction] = []
    for segment in state.segments.starting_at_floor(fetch_offset):
        some, complete = segment.transaction_index.collect(fetch_offset, bound)
        found += some
        if complete:
            break
    return found
