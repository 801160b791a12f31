"""How fast a round of compaction goes through a log, and what of it is the floor.

Logs of 100-byte records (16-byte keys) in batches of 64 KiB before compression:

    unique       every key once: all batches are copied as they are
    half         each key twice: half of the records go, every batch is rewritten
    hot          a hundred keys: nearly all goes, most batches vanish

each without compression and with lz4. CPU time: MB per second of the log on disk, and microseconds
for each record, which is read twice, for the map and for the copy. The floor reads the same bytes
twice with CRC-32C and writes them once. One round on a fresh log each, median of the rounds.

    python -m bench.log_compaction [--directory D] [--records 200000] [--rounds 3]
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from moldau.broker.log.compaction.plan import measure
from moldau.broker.log.compaction.run import Compaction
from moldau.broker.log.opening import Remembered
from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.settings import LogSettings
from moldau.broker.log.world import World
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.protocol.records import scan
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.checksum import crc32c
from moldau.protocol.records.compression import Codec

MIB = 1024 * 1024
RECORDS_PER_BATCH = 600
VALUE = b"v" * 70
SETTINGS = LogSettings(
    cleanup_policy=frozenset({"compact"}), segment_bytes=64 * MIB, max_message_bytes=MIB
)
Keys = Callable[[int, int], int]
SHAPES: dict[str, Keys] = {
    "unique": lambda number, _count: number,
    "half": lambda number, count: (number * 7919) % (count // 2),
    "hot": lambda number, _count: number % 100,
}


def write_log(directory: Path, shape: Keys, codec: Codec, count: int) -> PartitionLog:
    world = World(SystemFiles(), SystemClock(), SeededRandom(1))
    log = PartitionLog.open(world, str(directory), SETTINGS, Remembered(clean=True))
    for start in range(0, count, RECORDS_PER_BATCH):
        builder = BatchBuilder(BatchFields(codec=codec))
        now_ms = SystemClock().now_ms()
        for number in range(start, min(start + RECORDS_PER_BATCH, count)):
            builder.append(now_ms, b"%016d" % shape(number, count), VALUE)
        log.append_as_leader(builder.build(), 0)
    log.high_watermark = log.log_end_offset
    log.roll()
    log.flush()
    return log


def run_floor(directory: Path) -> float:
    sources = sorted(directory.glob("*.log"))
    started = time.process_time()
    for source in sources:
        with source.open("rb") as reader, (directory / "floor").open("wb") as writer:
            for turn in range(2):
                reader.seek(0)
                while piece := reader.read(64 * 1024):
                    crc32c(piece)
                    if turn:
                        writer.write(piece)
    elapsed = time.process_time() - started
    (directory / "floor").unlink()
    return elapsed


def measure_round(root: Path, shape: Keys, codec: Codec, count: int) -> tuple[float, float, int]:
    """Seconds of the floor and of the round, and bytes of the log."""
    directory = root / "bench-0"
    log = write_log(directory, shape, codec, count)
    size = log.size
    floor = run_floor(directory)
    now_ms = SystemClock().now_ms()
    dirty = measure(log.state, None, now_ms)
    started = time.process_time()
    Compaction(log.state, dirty, now_ms).run()
    elapsed = time.process_time() - started
    log.close()
    shutil.rmtree(directory)
    return floor, elapsed, size


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--directory", type=Path, default=None)
    parser.add_argument("--records", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    compiled = "compiled" if str(scan.__file__).endswith(".so") else "not compiled"
    print(f"{options.records} records, {options.rounds} rounds, scanner {compiled}")
    print(f"{'log':<8} {'codec':<6} {'MB':>6} {'floor MB/s':>11} {'MB/s':>7} {'µs/record':>10}")
    with tempfile.TemporaryDirectory(dir=options.directory) as root:
        for name, shape in SHAPES.items():
            for codec in (Codec.NONE, Codec.LZ4):
                rounds = [
                    measure_round(Path(root), shape, codec, options.records)
                    for _ in range(options.rounds)
                ]
                floor = statistics.median(one[0] for one in rounds)
                elapsed = statistics.median(one[1] for one in rounds)
                megabytes = rounds[0][2] / 1e6
                print(
                    f"{name:<8} {codec.name.lower():<6} {megabytes:>6.1f} "
                    f"{megabytes / floor:>11.0f} "
                    f"{megabytes / elapsed:>7.1f} {elapsed / options.records * 1e6:>10.2f}"
                )


if __name__ == "__main__":
    main()
