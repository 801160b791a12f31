"""What every opening checks of a log, even after a clean stop: its tail, the transaction indexes.

The batches behind the last entry of the last segment's offset index are read for the log's end
anyway, so their checksums are checked where they are few bytes: in what was written last damage
is likeliest, and a batch there that is not what was appended would lie below new ones for ever.

An offset or time index that is wrong is noticed when it is read, and rebuilt from the headers of
its segment alone (segment.py). A wrong `.txnindex` would hide aborted transactions from readers of
committed data, and to rebuild it takes the producers that had open transactions when the segment
began. So each one is read when the log is opened; there are few, and most are short. One that
cannot be is made anew: producers from the newest snapshot before the segment, the batches from
there on, and the segment's own markers. Kafka does the same for the same reason.

No other records are touched. Where a header cannot be read the index ends, no reader gets past it.
"""

from __future__ import annotations

from collections.abc import Iterable

from moldau.broker.log.log_state import LogState
from moldau.broker.log.producers.replay import apply_stored, replay
from moldau.broker.log.producers.states import ProducerStates
from moldau.broker.log.segment.batch_walk import UnsoundBatchError, header_fault
from moldau.broker.log.segment.file_names import TRANSACTION_INDEX
from moldau.broker.log.segment.segment import Segment
from moldau.errors import CorruptRecordError
from moldau.protocol.records.batch import CRC_START, HEADER_SIZE, read_header
from moldau.protocol.records.checksum import crc32c

TAIL_BYTES_MAX = 64 * 1024
"""Some index intervals, and less than a read of the scan: large batches are left to recovery."""


def sound_end(segment: Segment) -> int:
    """One more than the last offset; `CorruptRecordError` where the tail is not sound."""
    entry = segment.offset_index.last
    size = segment.size - entry.position
    if size > TAIL_BYTES_MAX:
        return segment.next_offset()
    tail = memoryview(segment.log.read_at(entry.position, size))
    if entry.position and not segment.base_offset <= _base_offset(tail) <= entry.offset:
        return segment.next_offset()  # which has the index made anew
    return _checked_end(segment.log.path, tail, entry.position, segment.base_offset)


def _base_offset(tail: memoryview) -> int:
    return read_header(tail).base_offset if len(tail) >= HEADER_SIZE else -1


# hot: for all batches since the last index entry, at every start; 1.5 us each (CPython 3.11).
def _checked_end(path: str, tail: memoryview, start: int, next_offset: int) -> int:
    at, size = 0, len(tail)
    while at < size:
        if size - at < HEADER_SIZE:
            raise UnsoundBatchError(path, start + at, "the header of a batch is cut off")
        header = read_header(tail, at)
        if reason := header_fault(header, size - at, next_offset):
            raise UnsoundBatchError(path, start + at, reason)
        end = at + header.size
        if crc32c(tail[at + CRC_START : end]) != header.crc:
            raise UnsoundBatchError(path, start + at, "a batch fails its checksum")
        at, next_offset = end, header.next_offset
    return next_offset


def mend_transaction_indexes(state: LogState, names: Iterable[str]) -> list[str]:
    """Rebuild every one among these files that makes no sense; returns their paths."""
    mended = []
    indexes = {name for name in names if name.endswith(TRANSACTION_INDEX)}
    for segment in state.segments if indexes else ():
        path = segment.path(TRANSACTION_INDEX)
        if path.rpartition("/")[2] in indexes and not _is_sane(segment):
            _rebuild(state, segment)
            mended.append(path)
    return mended


def _is_sane(segment: Segment) -> bool:
    try:
        segment.transaction_index.sanity_check(segment.base_offset)
    except CorruptRecordError:
        return False
    return True


def _rebuild(state: LogState, segment: Segment) -> None:
    producers = ProducerStates(state.files, state.directory)
    producers.load_before(segment.base_offset, state.log_start_offset)
    index = segment.transaction_index
    index.truncate()
    try:
        replay(producers, state.segments, segment.base_offset)
        for position, header in segment.batches():
            completed = apply_stored(producers, segment, position, header)
            if completed is not None and completed.is_aborted:
                index.append(completed.as_aborted())
    except CorruptRecordError:
        pass
    index.sync()
