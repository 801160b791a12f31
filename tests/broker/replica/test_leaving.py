"""What has left is removed when its time has come, and not before."""

from __future__ import annotations

from moldau.broker.log.opening import Remembered
from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.settings import LogSettings
from moldau.broker.log.world import World
from moldau.broker.replica.leaving import LeavingFiles, RemovedLog
from moldau.errors import DiskFailedError
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.simulated.tasks import run
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.seldom_file import SeldomHandles
from tests.broker.log.batches import batch
from tests.broker.replica.broker_world import Broker


class Something:
    """Notes that it was removed, or fails."""

    def __init__(self, error: DiskFailedError | None = None) -> None:
        self.is_removed = False
        self._error = error

    def remove(self) -> None:
        if self._error is not None:
            raise self._error
        self.is_removed = True


class Directory:
    """As much of a log directory as is asked for."""

    is_online = True

    def take_offline(self, reason: str) -> None:
        self.is_online = False


def removed_at(now_ms: int, *things: Something):
    """Which of these, due at 100, 200…, are gone by then; and whether the disk is well."""
    directory = Directory()

    async def main(tasks):
        leaving = LeavingFiles(tasks)
        for number, thing in enumerate(things, start=1):
            leaving.add(directory, thing, number * 100)  # type: ignore[arg-type]
        await leaving.remove_due(now_ms)
        return [thing.is_removed for thing in things], len(leaving)

    return (*run(main), directory.is_online)


def test_only_what_is_due_goes():
    assert removed_at(150, Something(), Something()) == ([True, False], 1, True)


def test_a_disk_that_fails_goes_offline():
    failing = Something(DiskFailedError("x", "broken"))
    assert removed_at(300, failing, Something()) == ([False, False], 0, False)


def test_the_directory_of_a_deleted_topic_is_removed_with_open_files():
    broker = Broker()
    broker.add_topic(None)

    async def act(manager, tasks):
        partition = manager.leader("topic", 0)
        partition.append(batch())
        RemovedLog(broker.files, partition.log.directory, partition.log).remove()
        return broker.files.status("disk0/topic-0")

    assert broker.run(act) is None


class Crowded(SystemFiles):
    """So many logs that an index is open for its last use alone."""

    def __init__(self) -> None:
        super().__init__()
        self._seldom = SeldomHandles(self.open, open_max=1)


def test_what_an_index_had_still_to_write_goes_with_its_topic(tmp_path):
    """Its file has another name by then: to open it again would take the disk for broken."""
    files, path = Crowded(), str(tmp_path / "topic-0")
    world = World(files, SystemClock(), SeededRandom(1))
    log = PartitionLog.open(
        world, path, LogSettings(index_interval_bytes=0), Remembered(clean=True)
    )
    for _ in range(3):
        log.append_as_leader(batch(), 0)
    files.rename(path, path + "-delete")
    RemovedLog(files, path + "-delete", log).remove()
    assert files.list(str(tmp_path)) == []
