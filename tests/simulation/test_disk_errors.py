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
from tests.simulation.machine import start_machine
from tests.simulation.play import Play
from tests.simulation.truth import Truth
from tests.simulation.verdict import judge

OPERATIONS: tuple[Callable[[Play], None], ...] = (
    Play.append,
    Play.append_in_transaction,
    Play.flush,
    Play.checkpoint,
    Play.roll,
    Play.append_idempotent,
    Play.flush_sealed,
    lambda play: play.end_transaction(aborts=True),
    Play.flush,
    lambda play: play.truncate(1),
    Play.append,
    lambda play: play.delete_records(1),
    Play.flush,
    Play.roll,
    Play.append,
    Play.flush,
    lambda play: play.delete_records(play.truth.end),
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


def perform(play: Play) -> tuple[StorageError | None, list[Truth]]:
    """Run the operations up to the first that fails; what may be true then."""
    truths: list[Truth] = [play.truth]
    for operation in OPERATIONS:
        before = play.truth
        try:
            with play.machine.directory.guard():
                operation(play)
        except StorageError as error:
            return error, [before, play.truth]
        truths = [play.truth]
    return None, truths


@pytest.mark.parametrize(("operation", "pattern", "error", "short"), FAULTS)
def test_each_failing_call_stops_the_log_and_a_restart_finds_what_was_synced(
    operation, pattern, error, short
):
    struck = 0
    for skip in range(CALLS_MAX):
        play = Play("errors")
        fault = Fault(operation, pattern, error, skip=skip, short=short)
        play.files.faults.add(fault)
        failure, truths = perform(play)
        if failure is None:
            assert fault.times, f"call {skip} failed, and the log went on"
            break
        struck += 1
        assert not play.machine.directory.is_online
        _refuses_everything(play)
        _restarts(play, truths)
    assert struck, "the fault never struck"
    assert struck < CALLS_MAX


def _refuses_everything(play: Play) -> None:
    """The directory is offline: nothing more is done in it, so nothing is acknowledged."""
    written = play.files.disk.moment
    for operation in (Play.append, Play.flush, Play.roll, Play.checkpoint):
        with pytest.raises(DirectoryOfflineError), play.machine.directory.guard():
            operation(play)
    play.machine.directory.mark_clean()
    assert play.files.disk.moment == written


def _restarts(play: Play, truths: list[Truth]) -> None:
    """After a kill, and after a power loss that may or may not lose what was not synced."""
    disk = play.files.disk
    states = [prefix_state(disk, disk.moment)]
    states += crash_states(disk, SeededRandom(1), STATES_PER_FAILURE)
    for state in states:
        machine = start_machine(SimulatedFiles(play.clock, state.disk), play.clock)
        judge(machine.log, truths)


@pytest.mark.parametrize("error", [DiskFailedError, DiskFullError])
def test_a_log_that_failed_once_refuses_by_itself_for_ever(error):
    play = Play("fails")
    play.append()
    operation = "sync" if error is DiskFailedError else "append"
    play.files.faults.add(Fault(operation, "*.log", error))
    deed = play.machine.log.flush if error is DiskFailedError else play.append
    with pytest.raises(error):
        deed()
    for again in (play.append, play.machine.log.flush, play.machine.log.roll):
        with pytest.raises(error):
            again()
    play.machine.log.close()
    assert play.machine.log.failure is not None


def test_a_read_only_disk_refuses_the_node_in_one_sentence_and_loses_nothing():
    play = Play("read only")
    play.append()
    play.flush()
    play.machine.directory.close()
    play.files.faults.read_only = True
    with pytest.raises(MoldauError, match=r"/data") as refusal:
        start_machine(play.files, play.clock)
    assert "\n" not in str(refusal.value)
    survivor = prefix_state(play.files.disk, 0).disk
    judge(start_machine(SimulatedFiles(play.clock, survivor), play.clock).log, [play.truth])


def test_a_full_disk_serves_what_it_has_and_takes_more_after_a_restart_with_room():
    play = Play("full")
    play.append()
    before = play.truth
    play.files.faults.room = 20
    with pytest.raises(DiskFullError, match="no room"):
        play.append()
    state = prefix_state(play.files.disk, play.files.disk.moment)
    machine = start_machine(SimulatedFiles(play.clock, state.disk), play.clock)
    play.truth, play.machine = before, machine
    judge(machine.log, [before])
    play.append()
    judge(machine.log, [play.truth])
