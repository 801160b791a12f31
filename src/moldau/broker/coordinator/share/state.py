"""What is stored of one share partition, and the records that say so.

A snapshot holds everything. An update holds what has changed since: a start offset of -1 and a
leader epoch of -1 mean "as before", state_batches are combined with those that are there. An update
repeats the epoch of the snapshot that it builds on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple, Protocol, TypeVar

from moldau.broker.coordinator.shard import StoredRecord
from moldau.broker.coordinator.share.state_batches import NO_START, StateBatch, combine
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.stored.share_state import (
    ShareSnapshotKey,
    ShareSnapshotValue,
    ShareUpdateKey,
    ShareUpdateValue,
)
from moldau.protocol.wire.uuids import uuid_text

NO_EPOCH = -1


class ShareKey(NamedTuple):
    """Names a share partition."""

    group_id: str
    topic_id: bytes
    partition: int

    @property
    def text(self) -> str:
        """What decides which shard has it."""
        return f"{self.group_id}:{uuid_text(self.topic_id)}:{self.partition}"


class MessageBatch(Protocol):
    """The form in which every message has a state_batch."""

    first_offset: int
    last_offset: int
    delivery_state: int
    delivery_count: int


AnyBatch = TypeVar("AnyBatch", bound=MessageBatch)


def state_batches_of(batches: Iterable[MessageBatch]) -> tuple[StateBatch, ...]:
    """As they came in a message."""
    return tuple(
        StateBatch(one.first_offset, one.last_offset, one.delivery_state, one.delivery_count)
        for one in batches
    )


def batches_as(form: type[AnyBatch], state_batches: Iterable[StateBatch]) -> list[AnyBatch]:
    """As they go into a message."""
    return [form(**state_batch._asdict()) for state_batch in state_batches]


@dataclass(frozen=True, slots=True)
class ShareState:
    """All that is stored of a share partition."""

    snapshot_epoch: int
    state_epoch: int
    leader_epoch: int
    start_offset: int
    delivery_complete_count: int
    created_ms: int
    written_ms: int
    state_batches: tuple[StateBatch, ...] = ()

    def updated(self, update: ShareUpdateValue) -> ShareState:
        """With an update applied."""
        start_offset = update.start_offset
        if start_offset == NO_START:
            start_offset = self.start_offset
        written = state_batches_of(update.state_batches)
        return replace(
            self,
            leader_epoch=self.leader_epoch if update.leader_epoch < 0 else update.leader_epoch,
            start_offset=start_offset,
            delivery_complete_count=update.delivery_complete_count,
            state_batches=tuple(combine(self.state_batches, written, start_offset)),
        )


def state_of(value: ShareSnapshotValue) -> ShareState:
    """What a snapshot holds."""
    return ShareState(
        snapshot_epoch=value.snapshot_epoch,
        state_epoch=value.state_epoch,
        leader_epoch=value.leader_epoch,
        start_offset=value.start_offset,
        delivery_complete_count=value.delivery_complete_count,
        created_ms=value.create_timestamp,
        written_ms=value.write_timestamp,
        state_batches=state_batches_of(value.state_batches),
    )


def state_begun_by(update: ShareUpdateValue) -> ShareState:
    """Where the snapshot of an update is gone, it has to do."""
    nothing = ShareState(
        update.snapshot_epoch, 0, update.leader_epoch, update.start_offset, 0, 0, 0
    )
    return nothing.updated(update)


def snapshot_record(key: ShareKey, state: ShareState) -> StoredRecord:
    """The record with everything."""
    value = ShareSnapshotValue(
        snapshot_epoch=state.snapshot_epoch,
        state_epoch=state.state_epoch,
        leader_epoch=state.leader_epoch,
        start_offset=state.start_offset,
        delivery_complete_count=state.delivery_complete_count,
        create_timestamp=state.created_ms,
        write_timestamp=state.written_ms,
        state_batches=batches_as(ShareSnapshotValue.StateBatch, state.state_batches),
    )
    return StoredRecord(ShareSnapshotKey(**key._asdict()), value)


def tombstone_record(key: ShareKey) -> StoredRecord:
    """The record that ends it."""
    return StoredRecord(ShareSnapshotKey(**key._asdict()), None)


def update_record(key: ShareKey, value: ShareUpdateValue) -> StoredRecord:
    """The record with what has changed."""
    return StoredRecord(ShareUpdateKey(**key._asdict()), value)
