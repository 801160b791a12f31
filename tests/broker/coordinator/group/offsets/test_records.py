"""Records of offsets."""

from __future__ import annotations

from moldau.broker.coordinator.group.offsets.records import (
    apply_commit,
    apply_pending_commit,
    commit_record,
    tombstone,
)
from moldau.broker.coordinator.group.offsets.store import OffsetStore, Place
from moldau.broker.coordinator.shard import StoredRecord
from moldau.protocol.messages.stored.offsets import LegacyOffsetCommitKey, LegacyOffsetCommitValue

PLACE = Place("t", 0)
RECORD = commit_record("g", PLACE, offset=7, leader_epoch=2, metadata=None, now_ms=5)


def test_a_record_commits_and_its_tombstone_forgets():
    store = OffsetStore()
    apply_commit(store, RECORD, 11)
    assert (store.of_group("g")[PLACE].offset, store.of_group("g")[PLACE].record_offset) == (7, 11)
    apply_commit(store, tombstone("g", PLACE), 12)
    assert store.of_group("g") == {}


def test_a_record_of_the_oldest_brokers_is_read():
    store = OffsetStore()
    key = LegacyOffsetCommitKey(group="g", topic="t", partition=0)
    value = LegacyOffsetCommitValue(offset=7, metadata="m", commit_timestamp=5)
    apply_commit(store, StoredRecord(key, value), 0)
    assert store.of_group("g")[PLACE].metadata == "m"


def test_a_pending_record_waits_and_a_pending_tombstone_says_nothing():
    store = OffsetStore()
    apply_pending_commit(store, 9, RECORD, 11)
    apply_pending_commit(store, 9, tombstone("g", PLACE), 12)
    assert store.has_pending("g", PLACE)
