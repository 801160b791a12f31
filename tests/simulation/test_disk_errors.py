"""A disk that says no: the log stops, acknowledges nothing later, and a restart loses nothing.

Every kind of failure strikes every kind of file at every call at which it can, one after another:
the n-th matching call of a fixed list of operations fails, for n from zero until none is left.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from moldau.broker.log.directory.directory import DirectoryOfflineError
from moldau.errors import (
    DiskFailedError,
    DiskFullError,
    MoldauError,
    PermissionDeniedError,
    StorageError,
)
from moldau.platform.simulated.disk_crash import crash_states, prefix_state
from moldau.platform.simulated.disk_faults import Fault
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from tests.simulation.log_scenario import LogScenario
from tests.simulation.machine import start_machine
from tests.simulation.truth import Truth
from tests.simulation.verdict import judge

OPERATIONS: tuple[Callable[[LogScenario], None], ...] = (
    LogScenario.append,
    LogScenario.append_in_transaction,
    LogScenario.flush,
    LogScenario.checkpoint,
    LogScenario.roll,
    LogScenario.append_idempotent,
    LogScenario.flush_sealed,
    lambda scenario: scenario.end_transaction(aborts=True),
    LogScenario.flush,
    lambda scenario: scenario.truncate(1),
    LogScenario.append,
    lambda scenario: scenario.delete_records(1),
    LogScenario.flush,
    LogScenario.roll,
    LogScenario.append,
    LogScenario.flush,
    lambda scenario: scenario.delete_records(scenario.truth.end),
)
FAULTS = [
    ("sync", "*", DiskFailedError, 0),
    ("sync_directory", "*", DiskFailedError, 0),
    ("append", "*", DiskFullError, 70),
    ("append", "*.log", DiskFailedError, 0),
    ("write_at", "*", DiskFullError, 5),
    ("truncate", "*", DiskFailedError, 0),
    ("create", "*", DiskFullError, 0),
    ("create", "*", PermissionDeniedError, 0),
    ("rename", "*", DiskFailedError, 0),
    ("remove", "*", DiskFailedError, 0),
    ("open", "*", DiskFailedError, 0),
]
CALLS_MAX = 300
STATES_PER_FAILURE = 6


def perform(scenario: LogScenario) -> tuple[StorageError | None, list[Truth]]:
    """Run the operations up to the first that fails; what may be true then."""
    truths: list[Truth] = [scenario.truth]
    for operation in OPERATIONS:
        before = scenario.truth
        try:
            with scenario.machine.directory.guard():
                operation(scenario)
        except StorageError as error:
            return error, [before, scenario.truth]
        truths = [scenario.truth]
    return None, truths


@pytest.mark.parametrize(("operation", "pattern", "error", "short"), FAULTS)
def test_each_failing_call_stops_the_log_and_a_restart_finds_what_was_synced(
    operation, pattern, error, short
):
    struck = 0
    for skip in range(CALLS_MAX):
        scenario = LogScenario("errors")
        fault = Fault(operation, pattern, error, skip=skip, short=short)
        scenario.files.faults.add(fault)
        failure, truths = perform(scenario)
        if failure is None:
            assert fault.times, f"call {skip} failed, and the log went on"
            break
        struck += 1
        assert not scenario.machine.directory.is_online
        _refuses_everything(scenario)
        _restarts(scenario, truths)
    assert struck, "the fault never struck"
    assert struck < CALLS_MAX


def _refuses_everything(scenario: LogScenario) -> None:
    """The directory is offline: nothing more is done in it, so nothing is acknowledged."""
    written = scenario.files.disk.moment
    for operation in (
        LogScenario.append,
        LogScenario.flush,
        LogScenario.roll,
        LogScenario.checkpoint,
    ):
        with pytest.raises(DirectoryOfflineError), scenario.machine.directory.guard():
            operation(scenario)
    scenario.machine.directory.mark_clean()
    assert scenario.files.disk.moment == written


def _restarts(scenario: LogScenario, truths: list[Truth]) -> None:
    """After a kill, and after a power loss that may or may not lose what was not synced."""
    disk = scenario.files.disk
    states = [prefix_state(disk, disk.moment)]
    states += crash_states(disk, SeededRandom(1), STATES_PER_FAILURE)
    for state in states:
        machine = start_machine(SimulatedFiles(scenario.clock, state.disk), scenario.clock)
        judge(machine.log, truths)


@pytest.mark.parametrize("error", [DiskFailedError, DiskFullError])
def test_a_log_that_failed_once_refuses_by_itself_for_ever(error):
    scenario = LogScenario("fails")
    scenario.append()
    operation = "sync" if error is DiskFailedError else "append"
    scenario.files.faults.add(Fault(operation, "*.log", error))
    deed = scenario.machine.log.flush if error is DiskFailedError else scenario.append
    with pytest.raises(error):
        deed()
    for again in (scenario.append, scenario.machine.log.flush, scenario.machine.log.roll):
        with pytest.raises(error):
            again()
    scenario.machine.log.close()
    assert scenario.machine.log.failure is not None


def test_a_read_only_disk_refuses_the_node_in_one_sentence_and_loses_nothing():
    scenario = LogScenario("read only")
    scenario.append()
    scenario.flush()
    scenario.machine.directory.close()
    scenario.files.faults.read_only = True
    with pytest.raises(MoldauError, match=r"/data") as refusal:
        start_machine(scenario.files, scenario.clock)
    assert "\n" not in str(refusal.value)
    survivor = prefix_state(scenario.files.disk, 0).disk
    judge(
        start_machine(SimulatedFiles(scenario.clock, survivor), scenario.clock).log,
        [scenario.truth],
    )


def test_a_full_disk_serves_what_it_has_and_takes_more_after_a_restart_with_room():
    scenario = LogScenario("full")
    scenario.append()
    before = scenario.truth
    scenario.files.faults.room = 20
    with pytest.raises(DiskFullError, match="no room"):
        scenario.append()
    state = prefix_state(scenario.files.disk, scenario.files.disk.moment)
    machine = start_machine(SimulatedFiles(scenario.clock, state.disk), scenario.clock)
    scenario.truth, scenario.machine = before, machine
    judge(machine.log, [before])
    scenario.append()
    judge(machine.log, [scenario.truth])
