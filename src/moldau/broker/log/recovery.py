"""Making a log whole after an unclean stop.

From the recovery point on nothing is trusted. The segments from the one that holds it are read
batch by batch: header, order of offsets and leader epochs, checksum. While they pass, indexes,
aborted transactions, leader epochs and the state of producers are made anew. At the first batch
that fails, the log ends: what lies behind it in that segment is cut, and later segments go.

Two kinds of damage have sound checksums. Old bytes may come back behind new ones when a truncation
was not yet on disk: their leader epoch is smaller than that of the batch before. And a whole
segment, or its last batches, may be lost while the next one is there: its base is not where the
one before it ends. In logs that are compacted such gaps are legal, so there they pass; that is why
appending/rolling.py syncs a segment of such a log before the next one begins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from struct import Struct
from zlib import crc32

from moldau.broker.log.log_state import LogState
from moldau.broker.log.producers.end_marker import marker_in
from moldau.broker.log.producers.replay import replay
from moldau.broker.log.segment.batch_walk import UnsoundBatchError, header_fault
from moldau.broker.log.segment.segment import Segment
from moldau.errors import CorruptRecordError, InvalidRecordError
from moldau.platform.ports.files import File
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.records.batch import (
    CRC_START,
    HEADER_SIZE,
    NO_LEADER_EPOCH,
    BatchHeader,
    read_header,
)
from moldau.protocol.records.checksum import crc32c

READ_BYTES = 1024 * 1024
"""One read of the sequential scan; a larger batch is read whole."""

ENDING = "moldau.broker.log.ending"
"""Imported where a log has to end before its files do."""

_OLD_HEADER = Struct(">qiIb")
_OLD_MAGICS = (0, 1)
_OLD_LENGTH_END = 12
_OLD_LENGTH_MIN = 14
"""Checksum, magic, attributes, and the lengths of a null key and a null value."""
_OLD_CRC_SIZE = 4
_OLD_CRC_START = _OLD_LENGTH_END + _OLD_CRC_SIZE


class DamagedLogError(CorruptRecordError):
    """What was whole on the disk is so no longer; nothing of it was changed."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a log stops being sound, and why."""

    segment: Segment
    position: int
    offset: int
    """The first offset that cannot be read any more."""
    reason: str


def recover(state: LogState, known_offset: int = 0) -> None:
    """Check everything from the recovery point on and end the log where it stops being sound.

    `DamagedLogError` where it stops below `known_offset`, which no crash can have done.
    """
    unflushed = state.segments.starting_at_floor(state.recovery_point)
    first = end_offset = unflushed[0].base_offset
    state.producers.truncate_and_reload(state.log_start_offset, first, state.clock.now_ms())
    replay(state.producers, state.segments, first)
    for index, segment in enumerate(unflushed):
        if _leaves_hole(state, segment, end_offset):
            _ensure_known(segment, 0, end_offset, known_offset)
            reason = f"the segment begins at offset {segment.base_offset}"
            end_log(state, Stop(segment, 0, end_offset, reason), unflushed[index:])
            break
        stop = recover_segment(state, segment, known_offset)
        end_offset = stop.offset
        if stop.position < segment.size:
            _ensure_known(segment, stop.position, end_offset, known_offset)
            end_log(state, stop, unflushed[index + 1 :])
        segment.seal()
        state.producers.map_end_offset = end_offset
        state.producers.take_snapshot(sync=False)
        if segment is state.segments.active:
            break
    state.log_end_offset = end_offset
    state.recovery_point = min(state.recovery_point, end_offset)


def end_log(state: LogState, stop: Stop, later: Sequence[Segment]) -> None:
    """Set aside and take out what lies behind a stop: `ending` does it."""
    import_module(ENDING).end_log(state, stop, later)


def ensure_reaches(state: LogState, known_offset: int) -> None:
    """Raise where a log ends before an offset that it once had."""
    _ensure_known(state.active, state.active.size, state.log_end_offset, known_offset)


def _ensure_known(segment: Segment, position: int, end_offset: int, known_offset: int) -> None:
    if end_offset < known_offset:
        raise DamagedLogError(
            f"{segment.log.path}: it is damaged at byte {position}, where offset {end_offset} "
            f"should be, though all below offset {known_offset} was on the disk"
        )


def _leaves_hole(state: LogState, segment: Segment, end_offset: int) -> bool:
    return segment.base_offset != end_offset and not state.settings.compacts


def recover_segment(state: LogState, segment: Segment, known_offset: int = 0) -> Stop:
    """Check a segment and make anew what belongs to it; where it stops, and why.

    Below `known_offset` no offset is missing.
    """
    refuse_old_format(segment.log)
    segment.begin_rebuild()
    accepted = Accepted(segment, known_offset)
    for position, header, batch in accepted:
        _take_over(state, segment, position, header, batch)
    return accepted.stop


class Accepted:
    """The batches of a segment that recovery accepts, one after the other; then `stop`."""

    def __init__(self, segment: Segment, known_offset: int = 0) -> None:
        self._segment = segment
        self._known_offset = known_offset
        self.stop = Stop(segment, 0, segment.base_offset, "")
        """Behind the last accepted batch; at the segment's size where all are."""

    def __iter__(self) -> Iterator[tuple[int, BatchHeader, memoryview]]:
        segment, epoch, reason = self._segment, NO_LEADER_EPOCH, ""
        position, offset = 0, segment.base_offset
        try:
            for at, header, batch in sound_batches(segment.log, offset, segment.size):
                if reason := self._refusal(header, offset, epoch):
                    break
                yield at, header, batch
                epoch = header.leader_epoch
                offset, position = header.next_offset, at + header.size
        except UnsoundBatchError as error:
            reason = error.reason
        self.stop = Stop(segment, position, offset, reason)

    def _refusal(self, header: BatchHeader, offset: int, epoch: int) -> str:
        if header.leader_epoch < epoch:
            return f"a batch of leader epoch {header.leader_epoch} follows one of {epoch}"
        if not self._segment.has_room_for_offset(header.last_offset):
            return f"a batch has offset {header.last_offset}, too far above the segment's base"
        if header.base_offset > offset < self._known_offset:
            return f"a batch has offset {header.base_offset}"
        return ""


def _take_over(
    state: LogState, segment: Segment, position: int, header: BatchHeader, batch: memoryview
) -> None:
    segment.index_batch(header, position)
    latest = state.epochs.latest_epoch
    if header.leader_epoch > (NO_LEADER_EPOCH if latest is None else latest):
        state.epochs.assign(header.leader_epoch, header.base_offset)
    if header.producer_id < 0:
        return
    completed = state.producers.apply(header, marker_in(header, batch))
    if completed is not None and completed.is_aborted:
        segment.transaction_index.append(completed.as_aborted())


def sound_batches(
    file: File, base_offset: int, end: int
) -> Iterator[tuple[int, BatchHeader, memoryview]]:
    """Position, header and bytes of each batch; `UnsoundBatchError` at the first that is not one.

    The bytes are only good until the next step.
    """
    position, next_offset = 0, base_offset
    window, start = memoryview(b""), 0
    while position < end:
        room = end - position
        if position + HEADER_SIZE > start + len(window):
            window, start = _window(file, position, min(READ_BYTES, room)), position
        header = read_header(window, position - start)
        if fault := header_fault(header, room, next_offset):
            raise UnsoundBatchError(file.path, position, fault)
        if position + header.size > start + len(window):
            window = _window(file, position, min(max(READ_BYTES, header.size), room))
            start = position
        batch = window[position - start : position - start + header.size]
        if crc32c(batch[CRC_START:]) != header.crc:
            raise UnsoundBatchError(file.path, position, "a batch fails its checksum")
        yield position, header, batch
        position += header.size
        next_offset = header.next_offset


def _window(file: File, position: int, size: int) -> memoryview:
    data = file.read_at(position, size)
    if len(data) < HEADER_SIZE:
        raise UnsoundBatchError(file.path, position, "the header of a batch is cut off")
    return memoryview(data)


def refuse_old_format(file: File) -> None:
    """Raise where a sound message of format v0 or v1 comes first, rather than cut it off.

    Such logs were last written by Kafka 0.10; their checksum is the CRC-32 of zip.
    """
    start = file.read_at(0, _OLD_HEADER.size)
    if len(start) < _OLD_HEADER.size:
        return
    _offset, length, checksum, magic = _OLD_HEADER.unpack(start)
    if magic not in _OLD_MAGICS or not _OLD_LENGTH_MIN <= length <= file.size() - _OLD_LENGTH_END:
        return
    if crc32(file.read_at(_OLD_CRC_START, length - _OLD_CRC_SIZE)) == checksum:
        raise InvalidRecordError(
            f"{file.path} holds messages of format v{magic}, which Kafka 4 does not write; "
            "let a Kafka below 4 rewrite the topic (log.message.format.version), or copy it"
        )
