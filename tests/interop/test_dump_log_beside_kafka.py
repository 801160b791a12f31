"""Logs that we wrote, shown by Apache Kafka's dump-log and by ours: not a line differs.

Kafka's tool checks every checksum, decompresses and reads every record, and compares both indexes
with their log: its silence on standard error is its verdict.
"""

from __future__ import annotations

import os
import subprocess
from io import StringIO
from pathlib import Path

import pytest

from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.log.compaction.plan import measure
from moldau.broker.log.compaction.run import Compaction
from moldau.broker.log.opening import Remembered
from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.settings import COMPACT, LogSettings
from moldau.broker.log.world import World
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.system.files import SystemFiles
from moldau.programs.tools import command
from moldau.programs.tools.main import run_command
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.compression import Codec
from moldau.protocol.records.control import EndMarker, build_marker_batch
from tests.broker.log.batches import batch
from tests.judges.kafka_jars import class_path
from tests.protocol.records.captured import TIME, captured
from tests.protocol.records.legacy_messages import LOG_APPEND_TIME, flipped, message, wrapper

pytestmark = pytest.mark.judge
TOOL = "org.apache.kafka.tools.DumpLogSegments"
SETTINGS = LogSettings(
    cleanup_policy=frozenset({COMPACT}),
    segment_bytes=20_000,
    index_interval_bytes=512,
    segment_index_bytes=4_800,
)
ROUNDS = 40
FLAGS = [
    ["--print-data-log"],
    ["--deep-iteration"],
    ["--skip-record-metadata", "--print-data-log"],
    ["--verify-index-only"],
    ["--index-sanity-check"],
]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The files of a log with all codecs, transactions, tombstones, and a compacted part."""
    directory = tmp_path_factory.mktemp("ours") / "orders-0"
    clock = SimulatedClock()
    world = World(SystemFiles(), clock, SeededRandom(1))
    log = PartitionLog.open(world, str(directory), SETTINGS, Remembered(clean=True))
    for number in range(ROUNDS):
        write_round(log, clock, number)
        if number == ROUNDS // 2:
            compact(log, clock)
    log.close()
    kinds = (".log", ".index", ".timeindex", ".txnindex", ".snapshot")
    return sorted(str(path) for path in directory.iterdir() if path.suffix in kinds)


@pytest.fixture(scope="module")
def legacy(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Segments of before 0.11, which are no longer written: by hand, and one as Kafka wrote it."""
    codecs = [name for magic in (0, 1) for name in (f"v{magic}-snappy", f"v{magic}-lz4")]
    written = {name: captured(name) for name in codecs} | {
        "plain": message(0, b"a", magic=0, key=b"k") + message(1, None) + message(2, "é".encode()),
        "relative": wrapper(12, message(0, b"x", timestamp=TIME + 1), message(2, b"z", key=b"k")),
        "absolute": wrapper(12, message(10, b"x", magic=0), message(12, None, magic=0), magic=0),
        "appended": wrapper(7, message(0, b"x"), message(1, b"y"), more=LOG_APPEND_TIME),
        "mixed": message(0, b"a", magic=0) + wrapper(1, message(0, b"b")) + bytes(batch(2)),
        "flipped": message(0, b"a") + flipped(message(1, b"b"), 34) + message(2, b"c"),
        "flipped_inside": wrapper(1, flipped(message(0, b"a"), 34), message(1, b"b")),
        "cut": message(0, b"a") + message(1, b"bbb")[:-1],
    }
    paths = []
    for name, contents in written.items():
        path = tmp_path_factory.mktemp(name) / "orders-0" / "00000000000000000000.log"
        path.parent.mkdir()
        path.write_bytes(contents)
        paths.append(str(path))
    return paths


def write_round(log: PartitionLog, clock: SimulatedClock, number: int) -> None:
    for codec in Codec:
        append(log, clock, number, BatchFields(codec=codec))
    transactional = BatchFields(
        producer_id=9, producer_epoch=0, base_sequence=6 * number, is_transactional=True
    )
    append(log, clock, number, transactional)
    marker = EndMarker(number % 3 > 0, 0)
    batch = build_marker_batch(marker, producer_id=9, producer_epoch=0, timestamp=clock.now_ms())
    log.append_as_leader(batch, number // 10, AppendOrigin.COORDINATOR)
    log.high_watermark = log.log_end_offset
    clock.advance_ms(5)


def append(log: PartitionLog, clock: SimulatedClock, number: int, fields: BatchFields) -> None:
    builder = BatchBuilder(fields)
    for index in range(6):
        value = None if (index + number) % 5 == 0 else f"é {number} {index}".encode() * index
        headers = [("h", b"1"), ("n", None)] if index == 2 else []
        builder.append(clock.now_ms() + index, f"k{index * number % 17}".encode(), value, headers)
    log.append_as_leader(builder.build(), number // 10)


def compact(log: PartitionLog, clock: SimulatedClock) -> None:
    log.roll()
    log.flush()
    dirty = measure(log.state, None, clock.now_ms())
    for removal in Compaction(log.state, dirty, clock.now_ms()).run().removals:
        removal.remove()


def dumped_by_kafka(libs: Path, arguments: list[str]) -> tuple[str, str]:
    done = subprocess.run(
        ["java", "-Xmx200m", "-cp", class_path(libs), TOOL, *arguments],
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=120,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )
    return done.stdout, done.stderr


def dumped_by_us(arguments: list[str]) -> tuple[str, str]:
    out, errors = StringIO(), StringIO()
    world = command.World(
        files=SystemFiles(), clock=SimulatedClock(), random=SeededRandom(1), out=out, errors=errors
    )
    assert run_command(["dump-log", *arguments], world) == 0
    return out.getvalue(), errors.getvalue()


@pytest.mark.parametrize("flags", FLAGS, ids=" ".join)
def test_not_a_line_differs(kafka_libs, written, flags):
    arguments = [*flags, "--files", ",".join(written)]
    theirs, complaints = dumped_by_kafka(kafka_libs, arguments)
    ours, findings = dumped_by_us(arguments)
    assert ours == theirs
    assert len(ours.splitlines()) > len(written)
    for kind in ("Mismatches", "timestamp mismatch", "out of order", "not found", "invalid"):
        assert kind not in complaints + findings


@pytest.mark.parametrize("flags", [[], *FLAGS[:3]], ids=" ".join)
def test_not_a_line_of_formats_0_and_1_differs(kafka_libs, legacy, flags):
    arguments = [*flags, "--files", ",".join(legacy)]
    theirs, complaints = dumped_by_kafka(kafka_libs, arguments)
    ours, findings = dumped_by_us(arguments)
    assert ours.splitlines() == theirs.splitlines()
    assert theirs.count("magic: 0") > 4
    assert sorted(findings.splitlines()) == sorted(complaints.splitlines())


def test_there_is_something_to_show(written):
    kinds = {path.rpartition(".")[2] for path in written}
    assert kinds == {"log", "index", "timeindex", "txnindex", "snapshot"}
    assert sum(path.endswith(".log") for path in written) > 3
