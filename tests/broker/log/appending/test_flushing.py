"""Recovery points move only over what is on disk."""

from __future__ import annotations

from dataclasses import replace

import pytest

from moldau.broker.log.opening import Remembered
from moldau.errors import DiskFailedError
from moldau.platform.simulated.disk_crash import prefix_state
from moldau.platform.simulated.disk_faults import Fault
from moldau.platform.simulated.files import SimulatedFiles
from tests.broker.log.logs import SMALL, Bench, fill, offsets_of


def test_what_is_flushed_survives_the_worst_crash():
    bench = Bench()
    log = bench.open()
    fill(log, 25)
    log.flush()
    fill(log, 10)
    bench.files = SimulatedFiles(disk=prefix_state(bench.files.disk, 0).disk)
    again = bench.open(Remembered(recovery_point=25))
    assert again.log_end_offset >= 25
    assert offsets_of(again) == list(range(again.log_end_offset))


def test_sealed_segments_can_be_flushed_without_the_active_one():
    log = Bench().open()
    fill(log, 20)
    was_due = log.flush_due
    log.flush(log.segments.active.base_offset)
    assert (was_due, log.flush_due) == (True, False)
    assert log.recovery_point == log.segments.active.base_offset < 20


def test_every_so_many_messages_are_flushed():
    log = Bench(replace(SMALL, flush_messages=4)).open()
    points = []
    for _ in range(9):
        fill(log, 1)
        points.append(log.recovery_point)
    assert points == [0, 0, 0, 4, 4, 4, 4, 8, 8]


def test_time_makes_a_flush_due():
    bench = Bench(replace(SMALL, flush_ms=100))
    log = bench.open()
    fill(log, 3)
    bench.clock.advance_ms(99)
    log.flush_if_due()
    assert log.recovery_point == 0
    bench.clock.advance_ms(1)
    log.flush_if_due()
    assert log.recovery_point == 3


@pytest.mark.parametrize("pattern", ["*.log", "*.index", "*.snapshot"])
def test_a_failed_sync_is_final_and_the_recovery_point_stays(pattern):
    bench = Bench()
    log = bench.open()
    fill(log, 20)
    bench.files.faults.add(Fault("sync", pattern))
    for _ in range(2):
        with pytest.raises(DiskFailedError):
            log.flush()
    with pytest.raises(DiskFailedError):
        fill(log, 1)
    assert (log.recovery_point, log.log_end_offset) == (0, 20)


def test_appending_and_rolling_go_on_while_a_flush_is_under_way():
    log = Bench().open()
    fill(log, 20)
    work = log.begin_flush()
    fill(log, 20)
    work.sync()
    log.finish_flush(work)
    assert (log.recovery_point, log.log_end_offset) == (20, 40)
    assert not log.state.names_synced
    assert log.state.unsynced_snapshots


def test_what_was_begun_before_the_crash_counts_only_when_it_is_finished():
    bench = Bench()
    log = bench.open()
    fill(log, 20)
    work = log.begin_flush()
    fill(log, 20)
    work.sync()
    bench.files = SimulatedFiles(disk=prefix_state(bench.files.disk, 0).disk)
    again = bench.open(Remembered(recovery_point=0))
    assert again.log_end_offset >= 20
    assert offsets_of(again) == list(range(again.log_end_offset))


def test_a_sync_that_fails_elsewhere_makes_the_log_fail_when_it_is_reported():
    bench = Bench()
    log = bench.open()
    fill(log, 20)
    bench.files.faults.add(Fault("sync", "*.log"))
    work = log.begin_flush()
    work.sync()
    with pytest.raises(DiskFailedError):
        log.finish_flush(work)
    with pytest.raises(DiskFailedError):
        log.begin_flush()
    log.close()


def test_nothing_is_cut_or_closed_before_a_flush_is_finished():
    log = Bench().open()
    fill(log, 20)
    work = log.begin_flush()
    for forbidden in (log.close, lambda: log.truncate_to(3)):
        with pytest.raises(AssertionError, match="finish the flush"):
            forbidden()
    log.finish_flush(work)
    assert log.truncate_to(3)


def test_a_flush_of_sealed_segments_leaves_the_active_one_alone():
    log = Bench().open()
    fill(log, 20)
    work = log.begin_flush(log.segments.active.base_offset)
    assert work.active is None
    assert work.sealed
