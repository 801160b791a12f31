"""The committed metadata of this node: one image, and its listeners."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.features import KRAFT_VERSION
from moldau.broker.metadata.image import EMPTY_IMAGE, Image
from moldau.broker.metadata.loader import MetadataLoader
from moldau.broker.metadata.snapshot import image_records
from moldau.broker.metadata.snapshot_file import Snapshot
from moldau.broker.quorum.log_view import SnapshotId
from moldau.broker.runtime.quorum.pending import Pending, PendingBatch
from moldau.protocol.messages.stored.metadata_cluster import NoOpRecord
from moldau.protocol.wire.schema import Message

Subscriber = Callable[[Delta, Image], None]


class ImageHolder(Protocol):
    """Whom each request asks for the image: it has it as a plain attribute."""

    image: Image


class CommittedMetadata:
    """What is committed of the metadata log, as an image."""

    def __init__(self) -> None:
        self._loader = MetadataLoader(EMPTY_IMAGE)
        self.image = EMPTY_IMAGE
        self._holders: list[ImageHolder] = []
        self._subscribers: list[Subscriber] = []
        self.pending = Pending()
        self.bytes_since_snapshot = 0
        self.batches_since_snapshot = 0
        self.snapshot_ms: int | None = None
        """When what is in the newest snapshot was written; the log's begin where there is none."""
        self.snapshots_loaded = 0
        self.last_contained_ms = 0
        """When the last committed batch was appended."""

    @property
    def in_transaction(self) -> bool:
        return self._loader.in_transaction

    def subscribe(self, subscriber: Subscriber) -> None:
        """Subscribe to every change; the first one is all there is already."""
        self._subscribers.append(subscriber)
        if not self.image.is_empty:
            delta = Delta(EMPTY_IMAGE)
            for record in image_records(self.image):
                delta.apply(record)
            delta.advance(self.image.offset, self.image.epoch)
            subscriber(delta, self.image)

    def keep_image_of(self, holder: ImageHolder) -> None:
        """From now on its image is the committed one."""
        holder.image = self.image
        self._holders.append(holder)

    def _hold(self, image: Image) -> None:
        self.image = image
        for holder in self._holders:
            holder.image = image

    def load_snapshot(self, snapshot: Snapshot, snapshot_id: SnapshotId) -> None:
        """Begin with, or jump to, what a snapshot holds."""
        self.snapshots_loaded += 1
        before = self.image
        fresh = MetadataLoader(EMPTY_IMAGE)
        delta = fresh.load(snapshot.records, snapshot_id.end_offset - 1, snapshot_id.epoch)
        self._loader = fresh
        self._hold(fresh.image)
        self.pending.clear()
        self.snapshot_taken(snapshot.last_contained_ms)
        self._publish(_with_removals(before, delta))

    def commit(self, high_watermark: int) -> int:
        """Take in what lies below; the number of records."""
        batches = self.pending.take_below(high_watermark)
        if not batches:
            return 0
        records: list[Message] = []
        for batch in batches:
            records.extend(batch.metadata_records())
        self._count(batches)
        delta = self._loader.load(records, batches[-1].last_offset, batches[-1].epoch)
        self._hold(self._loader.image)
        if changes_anything(records):
            self._publish(delta)
        return len(records)

    def set_kraft_version(self, level: int) -> None:
        """The quorum keeps this level itself; the image shows it beside the others."""
        if self.image.features.level(KRAFT_VERSION) != level:
            self._loader.set_level(KRAFT_VERSION, level)
            self._hold(self._loader.image)

    def snapshot_taken(self, last_contained_ms: int) -> None:
        self.bytes_since_snapshot = self.batches_since_snapshot = 0
        self.snapshot_ms = last_contained_ms

    def _count(self, batches: Sequence[PendingBatch]) -> None:
        self.bytes_since_snapshot += sum(batch.size for batch in batches)
        self.batches_since_snapshot += len(batches)
        self.last_contained_ms = batches[-1].timestamp_ms
        if self.snapshot_ms is None:
            self.snapshot_ms = batches[0].timestamp_ms

    def _publish(self, delta: Delta) -> None:
        for subscriber in self._subscribers:
            subscriber(delta, self.image)


def changes_anything(records: Sequence[Message]) -> bool:
    """Whether there is anything in it that a subscriber might use."""
    return any(type(record) is not NoOpRecord for record in records)


def _with_removals(before: Image, delta: Delta) -> Delta:
    """A delta from nothing knows no deletions: name what was there before and is not any more."""
    after = delta.build()
    gone = before.topics.by_id.keys() - after.topics.by_id.keys()
    delta.topics.deleted.update(gone)
    return delta
