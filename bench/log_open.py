"""Opening a log: a thousand clean segments, and the recovery rate after an unclean stop.

The first table says what a clean start costs for each number of segments, in milliseconds, and
what of it is the floor: listing the directory and asking for the size of every `.log`. The second
says how fast batches are checked again, in MB per second of wall clock, from the page cache,
beside the floor: read and CRC-32C of the same batches.

    python -m bench.log_open [--directory D] [--rounds 5]
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench.log_append import KIB, MIB, idempotent_batch
from moldau.broker.log.opening import Remembered
from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.settings import LogSettings
from moldau.broker.log.world import World
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.protocol.records.checksum import crc32c

SETTINGS = LogSettings(max_message_bytes=2 * MIB, segment_bytes=256 * MIB)
SEGMENT_COUNTS = (1, 100, 1000)
RECOVERED_BYTES = 256 * MIB


def opened(directory: Path, *, clean: bool) -> PartitionLog:
    world = World(SystemFiles(), SystemClock(), SeededRandom(1))
    return PartitionLog.open(world, str(directory), SETTINGS, Remembered(clean=clean))


def timed_open(directory: Path, *, clean: bool) -> float:
    """Seconds of one open; the close is not in it, but makes the next one a clean one."""
    started = time.perf_counter()
    log = opened(directory, clean=clean)
    spent = time.perf_counter() - started
    log.close()
    return spent


def timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def list_and_stat(directory: Path) -> None:
    for name in os.listdir(directory):
        if name.endswith(".log"):
            os.stat(f"{directory}/{name}")


def measure_open(directory: Path, segments: int, rounds: int) -> tuple[float, float]:
    """Median seconds of the floor and of a clean open."""
    log = opened(directory, clean=True)
    for number in range(segments):
        log.append_as_leader(idempotent_batch(4 * KIB, number), 0)
        log.roll()
    log.close()
    floors, opens = [], []
    for _ in range(rounds):
        floors.append(timed(lambda: list_and_stat(directory)))
        opens.append(timed_open(directory, clean=True))
    return statistics.median(floors), statistics.median(opens)


def read_and_check(path: Path, size: int) -> None:
    with path.open("rb") as file:
        while block := file.read(MIB):
            for position in range(0, len(block), size):
                crc32c(memoryview(block)[position + 21 : position + size])


def measure_recovery(directory: Path, size: int, rounds: int) -> tuple[float, float]:
    """Median bytes per second of the floor and of a recovery."""
    log = opened(directory, clean=True)
    for number in range(RECOVERED_BYTES // size):
        log.append_as_leader(idempotent_batch(size, number), 0)
    written, path = log.size, directory / "00000000000000000000.log"
    log.close()
    floors, recoveries = [], []
    for _ in range(rounds):
        floors.append(timed(lambda: read_and_check(path, size)))
        recoveries.append(timed_open(directory, clean=False))
    return written / statistics.median(floors), written / statistics.median(recoveries)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--directory", type=Path, default=None)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.directory) as name:
        print("segments   floor ms   clean open ms")
        for segments in SEGMENT_COUNTS:
            floor, found = measure_open(Path(name) / f"open-{segments}", segments, options.rounds)
            print(f"{segments:8} {floor * 1000:10.2f} {found * 1000:15.2f}")
        print("batch       floor MB/s   recovery MB/s")
        for size in (4 * KIB, 64 * KIB, MIB):
            rates = measure_recovery(Path(name) / f"recover-{size}", size, options.rounds)
            print(f"{size // KIB:5} KiB {rates[0] / 1e6:12.0f} {rates[1] / 1e6:15.0f}")


if __name__ == "__main__":
    main()
