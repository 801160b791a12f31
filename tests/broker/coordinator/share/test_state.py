"""Records of share state say what was meant."""

from __future__ import annotations

from moldau.broker.coordinator.share.state import (
    ShareKey,
    ShareState,
    snapshot_record,
    state_begun_by,
    state_of,
    tombstone_record,
    update_record,
)
from moldau.broker.coordinator.share.state_batches import StateBatch
from moldau.protocol.messages.stored.share_state import ShareSnapshotValue, ShareUpdateValue

KEY = ShareKey("g", bytes(15) + b"\x01", 3)
STATE = ShareState(2, 5, 7, 10, 4, 100, 200, (StateBatch(10, 13, 2, 1), StateBatch(14, 20, 0, 2)))


def update(start_offset=-1, leader_epoch=-1, count=3):
    batch = ShareUpdateValue.StateBatch(
        first_offset=14, last_offset=15, delivery_state=2, delivery_count=2
    )
    return ShareUpdateValue(
        snapshot_epoch=2,
        leader_epoch=leader_epoch,
        start_offset=start_offset,
        delivery_complete_count=count,
        state_batches=[batch],
    )


def test_a_snapshot_says_everything():
    value = snapshot_record(KEY, STATE).value
    assert isinstance(value, ShareSnapshotValue)
    assert state_of(value) == STATE


def test_the_key_that_places_a_share_partition_is_kafkas_text():
    assert KEY.text == "g:AAAAAAAAAAAAAAAAAAAAAQ:3"


def test_an_update_leaves_what_it_does_not_mention():
    updated = STATE.updated(update())
    assert (updated.leader_epoch, updated.start_offset, updated.created_ms) == (7, 10, 100)
    assert updated.delivery_complete_count == 3
    assert updated.state_batches[1:] == (StateBatch(14, 15, 2, 2), StateBatch(16, 20, 0, 2))


def test_an_update_moves_start_and_epoch():
    updated = STATE.updated(update(start_offset=14, leader_epoch=9))
    assert (updated.leader_epoch, updated.start_offset) == (9, 14)
    assert updated.state_batches[0] == StateBatch(14, 15, 2, 2)


def test_an_update_without_its_snapshot_begins_a_state():
    begun = state_begun_by(update(start_offset=3, leader_epoch=1))
    assert (begun.state_epoch, begun.leader_epoch, begun.start_offset) == (0, 1, 3)
    assert begun.state_batches == (StateBatch(14, 15, 2, 2),)


def test_a_tombstone_has_the_key_of_a_snapshot():
    assert tombstone_record(KEY).key == snapshot_record(KEY, STATE).key
    assert tombstone_record(KEY).value is None


def test_an_update_has_a_key_of_its_own():
    assert update_record(KEY, update()).key.KEY == 1
