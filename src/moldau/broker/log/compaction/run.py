"""A round of compaction in one log: of each key the last record stays (KIP-58, KIP-534).

    1  fill the map of keys from the dirty part                            key_offsets.py
    2  group all segments up to the end of the map into new ones           plan.py
    3  copy each group, batch by batch, into a `.cleaned` segment          filter.py
       decrypted on the way, and encrypted with the key of today where the topic asks for it
    4  put it in the place of its sources                                  replacement.py

The clean part is read again, for its records may have newer ones in the dirty part now. Offsets
never change; gaps are legal. Each group is switched by itself: a crash in between leaves some
groups compacted and others not, and the next round does it again with the same result.

`prepare` is the long part and may run in a thread while the owner of the log appends and reads: it
sees the segments as they were when the round began, through files of its own. `switch` and the
constructor belong to the owner, who cuts or closes the log only when no `prepare` is running.

Anything that goes wrong (a corrupt batch, a full disk) leaves the log as it was but for the groups
that are done. The caller writes `cleaned_up_to` into the cleaner checkpoint, and removes what the
result has when `file.delete.delay.ms` is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from typing import NamedTuple

from moldau.broker.log.compaction.filter import Round, filter_batch
from moldau.broker.log.compaction.key_offsets import BUFFER_BYTES, KeyOffsets, whole_batches
from moldau.broker.log.compaction.plan import CompactionStoppedError, DirtyRange, group_segments
from moldau.broker.log.compaction.replacement import replace_segments
from moldau.broker.log.compaction.transactions import CleanedTransactions
from moldau.broker.log.log_state import LogState
from moldau.broker.log.segment.file_names import CLEANED, LOG, OFFSET_INDEX, TIME_INDEX
from moldau.broker.log.segment.segment import MAX_SEGMENT_BYTES, Segment
from moldau.broker.log.segment.segments import Segments
from moldau.broker.log.segment.transaction_index import AbortedTransaction
from moldau.broker.log.truncation import Removal
from moldau.errors import EncodeError, StorageError
from moldau.platform.buffers import Buffer
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.records.batch import BatchHeader, read_header

WRITE_BYTES = 1024 * 1024
"""Written at once: few enough calls, and not much memory."""


@dataclass(slots=True)
class Compacted:
    """What a round of compaction did."""

    cleaned_up_to: int
    """The next round's first dirty offset."""
    removals: list[Removal] = field(default_factory=list)
    """The old files, which readers may still hold."""
    read_bytes: int = 0
    written_bytes: int = 0
    keys: int = 0
    keys_max: int = 0
    """For how many there was room."""


class Prepared(NamedTuple):
    """A new segment, complete and synced, that waits to take its place."""

    cleaned: Segment
    sources: tuple[int, ...]
    """The base offsets of those that it replaces."""


def _never() -> bool:
    return False


def _views(state: LogState) -> Segments:
    """The segments again, with files of their own, so that nothing is shared with readers."""
    views = Segments()
    for segment in state.segments:
        views.add(
            Segment(
                state.files,
                state.directory,
                segment.base_offset,
                state.settings,
                size=segment.size,
                now_ms=segment.created_ms,
            )
        )
    return views


class Compaction:
    """One round in one log; `run` does it, or `prepare` and `switch` in turns."""

    def __init__(
        self,
        state: LogState,
        dirty: DirtyRange,
        now_ms: int,
        *,
        buffer_bytes: int = BUFFER_BYTES,
        must_stop: Callable[[], bool] = _never,
    ) -> None:
        self._state = state
        self._dirty = dirty
        self._now_ms = now_ms
        self._must_stop = must_stop
        self._keys = KeyOffsets(buffer_bytes)
        self._transactions = CleanedTransactions()
        self._settings = state.settings
        self._log_end_offset = state.log_end_offset
        self._segments = _views(state)
        self._producers = {entry.producer_id: entry for entry in state.producers.active()}
        self._prepared = self._prepare_groups()
        self.done = Compacted(dirty.first_dirty_offset)
        """What has been done so far."""

    def run(self) -> Compacted:
        """Do it all; a failing disk makes the log fail, as it does everywhere."""
        while (prepared := self.prepare()) is not None:
            self.switch(prepared)
        return self.done

    def prepare(self) -> Prepared | None:
        """Make the next new segment; None after the last. May run beside the log's owner."""
        try:
            return next(self._prepared, None)
        except StorageError as error:
            self._state.failure = error
            raise

    def switch(self, prepared: Prepared) -> None:
        """Put it in the place of its sources, unless some of them have left the log meanwhile."""
        state = self._state
        found = [state.segments.get(base_offset) for base_offset in prepared.sources]
        sources = [segment for segment in found if segment is not None]
        if len(sources) < len(prepared.sources):
            prepared.cleaned.delete()
            return
        self.done.read_bytes += sum(segment.size for segment in sources)
        self.done.written_bytes += prepared.cleaned.size
        try:
            self.done.removals.append(replace_segments(state, [prepared.cleaned], sources))
        except StorageError as error:
            state.failure = error
            raise

    def _prepare_groups(self) -> Iterator[Prepared]:
        try:
            yield from self._copy_groups()
        finally:
            for segment in self._segments:
                segment.close()

    def _copy_groups(self) -> Iterator[Prepared]:
        dirty = self._dirty
        self._fill_map()
        end_offset = self._keys.latest_offset + 1
        plan = Round(
            self._keys,
            end_offset,
            self._producers,
            self._now_ms,
            self._settings.delete_retention_ms,
        )
        self._transactions = CleanedTransactions()
        sources = [segment for segment in self._segments if segment.base_offset < end_offset]
        for group in group_segments(sources, self._settings, dirty.first_uncleanable_offset):
            cleaned = self._copy(group, plan)
            cleaned.sync()
            yield Prepared(cleaned, tuple(segment.base_offset for segment in group))
        self.done.keys, self.done.keys_max = len(self._keys.offsets), self._keys.entries_max
        self.done.cleaned_up_to = max(end_offset, dirty.first_dirty_offset)

    def _fill_map(self) -> None:
        """From the dirty part, as far as there is room."""
        start, end = self._dirty.first_dirty_offset, self._dirty.first_uncleanable_offset
        self._transactions.expect(self._aborted(start, end))
        for segment in self._segments:
            end_offset = self._segments.end_of(segment, self._log_end_offset)
            if end_offset <= start:
                continue
            if segment.base_offset >= end:
                return
            self._check_must_stop()
            if not self._keys.add_segment(
                segment, start, end_offset, self._transactions, self._decrypt
            ):
                return

    def _copy(self, group: Sequence[Segment], plan: Round) -> Segment:
        """What stays of a group, as a sealed `.cleaned` segment with its last source's time."""
        state = self._state
        cleaned = Segment.create(
            state.files,
            state.directory,
            group[0].base_offset,
            self._settings,
            now_ms=self._now_ms,
            suffix=CLEANED,
        )
        try:
            for segment in group:
                self._copy_segment(segment, cleaned, plan)
            cleaned.seal()
        except BaseException:
            cleaned.delete()
            raise
        for kind in (LOG, OFFSET_INDEX, TIME_INDEX):
            state.files.set_modified(cleaned.path(kind), group[-1].modified_ms)
        return cleaned

    def _copy_segment(self, source: Segment, cleaned: Segment, plan: Round) -> None:
        end_offset = self._segments.end_of(source, self._log_end_offset)
        self._transactions.expect(self._aborted(source.base_offset, end_offset))
        waiting = _Waiting(cleaned, self._stored)
        for header, batch in whole_batches(source, self._decrypt):
            self._check_must_stop()
            is_discarded = self._transactions.is_discarded(header, batch)
            left = filter_batch(header, batch, plan, is_discarded=is_discarded)
            if left is not None:
                waiting.add(left, header)
        waiting.write()
        for aborted in self._transactions.still_aborted:
            cleaned.transaction_index.append(aborted)
        self._transactions.still_aborted.clear()

    def _decrypt(self, batch: bytes) -> bytes:
        return self._state.encryption.decrypt(self._state.partition, batch)

    def _stored(self, batch: Buffer) -> Buffer:
        """As the topic's settings have it on the disk now."""
        key_name = self._settings.encryption_at_rest
        if not key_name:
            return batch
        state = self._state
        return state.encryption.encrypt(state.partition, key_name, batch, read_header(batch))

    def _aborted(self, start_offset: int, end_offset: int) -> list[AbortedTransaction]:
        """The aborted transactions that overlap these offsets."""
        found: list[AbortedTransaction] = []
        for segment in self._segments.starting_at_floor(start_offset):
            overlapping, is_complete = segment.transaction_index.collect(start_offset, end_offset)
            found += overlapping
            if is_complete:
                break
        return found

    def _check_must_stop(self) -> None:
        if self._must_stop():
            raise CompactionStoppedError(
                f"{self._state.directory}: compaction was stopped; the next round does it again"
            )


def _check_room(segment: Segment, size: int) -> None:
    """Encryption makes batches larger, and a segment's positions have 32 bits."""
    if segment.size + size > MAX_SEGMENT_BYTES:
        raise EncodeError(
            f"{segment.path(LOG)}: encrypted, it would be larger than a segment may be; give the "
            f"topic a smaller segment.bytes"
        )


class _Waiting:
    """Batches that go into the new segment with the next write."""

    def __init__(self, segment: Segment, stored: Callable[[Buffer], Buffer]) -> None:
        self._segment = segment
        self._stored = stored
        self._batches: list[Buffer] = []
        self._headers: list[BatchHeader] = []
        self._size = 0

    def add(self, batch: bytes | bytearray, source: BatchHeader) -> None:
        kept = self._stored(batch)
        header = read_header(kept)
        assert header.last_offset == source.last_offset, f"{header} was made of {source}"
        self._batches.append(kept)
        self._headers.append(header)
        self._size += len(kept)
        _check_room(self._segment, self._size)
        if self._size >= WRITE_BYTES:
            self.write()

    def write(self) -> None:
        if self._batches:
            self._segment.append(b"".join(self._batches), self._headers)
            self._batches, self._headers, self._size = [], [], 0
