"""When the metadata is written down as a snapshot, and what it makes superfluous (KIP-630).

A snapshot is due after so many bytes of records, after an hour, or after so many batches that a
restart would take long to read them. It is made of an image, which is immutable, beside the loop.
The log in front of a snapshot stays, for replicas that are a little behind, until both together
are larger than they may be, or older.
"""

from __future__ import annotations

from collections.abc import Iterator

from moldau.broker.log.settings import DAY_MS, HOUR_MS, MIB
from moldau.broker.metadata.image import Image
from moldau.broker.metadata.snapshot import image_records
from moldau.broker.metadata.snapshot_file import SnapshotFields, encode_snapshot
from moldau.broker.quorum.log_view import SnapshotId
from moldau.broker.quorum.voters import VoterSet, voters_record
from moldau.broker.runtime.quorum.committed import CommittedMetadata
from moldau.broker.runtime.quorum.metadata_log import MetadataLog
from moldau.platform.buffers import Buffer
from moldau.platform.ports.tasks import Tasks
from moldau.platform.quick_dataclass import dataclass

BATCHES_MAX = 5_000
"""Forty minutes of idleness: a start after a crash checks and reads them in a tenth of a second."""


@dataclass(frozen=True, slots=True)
class SnapshotSettings:
    """The `metadata.log.max.…` and `metadata.max.retention.…` settings."""

    bytes_between: int = 20 * MIB
    interval_ms: int = HOUR_MS
    """0 means that time makes none due."""
    retention_bytes: int = 100 * MIB
    retention_ms: int = 7 * DAY_MS


class Snapshotter:
    """Writes snapshots, one at a time."""

    def __init__(
        self,
        settings: SnapshotSettings,
        log: MetadataLog,
        committed: CommittedMetadata,
        began_ms: int = 0,
    ) -> None:
        self._settings = settings
        self._log = log
        self._committed = committed
        self.written_ms = began_ms
        """When the newest one was written, or this node began."""
        self._written_ms: dict[SnapshotId, int] = {}

    def is_due(self, now_ms: int) -> bool:
        """Whether it is time; an image that nothing was ever written to is none."""
        committed, settings = self._committed, self._settings
        if not committed.batches_since_snapshot or not committed.image.features.metadata_version:
            return False
        age_ms = now_ms - (now_ms if committed.snapshot_ms is None else committed.snapshot_ms)
        return (
            committed.bytes_since_snapshot >= settings.bytes_between
            or committed.batches_since_snapshot >= BATCHES_MAX
            or 0 < settings.interval_ms <= age_ms
        )

    async def take(
        self, tasks: Tasks, voters: VoterSet, kraft_version: int, now_ms: int
    ) -> SnapshotId:
        """Write down what is committed now."""
        image = self._committed.image
        snapshot = SnapshotId(image.offset + 1, image.epoch)
        fields = SnapshotFields(
            epoch=image.epoch,
            created_ms=now_ms,
            last_contained_ms=self._committed.last_contained_ms,
            kraft_version=kraft_version,
            voters=voters_record(voters) if kraft_version else None,
        )
        self._committed.snapshot_taken(fields.last_contained_ms)
        store = self._log.snapshots
        await tasks.offload(store.write, snapshot, contents_of(image, fields))
        store.add(snapshot)
        self._written_ms[snapshot] = self.written_ms = now_ms
        return snapshot

    def trim(self, now_ms: int) -> None:
        """Let go of what the newest snapshot makes superfluous, if it is too large or too old."""
        newest, oldest = self._log.snapshots.latest, self._log.snapshots.earliest
        if newest is None or oldest is None:
            return
        size = self._log.log.size + self._log.snapshots.total_size()
        age_ms = now_ms - self._written_ms.get(oldest, now_ms)
        if size > self._settings.retention_bytes or age_ms > self._settings.retention_ms:
            self._log.trim(newest)


def contents_of(image: Image, fields: SnapshotFields) -> Iterator[Buffer]:
    """The batches of a snapshot of this image."""
    return encode_snapshot(image_records(image), image.features.metadata_version, fields)
