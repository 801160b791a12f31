"""What waits to be committed."""

from __future__ import annotations

from moldau.broker.quorum.effects import BeginEpoch
from moldau.broker.runtime.quorum.batches import leader_change_batch, metadata_batch
from moldau.broker.runtime.quorum.pending import Pending, is_noop
from moldau.platform.slices import at_once
from moldau.protocol.messages.stored.metadata_cluster import FeatureLevelRecord, NoOpRecord
from moldau.protocol.records.batch import read_header, set_base_offset
from tests.broker.quorum.simulated_member import voters

LEVEL = FeatureLevelRecord(name="group.version", feature_level=1)


def placed(batch, offset):
    set_base_offset(batch, offset)
    return batch


def batch_of(*records):
    return at_once(metadata_batch(records, 30, 4, 1000))


def test_batches_come_out_in_order_when_they_lie_below():
    pending = Pending()
    for offset in (0, 1, 2):
        pending.add_batch(placed(batch_of(LEVEL), offset))
    assert [batch.last_offset for batch in pending.take_below(2)] == [0, 1]
    assert len(pending) == 1


def test_a_batch_is_taken_whole_or_not_at_all():
    pending = Pending()
    pending.add_batch(placed(batch_of(LEVEL, LEVEL), 0))
    assert pending.take_below(1) == []
    assert len(pending.take_below(2)) == 1


def test_records_are_decoded_when_they_are_needed():
    pending = Pending()
    pending.add_batch(batch_of(LEVEL, NoOpRecord()))
    (batch,) = pending.take_below(9)
    assert list(batch.metadata_records()) == [LEVEL, NoOpRecord()]
    assert (batch.epoch, batch.timestamp_ms) == (4, 1000)


def test_what_this_node_wrote_is_never_decoded():
    pending = Pending()
    pending.add_records([LEVEL, LEVEL], 6, 4, 1000, 90)
    (batch,) = pending.take_below(9)
    assert (batch.base_offset, batch.records) == (5, [LEVEL, LEVEL])


def test_a_batch_with_a_single_noop_is_known_by_its_bytes():
    noop = placed(batch_of(NoOpRecord()), 123_456)
    assert is_noop(noop)
    for other in (batch_of(LEVEL), batch_of(NoOpRecord(), NoOpRecord())):
        assert not is_noop(other)
    pending = Pending()
    pending.add_batch(noop)
    (batch,) = pending.take_below(1_000_000)
    header = read_header(noop)
    assert (batch.batch, list(batch.metadata_records())) == (None, [])
    assert (batch.base_offset, batch.last_offset) == (header.base_offset, header.last_offset)
    assert (batch.epoch, batch.timestamp_ms) == (header.leader_epoch, header.max_timestamp)
    assert batch.size == header.size


def test_what_a_batch_says_of_the_quorum_is_known_at_once():
    pending = Pending()
    effect = BeginEpoch(4, voters(1), (1,), voters(1))
    news = pending.add_batch(placed(leader_change_batch(effect, 1, 1, 1000), 7))
    assert [(one.offset, one.kraft_version, one.voters) for one in news] == [
        (8, 1, None),
        (9, None, voters(1)),
    ]


def test_the_cut_tail_is_forgotten():
    pending = Pending()
    for offset in (0, 1, 2):
        pending.add_batch(placed(batch_of(LEVEL), offset))
    pending.truncate(1)
    assert len(pending) == 1
    pending.clear()
    assert repr(pending) == "Pending(0 batches)"
