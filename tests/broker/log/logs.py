"""Logs on a simulated disk for tests, and what they hold as plain lists."""

from __future__ import annotations

from dataclasses import dataclass, field

from moldau.broker.log.opening import Remembered
from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.reading import Isolation
from moldau.broker.log.settings import LogSettings
from moldau.broker.log.world import World
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.disk import Disk
from moldau.platform.simulated.disk_crash import CrashState, crash_states
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.records.batch import read_header
from tests.broker.log.batches import batch

DIRECTORY = "data/topic-0"
SMALL = LogSettings(segment_bytes=500, index_interval_bytes=100, segment_index_bytes=1200)
CLEAN = Remembered(clean=True)


@dataclass
class Bench:
    """A world with one partition directory."""

    settings: LogSettings = SMALL
    files: SimulatedFiles = field(default_factory=SimulatedFiles)
    clock: SimulatedClock = field(default_factory=SimulatedClock)

    def __post_init__(self) -> None:
        self.files.make_directory("data")
        self.files.sync_directory(".")

    def open(self, remembered: Remembered = CLEAN) -> PartitionLog:
        world = World(self.files, self.clock, SeededRandom(1))
        return PartitionLog.open(world, DIRECTORY, self.settings, remembered)

    def names(self, suffix: str = "") -> list[str]:
        return [name for name in self.files.list(DIRECTORY) if name.endswith(suffix)]

    def contents(self, name: str) -> bytes:
        file = self.files.open(f"{DIRECTORY}/{name}")
        data = file.read_at(0, file.size())
        file.close()
        return data

    def overwrite(self, name: str, contents: bytes) -> None:
        file = self.files.open(f"{DIRECTORY}/{name}", create=True)
        file.truncate(0)
        file.append(contents)
        file.close()


def fill(log: PartitionLog, count: int, epoch: int = 0, timestamp: int = 1_000) -> None:
    """Append `count` batches of one record, each a millisecond younger than the one before."""
    for number in range(count):
        log.append_as_leader(batch(0, (b"value",), timestamp + number), epoch)


def batches_of(
    log: PartitionLog, isolation: Isolation = Isolation.LOG_END
) -> list[tuple[int, bytes]]:
    """Base offset and bytes of every batch, as a reader with large fetches sees them."""
    found: list[tuple[int, bytes]] = []
    offset = log.log_start_offset
    while (result := log.read(offset, 10_000, isolation)).size:
        data = result.read()
        while data:
            header = read_header(data)
            found.append((header.base_offset, data[: header.size]))
            data, offset = data[header.size :], header.next_offset
    return found


def offsets_of(log: PartitionLog) -> list[int]:
    return [offset for offset, _ in batches_of(log)]


STATES = 25
"""Looked at before each barrier."""


class WatchedFiles(SimulatedFiles):
    """Remembers what a crash could leave just before each sync of the directory."""

    def __init__(self, disk: Disk) -> None:
        super().__init__(disk=disk)
        self.states: list[CrashState] = []

    def sync_directory(self, path: str) -> None:
        self.states += crash_states(self.disk, SeededRandom(len(self.states)), STATES)
        super().sync_directory(path)

    def all_states(self) -> list[CrashState]:
        """Those, and what a crash could leave now."""
        return [*self.states, *crash_states(self.disk, SeededRandom(7), STATES)]
