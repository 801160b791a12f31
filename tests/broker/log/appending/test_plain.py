"""What may be appended, as leader and as follower, and what is refused without a trace."""

from __future__ import annotations

from dataclasses import replace

import pytest

from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.log.appending.plain import (
    SegmentOverflowError,
    UnexpectedOffsetError,
    begins_within,
)
from moldau.broker.log.producers.refusals import OutOfOrderSequenceError
from moldau.errors import CorruptRecordError
from moldau.protocol.records.batch import TimestampType, read_header
from moldau.protocol.records.refusals import BatchTooLargeError, InvalidBatchError
from tests.broker.log.batches import batch, headers_of
from tests.broker.log.logs import SMALL, Bench, fill, offsets_of


def test_a_repeat_is_answered_with_its_old_offsets():
    log = Bench().open()
    first = log.append_as_leader(batch(0, (b"a",), producer=(1, 0, 0)), 0)
    again = log.append_as_leader(batch(0, (b"a",), producer=(1, 0, 0)), 0)
    assert again.is_duplicate
    assert (again.first_offset, again.last_offset) == (first.first_offset, first.last_offset)
    assert log.log_end_offset == 1


def test_a_gap_in_sequences_is_refused_and_changes_nothing():
    log = Bench().open()
    log.append_as_leader(batch(0, (b"a",), producer=(1, 0, 0)), 0)
    with pytest.raises(OutOfOrderSequenceError):
        log.append_as_leader(batch(0, (b"a",), producer=(1, 0, 5)), 0)
    assert offsets_of(log) == [0]


def test_the_topic_sets_the_time_if_it_wants_to():
    settings = replace(SMALL, message_timestamp_type=TimestampType.LOG_APPEND)
    bench = Bench(settings)
    log = bench.open()
    result = log.append_as_leader(batch(0, (b"a",)), 0)
    assert result.log_append_time == result.max_timestamp == bench.clock.now_ms()
    header = read_header(log.read(0, 1000).read())
    assert header.timestamp_type is TimestampType.LOG_APPEND


def test_sizes_are_limited_by_topic_and_segment():
    log = Bench(replace(SMALL, max_message_bytes=200)).open()
    with pytest.raises(BatchTooLargeError):
        log.append_as_leader(batch(0, (b"a" * 200,)), 0)
    log = Bench().open()
    with pytest.raises(SegmentOverflowError):
        log.append_as_leader(batch(0, (b"a" * 600,)), 0)


def test_our_own_records_may_come_in_several_batches():
    log = Bench().open()
    records = batch(0, (b"a", b"b")) + batch(0, (b"c",))
    result = log.append_as_leader(records, 2, AppendOrigin.COORDINATOR)
    assert (result.first_offset, result.last_offset) == (0, 2)
    assert [header.base_offset for header in headers_of(log.read(0, 1000).read())] == [0, 2]
    with pytest.raises(InvalidBatchError):
        log.append_as_leader(b"", 2, AppendOrigin.COORDINATOR)


def test_a_follower_takes_offsets_epochs_and_gaps_as_they_are():
    log = Bench().open()
    records = batch(3, (b"a", b"b"), leader_epoch=1) + batch(9, (b"c",), leader_epoch=2)
    result = log.append_as_follower(bytes(records), 2)
    assert result is not None
    assert (result.first_offset, result.last_offset, log.log_end_offset) == (3, 9, 10)
    assert log.read(3, 1000).read() == records
    assert [tuple(entry) for entry in log.epochs.entries] == [(1, 3), (2, 9)]


def test_a_record_that_has_no_epoch_gets_none_that_the_file_still_had():
    bench = Bench()
    log = bench.open()
    log.assign_epoch(7)
    log.close()
    log = bench.open()
    log.append_as_follower(bytes(batch(0, (b"a",), leader_epoch=-1)), 8)
    log.close()
    assert bench.open().epochs.entries == ()


def test_a_follower_leaves_out_a_torn_tail_and_later_epochs():
    log = Bench().open()
    records = batch(0, (b"a",), leader_epoch=1) + batch(1, (b"b",), leader_epoch=3)
    log.append_as_follower(records, 1)
    assert log.log_end_offset == 1
    log.append_as_follower(records[len(records) // 2 :] + records[:60], 3)
    assert offsets_of(log) == [0, 1]
    assert log.append_as_follower(records[:60], 3) is None


def test_a_follower_refuses_what_does_not_follow_and_what_is_damaged():
    log = Bench().open()
    fill(log, 3)
    with pytest.raises(UnexpectedOffsetError):
        log.append_as_follower(batch(2, (b"a",)), 0)
    damaged = batch(3, (b"a",))
    damaged[-1] ^= 1
    with pytest.raises(CorruptRecordError):
        log.append_as_follower(damaged, 0)
    assert log.log_end_offset == 3


def test_more_than_a_segment_is_spread_over_several():
    log = Bench().open()
    records = b"".join(bytes(batch(offset, (b"v" * 100,))) for offset in range(12))
    result = log.append_as_follower(records, 0)
    assert result is not None
    assert (result.first_offset, result.last_offset) == (0, 11)
    assert len(log.segments) > 2
    assert offsets_of(log) == list(range(12))


@pytest.mark.parametrize(
    ("start", "values", "begins"),
    [(1, 3, 0), (2, 3, 0), (0, 3, None), (3, 3, None), (9, 3, None)],
)
def test_an_empty_log_begins_within_a_batch_that_covers_its_start(start, values, begins):
    log = Bench().open()
    log.truncate_fully_and_start_at(start)
    assert begins_within(log.state, batch(0, (b"a",) * values)) == begins


def test_a_log_that_has_records_begins_within_no_batch():
    log = Bench().open()
    fill(log, 2)
    assert begins_within(log.state, batch(1, (b"a",) * 3)) is None
    assert begins_within(log.state, b"") is None
