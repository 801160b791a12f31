"""What may be read: bounds, isolation and aborted transactions."""

from __future__ import annotations

from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.log.reading import Isolation
from moldau.protocol.records.batch import read_header
from tests.broker.log.batches import batch, marker
from tests.broker.log.logs import Bench, batches_of, fill

COMMITTED = Isolation.COMMITTED
WATERMARK = Isolation.HIGH_WATERMARK
TRANSACTIONAL = 0x10


def end_transaction(log, producer_id: int, *, commit: bool) -> None:
    log.append_as_leader(marker(producer_id, commit=commit), 0, AppendOrigin.COORDINATOR)


def in_transaction(log, producer_id: int, sequence: int) -> None:
    data = batch(0, (b"v",), attributes=TRANSACTIONAL, producer=(producer_id, 0, sequence))
    log.append_as_leader(data, 0)


def test_each_reader_sees_as_far_as_it_may():
    log = Bench().open()
    fill(log, 20)
    in_transaction(log, 1, 0)
    fill(log, 20)
    for watermark in (0, 5, 21, 25, 41):
        log.high_watermark = watermark
        assert len(batches_of(log, WATERMARK)) == watermark
        assert len(batches_of(log, COMMITTED)) == min(watermark, 20)
    assert len(batches_of(log)) == 41


def test_a_slice_begins_with_the_batch_that_holds_the_offset():
    log = Bench().open()
    log.append_as_leader(batch(0, (b"a", b"b", b"c")), 0)
    log.append_as_leader(batch(0, (b"d",)), 0)
    result = log.read(2, 10_000)
    assert (result.base_offset, read_header(result.read()).base_offset) == (0, 0)
    assert log.read(3, 10_000).base_offset == 3


def test_one_batch_comes_whole_however_little_is_asked_for():
    log = Bench().open()
    fill(log, 3)
    size = len(batch(0, (b"value",)))
    assert [log.read(1, asked).size for asked in (0, 1, size, 2 * size)] == [
        size,
        size,
        size,
        2 * size,
    ]
    assert log.read(1, 1, min_one=False).size == 1


def test_readers_of_committed_data_learn_what_was_aborted():
    log = Bench().open()
    in_transaction(log, 1, 0)
    in_transaction(log, 2, 0)
    end_transaction(log, 1, commit=False)
    end_transaction(log, 2, commit=True)
    fill(log, 3)
    log.high_watermark = log.log_end_offset
    result = log.read(0, 10_000, COMMITTED)
    aborted = result.aborted_transactions
    assert aborted is not None
    assert [(entry.producer_id, entry.first_offset, entry.last_offset) for entry in aborted] == [
        (1, 0, 2)
    ]
    assert log.read(3, 10_000, COMMITTED).aborted_transactions == []
    assert log.aborted_transactions(0, log.log_end_offset) == aborted
    assert log.read(0, 10_000, WATERMARK).aborted_transactions is None


def test_a_marker_may_lie_segments_behind_its_transaction():
    log = Bench().open()
    in_transaction(log, 1, 0)
    fill(log, 30)
    end_transaction(log, 1, commit=False)
    log.high_watermark = log.log_end_offset
    assert len(log.segments) > 3
    aborted = log.read(0, 10, COMMITTED).aborted_transactions
    assert aborted is not None
    assert [entry.last_offset for entry in aborted] == [31]


def test_a_gap_is_read_over():
    log = Bench().open()
    log.append_as_follower(batch(0, (b"a",)), 0)
    log.roll()
    log.append_as_follower(batch(50, (b"b",)), 0)
    assert log.read(1, 1000).base_offset == 50
    assert log.read(51, 1000).size == 0
