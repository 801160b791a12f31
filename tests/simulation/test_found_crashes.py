"""Crashes that once lost something, each as the shortest scenario that shows it."""

from __future__ import annotations

from moldau.broker.log.producers.snapshot import decode_snapshot
from moldau.broker.log.producers.snapshot_files import snapshot_name
from moldau.platform.ports.files import read_whole
from moldau.platform.simulated.disk_crash import prefix_state
from moldau.platform.simulated.files import SimulatedFiles
from tests.simulation.compacted_log_scenario import CompactedLogScenario
from tests.simulation.crash_judge import CrashJudge
from tests.simulation.log_scenario import LogScenario
from tests.simulation.machine import LOG_PATH


def watched(scenario: LogScenario, *operations) -> None:
    judge = CrashJudge(scenario, "found", states_per_barrier=60)
    judge.attach()
    for operation in operations:
        operation()
    assert judge.judged


def test_an_abort_that_was_flushed_survives_the_roll_that_follows():
    scenario = LogScenario("abort")
    scenario.append_in_transaction()
    scenario.end_transaction(aborts=True)
    scenario.flush()
    scenario.checkpoint()
    watched(
        scenario, scenario.append, scenario.roll, scenario.flush, scenario.checkpoint, scenario.roll
    )


def test_an_abort_survives_a_stop_in_order():
    scenario = LogScenario("abort")
    scenario.append_in_transaction()
    scenario.end_transaction(aborts=True)
    scenario.flush()
    scenario.checkpoint()
    watched(scenario, scenario.restart)


def test_timestamps_are_found_after_a_truncation_into_a_sealed_segment_and_a_stop():
    scenario = LogScenario("times")
    scenario.append()
    middle = scenario.truth.end
    scenario.append()
    scenario.flush()
    scenario.roll()
    scenario.append()
    scenario.flush()
    scenario.checkpoint()
    watched(scenario, lambda: scenario.truncate(middle), scenario.restart)


def test_a_compacted_log_has_no_hole_where_a_segment_lost_its_name():
    scenario = CompactedLogScenario("hole")
    scenario.append()
    scenario.flush()
    scenario.checkpoint()
    watched(scenario, scenario.roll, scenario.append, scenario.roll)


def test_the_flush_after_a_roll_keeps_its_snapshot_even_if_all_records_were_flushed():
    scenario = LogScenario("snapshot")
    scenario.append_idempotent()
    scenario.flush()
    scenario.roll()
    scenario.flush_sealed()
    survivor = prefix_state(scenario.files.disk, 0).disk
    files = SimulatedFiles(disk=survivor)
    path = f"{LOG_PATH}/{snapshot_name(scenario.truth.end)}"
    assert len(decode_snapshot(read_whole(files, path), path)) == 1
