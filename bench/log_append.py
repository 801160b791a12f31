"""What an append costs beside the least that it can cost.

For batches of 16 KiB, 64 KiB and 1 MiB: CPU seconds per GB of

    floor   read the batch (page cache), CRC-32C, write it: three calls into C from a bare loop
    log     read it the same way, then PartitionLog.append_as_leader, with rolls at 256 MiB

in turns, median of the rounds. Records have a kilobyte; the producer is idempotent, so its state is
in the price, and so is the look at each record.

    python -m bench.log_append [--directory D] [--megabytes 256] [--rounds 5]
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from moldau.broker.log.opening import Remembered
from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.settings import LogSettings
from moldau.broker.log.world import World
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.protocol.records.batch import CRC_START
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.checksum import crc32c

KIB, MIB, GB = 1024, 1024 * 1024, 10**9
SIZES = (16 * KIB, 64 * KIB, MIB)
SEGMENT_BYTES = 256 * MIB


VALUE = random.Random(1).randbytes(1000)
WRITTEN_AT_MS = 1_700_000_000_000


def idempotent_batch(size_max: int, number: int) -> bytearray:
    """As many records as fit; the batch is the producer's `number`th, and all have one size."""
    fields = BatchFields(producer_id=7, producer_epoch=0)
    builder = BatchBuilder(fields)
    while builder.has_room(size_max, WRITTEN_AT_MS, None, VALUE):
        builder.append(WRITTEN_AT_MS, None, VALUE)
    builder.fields = replace(fields, base_sequence=number * builder.record_count)
    return builder.build()


def write_source(path: Path, size_max: int, count: int) -> int:
    """So many batches behind each other; the size of each."""
    batches = [idempotent_batch(size_max, number) for number in range(count)]
    path.write_bytes(b"".join(batches))
    return len(batches[0])


def run_floor(source: int, target: Path, size: int, count: int) -> float:
    buffer = bytearray(size)
    view = memoryview(buffer)[CRC_START:]
    out = os.open(target, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    started = time.process_time()
    for number in range(count):
        os.preadv(source, [buffer], number * size)
        crc32c(view)
        os.pwrite(out, buffer, number * size)
    spent = time.process_time() - started
    os.close(out)
    target.unlink()
    return spent


def run_log(source: int, directory: Path, size: int, count: int) -> float:
    world = World(SystemFiles(), SystemClock(), SeededRandom(1))
    settings = LogSettings(segment_bytes=SEGMENT_BYTES, max_message_bytes=2 * MIB)
    log = PartitionLog.open(world, str(directory), settings, Remembered(clean=True))
    buffer = bytearray(size)
    started = time.process_time()
    for number in range(count):
        os.preadv(source, [buffer], number * size)
        log.append_as_leader(buffer, 0)
    spent = time.process_time() - started
    assert log.size == count * size
    for segment in log.segments:
        segment.close()
    shutil.rmtree(directory)
    return spent


def measure(directory: Path, size: int, megabytes: int, rounds: int) -> tuple[float, float]:
    """Median CPU seconds per GB of the floor and of the log."""
    count = max(megabytes * MIB // size, 1)
    path = directory / "source"
    size = write_source(path, size, count)
    source = os.open(path, os.O_RDONLY)
    floors, logs = [], []
    for _ in range(rounds):
        floors.append(run_floor(source, directory / "floor", size, count))
        logs.append(run_log(source, directory / "t-0", size, count))
    os.close(source)
    path.unlink()
    per_gb = GB / (count * size)
    return statistics.median(floors) * per_gb, statistics.median(logs) * per_gb


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--directory", type=Path, default=None)
    parser.add_argument("--megabytes", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.directory) as name:
        print("batch      floor s/GB   log s/GB   ratio")
        for size in SIZES:
            floor, log = measure(Path(name), size, options.megabytes, options.rounds)
            print(f"{size // KIB:5} KiB  {floor:10.3f} {log:10.3f} {log / floor:7.2f}")


if __name__ == "__main__":
    main()
