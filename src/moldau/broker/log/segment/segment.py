"""A piece of a partition: one `.log` file, its indexes, and what is known of its contents.

A segment is named by its base offset, which no offset in it lies below. Its files are opened when
they are first needed, so that a log of a thousand segments opens by listing a directory. Indexes
follow the log: entries are made as batches are appended (offset_index.py and time_index.py have
when), and an index that is missing, misshapen or leads astray is rebuilt from the headers of the
batches.

The active segment, the last one of its log, is `activate`d: its indexes are preallocated with their
first entry, so that a log that lies still touches none of its files. `seal` turns it into one that
only readers, compaction and retention touch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from moldau.broker.log.segment.batch_walk import UnsoundBatchError, salvage, walk
from moldau.broker.log.segment.file_names import LOG, OFFSET_INDEX, TIME_INDEX
from moldau.broker.log.segment.file_slice import FileSlice
from moldau.broker.log.segment.last_places import LastPlaces
from moldau.broker.log.segment.offset_index import MAX_RELATIVE_OFFSET, OffsetIndex
from moldau.broker.log.segment.segment_files import SegmentFiles
from moldau.broker.log.segment.segment_indexes import SegmentIndexes
from moldau.broker.log.segment.time_index import TimeIndex, TimestampOffset
from moldau.broker.log.segment.transaction_index import TransactionIndex
from moldau.broker.log.settings import LogSettings
from moldau.errors import CorruptRecordError, FileMissingError
from moldau.platform.buffers import Buffer
from moldau.platform.ports.files import File, Files
from moldau.protocol.records.batch import NO_TIMESTAMP, BatchHeader

MAX_SEGMENT_BYTES: Final = 2**31 - 1
"""Positions are 32 bits with a sign in the index."""


class Segment:
    """One segment; `create` makes its files, the constructor takes those that are there."""

    def __init__(
        self,
        files: Files,
        directory: str,
        base_offset: int,
        settings: LogSettings,
        *,
        size: int,
        now_ms: int,
        suffix: str = "",
    ) -> None:
        self._files = SegmentFiles(files, directory, base_offset, suffix)
        self._settings = settings
        self.base_offset = base_offset
        self.size = size
        self.created_ms = now_ms
        self.indexes = SegmentIndexes(files, self.path, base_offset, settings.segment_index_bytes)
        self._places = LastPlaces()
        self._largest: TimestampOffset | None = None
        self._first_timestamp: int | None = None
        self._bytes_since_entry = 0
        self.is_encrypted = False
        """Whether its batches are; none or all. Known with the first timestamp."""
        self.indexes_synced = True
        self.has_full_index = False
        """Whether the next entry might not fit; true of the active segment alone."""
        self._wants_room = False
        self._has_room = False
        """Whether the indexes are preallocated."""

    @classmethod
    def create(
        cls,
        files: Files,
        directory: str,
        base_offset: int,
        settings: LogSettings,
        *,
        now_ms: int,
        suffix: str = "",
    ) -> Segment:
        """A segment without a record; files that lie in its way are replaced."""
        segment = cls(files, directory, base_offset, settings, size=0, now_ms=now_ms, suffix=suffix)
        segment._files.create_log()
        segment._clear_indexes()
        segment.activate()
        return segment

    def __repr__(self) -> str:
        return f"Segment({self.path(LOG)}, {self.size} bytes)"

    # What it consists of.

    def path(self, kind: str) -> str:
        """Where the file of this kind lies, whether there is one or not."""
        return self._files.path(kind)

    @property
    def log(self) -> File:
        return self._files.log

    @property
    def offset_index(self) -> OffsetIndex:
        index = self.indexes.offset
        if index is None:
            try:
                index = self.indexes.open_offset(self.size)
            except (FileMissingError, CorruptRecordError):
                index = self.rebuild_indexes()[0]
        return index

    @property
    def time_index(self) -> TimeIndex:
        index = self.indexes.time
        if index is None:
            try:
                index = self.indexes.open_time()
            except (FileMissingError, CorruptRecordError):
                index = self.rebuild_indexes()[1]
        return index

    @property
    def transaction_index(self) -> TransactionIndex:
        return self._files.transaction_index

    @property
    def largest(self) -> TimestampOffset:
        """The largest timestamp and the last offset of the first batch that has it."""
        if self._largest is None:
            self._largest = self._checked_last_time()
        return self._largest

    def _checked_last_time(self) -> TimestampOffset:
        """The last time entry; a wrong one would hide records, or have them deleted too early."""
        last = self.time_index.last
        if last.timestamp == NO_TIMESTAMP:
            return last
        try:
            found = self.locate(last.offset)
        except CorruptRecordError:
            return last
        if found is not None and found[1].max_timestamp == last.timestamp:
            return last
        self.indexes.refuse(TIME_INDEX, "names a batch that is not there")
        return self.rebuild_indexes()[1].last

    @property
    def largest_timestamp(self) -> int:
        """The largest timestamp of a record; where none has one, when the file was written last."""
        return self.modified_ms if self.largest.timestamp < 0 else self.largest.timestamp

    @property
    def modified_ms(self) -> int:
        return self._files.modified_ms

    @property
    def first_timestamp(self) -> int:
        """The largest timestamp of the first batch, from which the segment's age counts."""
        if self._first_timestamp is None and self.size:
            self._note_first(next(self.batches())[1])
        return NO_TIMESTAMP if self._first_timestamp is None else self._first_timestamp

    def _note_first(self, header: BatchHeader) -> None:
        self._first_timestamp = header.max_timestamp
        self.is_encrypted = header.is_encrypted

    def next_offset(self) -> int:
        """One more than the last offset; the base where nothing is in it."""
        if not self.size:
            return self.base_offset
        last = None
        for _position, last in self._walk_from_index(self.offset_index.last.offset):  # noqa: B007
            pass
        return self.base_offset if last is None else last.next_offset

    # Appending.

    def has_room_for_offset(self, offset: int) -> bool:
        return 0 <= offset - self.base_offset <= MAX_RELATIVE_OFFSET

    def append(self, records: Buffer, headers: Sequence[BatchHeader]) -> None:
        """Write whole batches, whose headers these are, at the end; index them where it is due."""
        position = self.size
        self.log.append(records)
        self.size = position + len(records)
        self.indexes_synced = False
        if self._first_timestamp is None and position == 0:
            self._note_first(headers[0])
        for header in headers:
            self.index_batch(header, position)
            self._places.tail = position, header
            position += header.size

    # hot: once for each batch of a client; 0.5 µs beyond write and index entries (CPython 3.11).
    def append_one(self, batch: Buffer, header: BatchHeader) -> None:
        """The same as `append` for a single batch, with everything in its place."""
        position, log = self.size, self._files.opened_log
        (self.log if log is None else log).append(batch)
        self.size = position + len(batch)
        self.indexes_synced = False
        self._places.tail = position, header
        if position == 0:
            self._note_first(header)
        if self._bytes_since_entry > self._settings.index_interval_bytes or self._largest is None:
            self.index_batch(header, position)
            return
        if (latest := header.max_timestamp) > self._largest.timestamp:
            self._largest = tuple.__new__(TimestampOffset, (latest, header.last_offset))
        self._bytes_since_entry += len(batch)

    def index_batch(self, header: BatchHeader, position: int) -> None:
        """Note a batch of the log in the indexes, in the order of the log."""
        if header.max_timestamp > self.largest.timestamp:
            self._largest = TimestampOffset(header.max_timestamp, header.last_offset)
        is_due = self._bytes_since_entry > self._settings.index_interval_bytes
        if is_due and not self.has_full_index:
            if self._wants_room:
                self._make_room()
            self.offset_index.append(header.last_offset, position)
            self.time_index.append(*self.largest)
            self._bytes_since_entry = 0
            self.has_full_index = self.indexes.are_full
        self._bytes_since_entry += header.size

    def activate(self) -> None:
        """Get ready to append."""
        self._wants_room = not self._has_room
        if self.size or self.indexes.offset is not None:
            self.has_full_index = self.offset_index.is_full or self.time_index.is_full
        if self.size:
            self.indexes_synced = False

    def _make_room(self) -> None:
        self.offset_index.preallocate()
        self.time_index.preallocate()
        self._wants_room, self._has_room = False, True

    def seal(self) -> None:
        """Nothing more will be appended: the last time entry is made and the indexes trimmed."""
        self._wants_room = False
        if not self.size and not self._has_room:
            return
        self._has_room = False
        if self.largest.timestamp != NO_TIMESTAMP:
            self.time_index.append(*self.largest)
        self.offset_index.trim()
        self.time_index.trim()

    # Reading.

    def batches(self, from_position: int = 0) -> Iterator[tuple[int, BatchHeader]]:
        """Position and header of every batch from the one that begins at this byte."""
        return walk(self.log, from_position, self.size)

    def batches_past_damage(self, from_position: int) -> Iterator[tuple[int, BatchHeader]]:
        """The same, but what is no batch is passed over."""
        try:
            yield from self.batches(from_position)
        except UnsoundBatchError as damage:
            yield from salvage().walk_past_damage(self.log, damage.position, self.size)

    def locate(self, offset: int) -> tuple[int, BatchHeader] | None:
        """The first batch that ends at or after `offset`; None where all end before it."""
        if (known := self._places.find(offset)) is not None:
            return known
        try:
            for found in self._walk_from_index(offset):
                if found[1].last_offset >= offset:
                    return self._places.note(offset, found)
        except UnsoundBatchError as damage:
            return salvage().locate_past_damage(self.log, damage, self.size, offset)
        return None

    def read(
        self, offset: int, max_bytes: int, max_position: int, min_one: bool
    ) -> tuple[FileSlice, BatchHeader] | None:
        """What may be sent from the batch of `offset` on, and that batch's header.

        None where the segment ends before `offset`. With `min_one` the first batch is whole even
        if it is larger than `max_bytes`.
        """
        found = self.locate(offset)
        if found is None:
            return None
        position, header = found
        size = max(max_bytes, header.size) if min_one else max_bytes
        size = max(0, min(size, max_position - position))
        return FileSlice(self.log, position, size), header

    def read_batch(self, position: int, header: BatchHeader) -> bytes:
        """The bytes of a whole batch."""
        return self.log.read_at(position, header.size)

    def _walk_from_index(self, offset: int) -> Iterator[tuple[int, BatchHeader]]:
        """The batches from the one that the index names; a wrong index is rebuilt first."""
        entry = self.offset_index.lookup(offset)
        batches = self.batches(entry.position)
        if not entry.position:
            return batches
        first = self._named_first(batches, entry.offset)
        if first is not None:
            return chain((first,), batches)
        self.indexes.refuse(OFFSET_INDEX, f"leads to byte {entry.position}, where no batch begins")
        self.rebuild_indexes()
        return self.batches(self.offset_index.lookup(offset).position)

    def _named_first(
        self, batches: Iterator[tuple[int, BatchHeader]], offset: int
    ) -> tuple[int, BatchHeader] | None:
        """The first of them, if it can be the batch that an index entry of `offset` names."""
        try:
            first = next(batches, None)
        except CorruptRecordError:
            return None
        if first is None or not self.base_offset <= first[1].base_offset <= offset:
            return None
        return first

    # Cutting and rebuilding.

    def truncate_to(self, offset: int) -> int:
        """Drop the batch that holds `offset` and all after it; returns how many bytes went."""
        found = self.locate(offset)
        self.offset_index.truncate_to(offset)
        self.time_index.truncate_to(offset)
        self.transaction_index.truncate_to(offset)
        removed = self.size - found[0] if found else 0
        self.cut_at(self.size - removed)
        return removed

    def cut_at(self, position: int) -> None:
        """Cut the `.log` at this byte; the caller has seen to the indexes."""
        if position < self.log.size():
            self.log.truncate(position)
        self.size = position
        self._places.forget()
        self._bytes_since_entry = 0
        if position == 0:
            self._first_timestamp = None
        self._largest = None
        self._find_largest_after_cut()

    def _find_largest_after_cut(self) -> None:
        """The time index may have lost the last entry; look at what lies behind the rest."""
        largest = self.time_index.last
        start = self.offset_index.lookup(largest.offset).position
        for _position, header in self.batches_past_damage(start):
            if header.max_timestamp > largest.timestamp:
                largest = TimestampOffset(header.max_timestamp, header.last_offset)
        self._largest = largest

    def begin_rebuild(self) -> None:
        """Forget all indexes; the caller walks through the log and notes every batch anew."""
        self._clear_indexes()
        self.transaction_index.truncate()
        self.indexes_synced = False

    def rebuild_indexes(self) -> tuple[OffsetIndex, TimeIndex]:
        """Make both indexes anew from the headers of the log; what is no batch is passed over."""
        rebuilt = self._clear_indexes()
        for position, header in salvage().walk_past_damage(self.log, 0, self.size):
            if not self.has_room_for_offset(header.last_offset):
                break
            self.index_batch(header, position)
        self.indexes_synced = False
        self.seal()
        return rebuilt

    def _clear_indexes(self) -> tuple[OffsetIndex, TimeIndex]:
        empty = self.indexes.start_empty()
        self._largest = empty[1].last
        self._bytes_since_entry = 0
        self.has_full_index = self._has_room = False
        return empty

    # On disk.

    def sync(self) -> None:
        """Return when records and indexes would survive a power loss."""
        self.log.sync()
        self.sync_indexes()

    def sync_indexes(self) -> None:
        """Those of a segment that no recovery would visit again; aborts stand nowhere else."""
        if not self.indexes_synced:
            self.transaction_index.sync()
            self.indexes.sync()
            self.indexes_synced = True

    def change_suffix(self, suffix: str) -> None:
        """Rename every file of the segment; its `.log` stays open."""
        self.indexes.close()
        self._files.change_suffix(suffix)

    def rest(self) -> None:
        """Close the `.log` until it is needed; it may not be in use."""
        self._files.close_log()

    def close(self) -> None:
        """Close the files as they are; an active segment is sealed before."""
        self._files.close()
        self.indexes.close()

    def abandon(self) -> None:
        """Close the files of a segment that will be removed; nothing is written any more."""
        self._files.close()
        self.indexes.abandon()

    def delete(self) -> None:
        """Close and remove every file."""
        self.abandon()
        self._files.remove()
