"""Routing in the shard of a group coordinator."""

from __future__ import annotations

from moldau.broker.coordinator.shard import StoredRecord
from moldau.protocol.messages.group.offset_commit import OffsetCommitResponse
from moldau.protocol.messages.stored.transaction_log import TransactionLogKey
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.coordinator import Asked, Coordinator


def test_what_is_no_request_of_groups_is_refused():
    reply = Coordinator() >> Asked(OffsetCommitResponse(throttle_time_ms=0, topics=[]), 0)
    assert reply.code == ErrorCode.UNSUPPORTED_VERSION


def test_a_record_of_no_kind_is_stepped_over():
    shard = Coordinator().shard
    shard.apply(StoredRecord(TransactionLogKey(transactional_id="x"), None), 0, 0)
    shard.apply_pending(StoredRecord(TransactionLogKey(transactional_id="x"), None), 9, 0, 0)
    assert repr(shard) == "GroupShard(0 groups, OffsetStore(0 offsets, 0 open transactions))"


def test_a_shard_that_is_loaded_wants_to_be_woken_for_its_sweep():
    assert Coordinator().shard.wake_at_ms() is None
    coordinator = Coordinator().restarted()
    assert coordinator.shard.wake_at_ms() == coordinator.now_ms + 600_000
