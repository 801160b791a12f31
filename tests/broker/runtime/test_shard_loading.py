"""A log is applied to an empty shard."""

from __future__ import annotations

from moldau.broker.coordinator.record_codec import GROUP_RECORDS
from moldau.broker.coordinator.shard import Decision
from moldau.broker.runtime.shard_batches import batches_of
from moldau.broker.runtime.shard_loading import apply_batches
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.control import EndMarker, build_marker_batch
from tests.broker.runtime.tally_shard import TallyShard, record


def one_batch(base_offset: int, *, producer: tuple[int, int] | None = None) -> bytearray:
    ((_, batch),) = batches_of(Decision([record(1), record(2)], producer=producer), 5)
    batch[:8] = base_offset.to_bytes(8, "big")
    return batch


def test_batches_are_applied_in_order_and_the_next_offset_is_reported():
    shard = TallyShard()
    assert apply_batches(shard, one_batch(0) + one_batch(2), GROUP_RECORDS, 0, 5) == 4
    assert shard.applied == [0, 1, 2, 3]


def test_records_before_the_start_are_left_out():
    shard = TallyShard()
    apply_batches(shard, one_batch(0), GROUP_RECORDS, 1, 5)
    assert shard.applied == [1]


def test_a_marker_settles_what_was_pending():
    shard = TallyShard()
    marker = build_marker_batch(
        EndMarker(True, 0), producer_id=9, producer_epoch=0, timestamp=5, base_offset=2
    )
    apply_batches(shard, one_batch(0, producer=(9, 0)), GROUP_RECORDS, 0, 5)
    assert (shard.applied, shard.pending) == ([], [0, 1])
    apply_batches(shard, marker, GROUP_RECORDS, 2, 5)
    assert (shard.applied, shard.pending) == ([0, 1], [])


def test_records_without_key_or_of_unknown_type_are_stepped_over():
    builder, shard = BatchBuilder(BatchFields()), TallyShard()
    builder.append(5, None, b"v")
    builder.append(5, b"\x7f\xff", b"\0\0")
    assert apply_batches(shard, builder.build(), GROUP_RECORDS, 0, 5) == 2
    assert shard.applied == []


def test_half_a_batch_at_the_end_waits_for_the_next_read():
    shard = TallyShard()
    assert apply_batches(shard, (one_batch(0) + one_batch(2))[:-1], GROUP_RECORDS, 0, 5) == 2
