"""Crashes that once lost something, each as the shortest play that shows it."""

from __future__ import annotations

from moldau.broker.log.producers.snapshot import decode_snapshot
from moldau.broker.log.producers.snapshot_files import snapshot_name
from moldau.platform.ports.files import read_whole
from moldau.platform.simulated.disk_crash import prefix_state
from moldau.platform.simulated.files import SimulatedFiles
from tests.simulation.compacted_play import CompactedPlay
from tests.simulation.crash_judge import CrashJudge
from tests.simulation.machine import LOG_PATH
from tests.simulation.play import Play


def watched(play: Play, *operations) -> None:
    judge = CrashJudge(play, "found", states_per_barrier=60)
    judge.attach()
    for operation in operations:
        operation()
    assert judge.judged


def test_an_abort_that_was_flushed_survives_the_roll_that_follows():
    play = Play("abort")
    play.append_in_transaction()
    play.end_transaction(aborts=True)
    play.flush()
    play.checkpoint()
    watched(play, play.append, play.roll, play.flush, play.checkpoint, play.roll)


def test_an_abort_survives_a_stop_in_order():
    play = Play("abort")
    play.append_in_transaction()
    play.end_transaction(aborts=True)
    play.flush()
    play.checkpoint()
    watched(play, play.restart)


def test_timestamps_are_found_after_a_truncation_into_a_sealed_segment_and_a_stop():
    play = Play("times")
    play.append()
    middle = play.truth.end
    play.append()
    play.flush()
    play.roll()
    play.append()
    play.flush()
    play.checkpoint()
    watched(play, lambda: play.truncate(middle), play.restart)


def test_a_compacted_log_has_no_hole_where_a_segment_lost_its_name():
    play = CompactedPlay("hole")
    play.append()
    play.flush()
    play.checkpoint()
    watched(play, play.roll, play.append, play.roll)


def test_the_flush_after_a_roll_keeps_its_snapshot_even_if_all_records_were_flushed():
    play = Play("snapshot")
    play.append_idempotent()
    play.flush()
    play.roll()
    play.flush_sealed()
    survivor = prefix_state(play.files.disk, 0).disk
    files = SimulatedFiles(disk=survivor)
    path = f"{LOG_PATH}/{snapshot_name(play.truth.end)}"
    assert len(decode_snapshot(read_whole(files, path), path)) == 1
