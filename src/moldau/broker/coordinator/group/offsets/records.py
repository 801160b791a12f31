"""Records of committed offsets: written by commits, applied to the store."""

from __future__ import annotations

from moldau.broker.coordinator.group.offsets.store import CommittedOffset, OffsetStore, Place
from moldau.broker.coordinator.shard import StoredRecord
from moldau.protocol.messages.stored.offsets import (
    LegacyOffsetCommitKey,
    LegacyOffsetCommitValue,
    OffsetCommitKey,
    OffsetCommitValue,
)
from moldau.protocol.wire.schema import Message
from moldau.protocol.wire.types import NULL_UUID

VALUE_VERSION = 4
"""What Kafka writes: with the topic's id."""
EXPIRING_VALUE_VERSION = 1
"""The only one that has a time at which the offset expires, for clients that ask for one."""
NEVER = -1
KEYS = (OffsetCommitKey, LegacyOffsetCommitKey)
"""The keys of offsets: today's, and the one that only old logs have."""


def commit_record(
    group_id: str,
    place: Place,
    *,
    offset: int,
    leader_epoch: int,
    metadata: str | None,
    now_ms: int,
    expire_at_ms: int = NEVER,
    topic_id: bytes = NULL_UUID,
) -> StoredRecord:
    """The record that commits an offset."""
    value = OffsetCommitValue(
        offset=offset,
        leader_epoch=leader_epoch,
        metadata=metadata or "",
        commit_timestamp=now_ms,
        expire_timestamp=expire_at_ms,
        topic_id=topic_id,
    )
    version = VALUE_VERSION if expire_at_ms == NEVER else EXPIRING_VALUE_VERSION
    return StoredRecord(_key(group_id, place), value, version)


def tombstone(group_id: str, place: Place) -> StoredRecord:
    """The record that deletes an offset."""
    return StoredRecord(_key(group_id, place), None)


def _key(group_id: str, place: Place) -> OffsetCommitKey:
    return OffsetCommitKey(group=group_id, topic=place.topic, partition=place.partition)


def apply_commit(store: OffsetStore, record: StoredRecord, offset: int) -> None:
    """A committed offset, or the end of one."""
    group_id, place = named_in(record)
    if record.value is None:
        store.remove(group_id, place)
    else:
        store.put(group_id, place, _committed(record.value, offset))


def apply_pending_commit(
    store: OffsetStore, producer_id: int, record: StoredRecord, offset: int
) -> None:
    """An offset that counts once its producer commits."""
    group_id, place = named_in(record)
    if record.value is not None:
        store.put_pending(producer_id, group_id, place, _committed(record.value, offset))


def named_in(record: StoredRecord) -> tuple[str, Place]:
    """Whose offset it is, and for what."""
    key = record.key
    assert isinstance(key, KEYS)
    return key.group, Place(key.topic, key.partition)


def _committed(value: Message, offset: int) -> CommittedOffset:
    if isinstance(value, LegacyOffsetCommitValue):
        value = OffsetCommitValue(
            offset=value.offset, metadata=value.metadata, commit_timestamp=value.commit_timestamp
        )
    assert isinstance(value, OffsetCommitValue)
    return CommittedOffset.of(value, offset)
