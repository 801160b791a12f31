"""`__cluster_metadata-0` on the disk: a partition's log, with snapshots in place of its beginning.

What is in the newest snapshot was committed and synced, so recovery after a crash begins there,
and so does reading. Everything after it waits in memory as `Pending` until it is committed.
"""

from __future__ import annotations

from collections.abc import Iterator

from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.log.appending.flushing import Flush
from moldau.broker.log.directory.partition_metadata import (
    PartitionMetadata,
    read_partition_metadata,
    write_partition_metadata,
)
from moldau.broker.log.epoch_checkpoint import UNDEFINED_EPOCH
from moldau.broker.log.opening import Remembered
from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.reading import FetchResult, Isolation
from moldau.broker.log.recovery import DamagedLogError
from moldau.broker.log.settings import DAY_MS, FOREVER, GIB, MIB, LogSettings
from moldau.broker.log.world import World
from moldau.broker.quorum.log_view import LogEnd, SnapshotId
from moldau.broker.replica.opening_reports import show
from moldau.broker.runtime.quorum.committed_note import CommittedNote
from moldau.broker.runtime.quorum.snapshot_store import SnapshotStore
from moldau.errors import CorruptRecordError, MoldauError
from moldau.platform.buffers import Buffer
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.records.batch import ensure_checksum, iterate_batches, read_header
from moldau.protocol.wire.uuids import METADATA_TOPIC_ID

DIRECTORY_NAME = "__cluster_metadata-0"
BATCH_BYTES_MAX = 8 * MIB
"""KRaft's own bound of a batch."""
_READ_BYTES = MIB


@dataclass(frozen=True, slots=True)
class MetadataLogSettings:
    """The `metadata.…` settings of a node that the log obeys."""

    segment_bytes: int = GIB
    segment_ms: int = 7 * DAY_MS

    def for_log(self) -> LogSettings:
        """Nothing goes by age or size here: snapshots decide."""
        return LogSettings(
            segment_bytes=self.segment_bytes,
            segment_ms=self.segment_ms,
            cleanup_policy=frozenset(),
            retention_ms=-1,
            max_message_bytes=BATCH_BYTES_MAX,
            message_timestamp_after_max_ms=FOREVER,
        )


class LostMetadataError(CorruptRecordError):
    """Metadata that were committed cannot be read; nothing of what is there was changed."""

    def __init__(self, reason: str, directory: str) -> None:
        super().__init__(f"{reason}; restore {directory} from a copy of this disk")


class MetadataLog:
    """The log of the quorum, as `quorum.log_view` has it, and a bit more."""

    def __init__(self, log: PartitionLog, snapshots: SnapshotStore, note: CommittedNote) -> None:
        self.log = log
        self.snapshots = snapshots
        self._note = note
        self._idle = (0, 0)
        """Between these two are NoOpRecords alone."""

    @classmethod
    def open(
        cls,
        world: World,
        log_directory: str,
        settings: MetadataLogSettings,
        *,
        clean: bool,
        known_offset: int = 0,
    ) -> MetadataLog:
        """Open it, or begin it; `LostMetadataError` where it ends before what it once had."""
        directory = f"{log_directory}/{DIRECTORY_NAME}"
        if world.files.status(directory) is None:
            world.files.make_directory(directory)
            world.files.sync_directory(log_directory)
        if read_partition_metadata(world.files, directory) is None:
            identity = PartitionMetadata(METADATA_TOPIC_ID)
            write_partition_metadata(world.files, directory, identity)
        snapshots = SnapshotStore(world.files, directory)
        known = 0 if snapshots.latest is None else snapshots.latest.end_offset
        note = CommittedNote(world.files, directory)
        had = max(note.read(), known_offset)
        remembered = Remembered(
            clean=clean, recovery_point=known, known_offset=had if had > known else 0
        )
        try:
            log = PartitionLog.open(world, directory, settings.for_log(), remembered)
        except DamagedLogError as error:
            raise LostMetadataError(str(error), directory) from error
        if log.report is not None:
            show(DIRECTORY_NAME, log.report)
        opened = cls(log, snapshots, note)
        opened.begin_behind_snapshot()
        return opened

    def __repr__(self) -> str:
        return f"MetadataLog({self.log!r}, {len(self.snapshots.ids)} snapshots)"

    # What the state machine asks.

    @property
    def start_offset(self) -> int:
        return self.log.log_start_offset

    @property
    def end(self) -> LogEnd:
        return LogEnd(self._last_epoch, self.log.log_end_offset)

    @property
    def _last_epoch(self) -> int:
        latest = self.log.epochs.latest_epoch
        if latest is not None:
            return latest
        return 0 if self.snapshots.latest is None else self.snapshots.latest.epoch

    @property
    def earliest_snapshot(self) -> SnapshotId | None:
        return self.snapshots.earliest

    @property
    def latest_snapshot(self) -> SnapshotId | None:
        return self.snapshots.latest

    def end_of_epoch(self, epoch: int) -> LogEnd:
        known, end_offset = self.log.epochs.end_offset_for(epoch, self.log.log_end_offset)
        if known == UNDEFINED_EPOCH:
            return self.end
        earliest = self.snapshots.earliest
        if earliest is not None and end_offset == earliest.end_offset and known == epoch:
            return LogEnd(earliest.epoch, earliest.end_offset)
        return LogEnd(known, end_offset)

    # Records.

    def append(self, batch: Buffer, epoch: int) -> int:
        """As leader; the offset of the last record."""
        result = self.log.append_as_leader(batch, epoch, AppendOrigin.RAFT_LEADER)
        return result.last_offset

    def note_idle(self, start_offset: int) -> None:
        """What this leader has just appended from there on is a NoOpRecord."""
        start, end = self._idle
        self._idle = start if end == start_offset else start_offset, self.log.log_end_offset

    @property
    def news_end(self) -> int:
        """Behind the last record whose commit replicas wait for; only NoOpRecords follow."""
        start, end = self._idle
        return start if end == self.log.log_end_offset else self.log.log_end_offset

    def append_fetched(self, records: Buffer, epoch: int) -> None:
        """As follower: batches with offsets and epochs that a leader has given them."""
        self.log.append_as_follower(records, epoch)

    def read(self, offset: int, max_bytes: int) -> FetchResult:
        """For replicas, which may have what is not committed."""
        return self.log.read(offset, max_bytes, Isolation.LOG_END)

    def batches(self, from_offset: int) -> Iterator[memoryview]:
        """Every batch that reaches beyond this offset."""
        while from_offset < self.log.log_end_offset:
            contents = self.log.read(from_offset, _READ_BYTES, Isolation.LOG_END).read()
            found = False
            for batch in iterate_batches(contents):
                found = True
                base_offset = int.from_bytes(batch[:8], "big")
                from_offset = base_offset + int.from_bytes(batch[23:27], "big") + 1
                yield batch
            if not found:
                raise CorruptRecordError(f"{self.log!r} has no whole batch at {from_offset}")

    def judged_batches(self) -> Iterator[memoryview]:
        """Every batch behind the newest snapshot, looked at anew: it is a start.

        `LostMetadataError` where one is damaged or missing.
        """
        latest = self.snapshots.latest
        offset = 0 if latest is None else latest.end_offset
        if offset < self.start_offset:
            raise LostMetadataError(
                f"{self.log.directory}: the log begins at offset {self.start_offset}, and no "
                f"snapshot (.checkpoint) holds what came before",
                self.log.directory,
            )
        batches = self.batches(offset)
        while (batch := self._judged(batches, offset)) is not None:
            yield batch
            offset = read_header(batch).next_offset

    def _judged(self, batches: Iterator[memoryview], offset: int) -> memoryview | None:
        """The next batch, which has to hold this offset; None behind the last."""
        try:
            batch = next(batches, None)
            if batch is not None:
                header = read_header(batch)
                ensure_checksum(batch, header)
                if not header.base_offset <= offset < header.next_offset:
                    raise CorruptRecordError(f"it says offset {header.base_offset}")
        except MoldauError as error:
            segment = self.log.segments.floor(offset) or self.log.segments.active
            reason = f"{segment.log.path}: the batch at offset {offset} is damaged ({error})"
            raise LostMetadataError(reason, self.log.directory) from error
        return batch

    def begin_flush(self) -> Flush:
        """What has to be synced; its `sync` may run beside the loop."""
        return self.log.begin_flush()

    def finish_flush(self, work: Flush) -> None:
        self.log.finish_flush(work)

    def truncate_to(self, offset: int) -> None:
        self.log.truncate_to(offset)

    # Snapshots in place of records.

    def begin_behind_snapshot(self) -> None:
        """Where the log ends before the newest snapshot does, nothing in it is needed.

        A log that has parted from its leader's may be longer, and yet be here: the node ended when
        it had that leader's snapshot, and had not begun behind it.
        """
        latest, epoch = self.snapshots.latest, self.log.epochs.latest_epoch
        if latest is None:
            return
        has_parted = epoch is not None and epoch < latest.epoch
        if has_parted or self.log.log_end_offset < latest.end_offset:
            self.begin_behind(latest)
        self._forget_older()

    def begin_behind(self, snapshot: SnapshotId) -> None:
        """Let go of all records: the log begins anew where this snapshot ends."""
        self.log.truncate_fully_and_start_at(snapshot.end_offset)
        self._forget_older()

    def _forget_older(self) -> None:
        """Snapshots that end before the log begins.

        The earliest one has the epoch of the record before the start. An older one would
        have each replica that ends there load a snapshot that it has, again and again.
        """
        held = [one for one in self.snapshots.ids if one.end_offset >= self.start_offset]
        if held:
            self.snapshots.remove_before(held[0])

    def trim(self, snapshot: SnapshotId) -> None:
        """Let go of snapshots and whole segments that lie before this snapshot."""
        self.snapshots.remove_before(snapshot)
        self.log.advance_start_offset(snapshot.end_offset)
        sealed = [
            segment
            for segment, following in zip(
                self.log.segments, list(self.log.segments)[1:], strict=False
            )
            if following.base_offset <= snapshot.end_offset
        ]
        if sealed:
            self.log.delete_segments(sealed).remove()

    def note_committed(self, high_watermark: int) -> None:
        """Remember what must never be missing again."""
        self._note.write(min(high_watermark, self.log.recovery_point))

    def close(self) -> None:
        self._note.close()
        self.log.close()
