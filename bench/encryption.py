"""What encryption at rest costs a log: the same batches, plain and encrypted, in turns.

For batches of 171 bytes, 16 KB and 1 MB: CPU of an append and of a read as a consumer's, best of
the rounds, and what lies on the disk beside what was sent. Values are random bytes, uncompressed. A
plain read brings the bytes into memory, as an encrypted one must; `sendfile` saves a plain log
that, too.

    python -m bench.encryption [--directory D] [--megabytes 100] [--rounds 3]
"""

from __future__ import annotations

import argparse
import random
import shutil
import tempfile
import time
from base64 import b64encode
from pathlib import Path
from typing import NamedTuple

from moldau.broker.log.encryption.key_file import KeyFile
from moldau.broker.log.encryption.keyring import Keyring
from moldau.broker.log.opening import Remembered
from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.reading import Isolation
from moldau.broker.log.settings import LogSettings
from moldau.broker.log.world import World
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.randomness import SystemRandom
from moldau.protocol.records.batch import iterate_batches, read_header
from moldau.protocol.records.builder import BatchBuilder, BatchFields

MIB, GB = 1024 * 1024, 10**9
SHAPES = ((1, 100), (16, 1_000), (1_000, 1_000))
"""Records of a batch, and bytes of a value."""
BATCHES_MAX = 20_000
KEY = "bench"


class Cost(NamedTuple):
    """Of one run, per batch, and bytes on the disk."""

    append_us: float
    read_us: float
    stored_bytes: int


def batch_of(records: int, value_bytes: int) -> bytes:
    drawn, builder = random.Random(1), BatchBuilder(BatchFields())
    for _ in range(records):
        builder.append(int(time.time() * 1000), b"k", drawn.randbytes(value_bytes))
    return bytes(builder.build())


def run(world: World, directory: Path, batch: bytes, count: int, key_name: str) -> Cost:
    settings = LogSettings(encryption_at_rest=key_name)
    log = PartitionLog.open(world, f"{directory}/bench-0", settings, Remembered(clean=True))
    log.append_as_leader(bytearray(batch), 0)
    sent = [bytearray(batch) for _ in range(count)]
    began = time.process_time()
    for one in sent:
        log.append_as_leader(one, 0)
    appended = time.process_time()
    log.high_watermark = log.log_end_offset
    read_all(log)
    done = time.process_time()
    size = log.size
    log.close()
    shutil.rmtree(f"{directory}/bench-0")
    return Cost((appended - began) / count * 1e6, (done - appended) / count * 1e6, size)


def read_all(log: PartitionLog) -> None:
    offset = 0
    while (found := log.read(offset, MIB, Isolation.HIGH_WATERMARK)).size:
        *_, last = iterate_batches(found.read())
        offset = read_header(last).next_offset


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--directory", type=Path)
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    directory = Path(tempfile.mkdtemp(dir=options.directory))
    (directory / "keys").write_text(f"{KEY}.1 = {b64encode(bytes(range(32))).decode()}\n")
    files, clock, drawn = SystemFiles(), SystemClock(), SystemRandom()
    keyring = Keyring(KeyFile(files, f"{directory}/keys", drawn), clock, drawn)
    world = World(files, clock, drawn, keyring)
    print("batch bytes            append µs  s/GB     read µs  s/GB   stored/sent")
    for records, value_bytes in SHAPES:
        batch = batch_of(records, value_bytes)
        count = min(BATCHES_MAX, options.megabytes * MIB // len(batch))
        found: dict[str, list[Cost]] = {"": [], KEY: []}
        for _ in range(options.rounds):
            for key_name, costs in found.items():
                costs.append(run(world, directory, batch, count, key_name))
        for key_name, costs in found.items():
            print(line(len(batch), "encrypted" if key_name else "plain", costs, count + 1))
    shutil.rmtree(directory)


def line(size: int, kind: str, costs: list[Cost], count: int) -> str:
    append_us = min(cost.append_us for cost in costs)
    read_us = min(cost.read_us for cost in costs)
    per_gb = GB / size / 1e6
    return (
        f"{size:>9} {kind:<10} {append_us:>9.1f} {append_us * per_gb:>6.2f} "
        f"{read_us:>9.1f} {read_us * per_gb:>6.2f} {costs[0].stored_bytes / size / count:>11.3f}"
    )


if __name__ == "__main__":
    main()
