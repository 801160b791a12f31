"""Finding sound batches among bytes that are none: what lies behind damage.

Readers of a log that is damaged in its middle get what is whole behind the damage, an index that is
made anew leads past it, and what a recovery cuts off is looked through for the offsets that go.

A batch that cannot be read does not show where the next one begins. Every batch of format v2 has a
2 as its seventeenth byte, a size that must fit, and a checksum over nearly all of it; where all
three agree, a batch begins. This is slow beside `batch_walk`, and imported where damage is met.
"""

from __future__ import annotations

from collections.abc import Iterator

from moldau.broker.log.segment.batch_walk import UnsoundBatchError, walk
from moldau.platform.ports.files import File
from moldau.protocol.records.batch import CRC_START, HEADER_SIZE, MAGIC, BatchHeader, read_header
from moldau.protocol.records.checksum import crc32c

SEARCHED_AT_ONCE = 1024 * 1024
_MAGIC_AT = 16
_MAGIC_BYTE = bytes([MAGIC])


def sound_headers(file: File, position: int, end: int) -> Iterator[tuple[int, BatchHeader]]:
    """Position and header of every batch in this stretch whose checksum is right."""
    while position + HEADER_SIZE <= end:
        window = file.read_at(position, min(SEARCHED_AT_ONCE, end - position))
        if len(window) < HEADER_SIZE:
            return
        found = _first_in(file, window, position, end)
        if found is None:
            position += len(window) - HEADER_SIZE + 1
        else:
            yield found
            position = found[0] + found[1].size


def _first_in(file: File, window: bytes, start: int, end: int) -> tuple[int, BatchHeader] | None:
    last = len(window) - HEADER_SIZE
    at = window.find(_MAGIC_BYTE, _MAGIC_AT) - _MAGIC_AT
    while 0 <= at <= last:
        header = read_header(window, at)
        if _is_sound(file, start + at, header, end):
            return start + at, header
        at = window.find(_MAGIC_BYTE, at + _MAGIC_AT + 1) - _MAGIC_AT
    return None


def _is_sound(file: File, position: int, header: BatchHeader, end: int) -> bool:
    if not HEADER_SIZE <= header.size <= end - position:
        return False
    if header.base_offset < 0 or header.last_offset_delta < 0:
        return False
    batch = memoryview(file.read_at(position, header.size))
    return len(batch) == header.size and crc32c(batch[CRC_START:]) == header.crc


def walk_past_damage(file: File, position: int, end: int) -> Iterator[tuple[int, BatchHeader]]:
    """As `batch_walk.walk`, but unsound bytes, and sound batches that go back, are passed over."""
    next_offset = 0
    while position < end:
        try:
            for at, header in walk(file, position, end):
                if header.base_offset < next_offset:
                    break
                yield at, header
                position, next_offset = at + header.size, header.next_offset
            else:
                return
        except UnsoundBatchError as error:
            position = error.position
        sound = sound_headers(file, position, end)
        position = next((at for at, one in sound if one.base_offset >= next_offset), end)


def locate_past_damage(
    file: File, damage: UnsoundBatchError, end: int, offset: int
) -> tuple[int, BatchHeader]:
    """The batch that holds `offset`, behind damage; raises that where it is lost."""
    for found in sound_headers(file, damage.position, end):
        if found[1].last_offset >= offset:
            if found[1].base_offset <= offset:
                return found
            break
    raise damage


def end_offset_of(file: File, position: int, end: int, offset: int) -> int:
    """One more than the last offset that these bytes name, where `offset` should come first.

    A batch without a right checksum counts where it stands at an end of the stretch and its header
    continues the log: it is damaged, or was cut short. The base offset lies outside the checksum;
    one that leaves a gap of more offsets than bytes were skipped is not accepted.
    """
    known = _end_of_unsound(file, position, end, offset)
    for found, header in sound_headers(file, position, end):
        if header.base_offset < offset:
            continue
        is_near = header.base_offset - known <= found - position
        known = max(known, header.next_offset) if is_near else known + header.record_count
        position = found + header.size
    return _end_of_unsound(file, position, end, known)


def _end_of_unsound(file: File, position: int, end: int, offset: int) -> int:
    start = file.read_at(position, min(HEADER_SIZE, end - position))
    if len(start) < HEADER_SIZE:
        return offset
    header = read_header(start)
    if header.magic != MAGIC or header.base_offset != offset:
        return offset
    is_whole = header.last_offset_delta == header.record_count - 1
    return header.next_offset if is_whole else offset + 1
