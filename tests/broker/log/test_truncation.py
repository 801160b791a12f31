"""Dropping the end of a log, or its beginning."""

from __future__ import annotations

from dataclasses import replace

import pytest

from moldau.broker.log.opening import Remembered
from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.settings import COMPACT
from moldau.broker.log.truncation import StartOffsetError
from moldau.platform.simulated.disk_crash import prefix_state
from moldau.platform.simulated.files import SimulatedFiles
from tests.broker.log.batches import batch
from tests.broker.log.logs import SMALL, Bench, WatchedFiles, fill, offsets_of

COMPACTED = frozenset({COMPACT})
"""Where recovery lets gaps between segments pass."""
OFFSET_DELTA_AT = 23
"""In the header of a batch: its last offset, less its first."""


def filled(count: int = 30) -> tuple[Bench, PartitionLog]:
    bench = Bench()
    log = bench.open()
    fill(log, count)
    return bench, log


def test_everything_from_the_offset_on_goes():
    bench, log = filled()
    for offset in (29, 17, 6, 1):
        assert log.truncate_to(offset)
        assert offsets_of(log) == list(range(offset))
        assert log.log_end_offset == log.state.producers.map_end_offset == offset
    assert bench.names(".deleted") == []
    fill(log, 4)
    assert offsets_of(log) == list(range(5))


def test_a_batch_goes_whole():
    log = Bench().open()
    fill(log, 2)
    log.append_as_leader(batch(0, (b"a", b"b", b"c")), 0)
    assert log.truncate_to(4)
    assert log.log_end_offset == 2


def test_nothing_behind_the_end_is_nothing_to_do_but_for_epochs():
    _, log = filled(5)
    log.assign_epoch(7)
    assert not log.truncate_to(5)
    assert log.epochs.latest_epoch == 0
    assert log.log_end_offset == 5


def test_watermark_recovery_point_and_epochs_follow():
    log = Bench().open()
    fill(log, 10, epoch=1)
    fill(log, 10, epoch=2)
    log.high_watermark = 15
    log.flush()
    log.truncate_to(8)
    assert (log.high_watermark, log.recovery_point, log.epochs.latest_epoch) == (8, 8, 1)


def test_what_was_cut_does_not_come_back():
    bench, log = filled()
    log.flush()
    log.truncate_to(11)
    bench.files = SimulatedFiles(disk=prefix_state(bench.files.disk, 0).disk)
    assert offsets_of(bench.open(Remembered(recovery_point=11))) == list(range(11))


def test_no_crash_during_a_truncation_leaves_a_hole():
    bench, log = filled()
    log.flush()
    watched = WatchedFiles(disk=bench.files.disk)
    log.state.files = watched
    for segment in log.segments:
        segment._files._files = watched
    log.truncate_to(3)
    for state in watched.all_states():
        crashed = Bench(replace(SMALL, cleanup_policy=COMPACTED), SimulatedFiles(disk=state.disk))
        found = offsets_of(crashed.open(Remembered(recovery_point=3)))
        assert found == list(range(len(found))), state.origin
        assert len(found) >= 3, state.origin


def test_a_log_can_start_all_over_elsewhere():
    bench, log = filled()
    log.truncate_fully_and_start_at(100, log_start_offset=90)
    assert (log.log_start_offset, log.log_end_offset, log.high_watermark) == (90, 100, 100)
    assert log.epochs.entries == ()
    assert bench.names(".log") == ["00000000000000000100.log"]
    assert bench.names(".snapshot") == []
    fill(log, 1)
    assert log.read(100, 100).base_offset == 100


def test_below_the_first_segment_the_log_starts_over():
    log = Bench().open(Remembered(clean=True, log_start_offset=50))
    fill(log, 5)
    assert log.truncate_to(20)
    assert (log.log_start_offset, log.log_end_offset) == (20, 20)


def test_the_start_moves_no_further_than_what_is_replicated():
    _, log = filled()
    log.high_watermark = 10
    with pytest.raises(StartOffsetError, match="replicated"):
        log.advance_start_offset(11)
    assert log.advance_start_offset(10)
    assert not log.advance_start_offset(9)
    assert log.log_start_offset == 10


def test_deleted_segments_wait_under_another_name():
    bench, log = filled()
    log.high_watermark = 30
    old = list(log.segments)[:2]
    removal = log.delete_segments(old)
    assert len(bench.names(".log.deleted")) == 2
    assert len(bench.names(".snapshot.deleted")) == 1
    assert log.log_start_offset == log.segments.first.base_offset
    removal.remove()
    assert bench.names(".deleted") == []


def test_where_all_segments_go_an_empty_one_is_left():
    _, log = filled()
    log.high_watermark = 30
    log.delete_segments(list(log.segments)).remove()
    assert (log.log_start_offset, log.log_end_offset, log.size) == (30, 30, 0)
    log.delete_segments(list(log.segments)).remove()
    fill(log, 1)
    assert offsets_of(log) == [30]


def test_damage_before_the_cut_is_passed_over():
    bench = Bench(replace(SMALL, segment_bytes=50_000))
    log = bench.open()
    fill(log, 8)
    size = len(batch(0, (b"value",)))
    file = bench.files.open(f"{log.directory}/{0:020}.log")
    file.write_at(2 * size + OFFSET_DELTA_AT, b"\xff")
    assert log.truncate_to(6)
    assert log.log_end_offset == log.state.producers.map_end_offset == 6
    assert log.append_as_leader(batch(0), 0).first_offset == 6
