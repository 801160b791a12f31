"""Directories that a real Kafka wrote: we read them as it does, and write the same bytes."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from moldau.broker.log.opening import Remembered
from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.reading import Isolation
from moldau.broker.log.settings import UNLIMITED, LogSettings
from moldau.broker.log.world import World
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.system.files import SystemFiles
from moldau.protocol.records.batch import read_header
from moldau.protocol.records.record import iterate_records

VECTORS = Path(__file__).parents[2] / "vectors" / "log"
TOPICS = ("plain", "mixed", "transactions")
STARTS = (("clean", True), ("clean", False), ("killed", False))
CAPTURED_MS = 1_795_264_600_000
"""About when the files were written: producers must not have expired."""
SETTINGS = LogSettings(
    segment_bytes=8192,
    index_interval_bytes=1024,
    segment_index_bytes=2048,
    retention_ms=UNLIMITED,
    segment_ms=315_360_000_000,
)


@cache
def expected(topic: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((VECTORS / "expected.json").read_text())[topic]
    return found


def opened(directory: Path, *, clean: bool) -> PartitionLog:
    world = World(SystemFiles(), SimulatedClock(CAPTURED_MS), SeededRandom(1))
    log = PartitionLog.open(world, str(directory), SETTINGS, Remembered(clean=clean))
    log.high_watermark = log.log_end_offset
    return log


def captured(tmp_path: Path, state: str, topic: str) -> Path:
    return Path(shutil.copytree(VECTORS / state / f"{topic}-0", tmp_path / f"{topic}-0"))


def batches_in(log: PartitionLog, isolation: Isolation) -> list[bytes]:
    found, offset = [], log.log_start_offset
    while (result := log.read(offset, 1000, isolation)).size:
        data = result.read()
        header = read_header(data)
        found.append(data[: header.size])
        offset = header.next_offset
    return found


def committed_offsets(log: PartitionLog) -> list[int]:
    """What is left to a consumer that drops the transactions that the log reports as aborted."""
    return [
        record.offset
        for data in batches_in(log, Isolation.COMMITTED)
        if not is_dropped(log, data)
        for record in iterate_records(data)
    ]


def is_dropped(log: PartitionLog, data: bytes) -> bool:
    header = read_header(data)
    listed = log.read(header.base_offset, 1, Isolation.COMMITTED).aborted_transactions
    assert listed is not None
    return header.is_control or any(
        header.producer_id == aborted.producer_id
        and aborted.first_offset <= header.base_offset <= aborted.last_offset
        for aborted in listed
    )


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize(("state", "clean"), STARTS)
def test_what_kafka_wrote_is_read_as_kafka_reads_it(tmp_path, state, clean, topic):
    log = opened(captured(tmp_path, state, topic), clean=clean)
    found = [
        [record.offset, record.timestamp, (record.key or b"").decode(), crc32(record.value or b"")]
        for data in batches_in(log, Isolation.LOG_END)
        if not read_header(data).is_control
        for record in iterate_records(data)
    ]
    records = [record for record in expected(topic)["records"] if record[0] < log.log_end_offset]
    assert found == records
    committed = [offset for offset in expected(topic)["committed"] if offset < log.log_end_offset]
    assert committed_offsets(log) == committed
    assert log.log_end_offset == expected(topic)["latest"] or state == "clean"


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("clean", [True, False])
def test_times_lead_where_kafka_says(tmp_path, topic, clean):
    directory = captured(tmp_path, "killed", topic)
    if clean:
        opened(directory, clean=False).close()
    log = opened(directory, clean=clean)
    for timestamp, offset in expected(topic)["offsets_for_times"].items():
        found = log.offset_for_timestamp(int(timestamp))
        assert (found.offset if found else -1) == offset or (
            found is None and offset == log.log_end_offset
        )
    largest = log.offset_of_max_timestamp()
    assert largest is not None
    assert [largest.offset, largest.timestamp] == expected(topic)["max_timestamp"]


def contents_of(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


@pytest.mark.parametrize("topic", TOPICS)
def test_the_same_batches_make_the_same_files(tmp_path, topic):
    source = opened(captured(tmp_path, "clean", topic), clean=True)
    log = opened(tmp_path / "copy-0", clean=True)
    for data in batches_in(source, Isolation.LOG_END):
        log.append_as_follower(data, 9)
    log.close()
    theirs = contents_of(VECTORS / "clean" / f"{topic}-0")
    theirs.pop("partition.metadata")
    assert contents_of(tmp_path / "copy-0") == theirs


@pytest.mark.parametrize("topic", TOPICS)
def test_a_log_that_goes_on_makes_the_same_files_too(tmp_path, topic):
    source = opened(captured(tmp_path / "source", "killed", topic), clean=False)
    log = opened(captured(tmp_path / "copy", "clean", topic), clean=True)
    log.assign_epoch(2)
    for data in batches_in(source, Isolation.LOG_END):
        if read_header(data).base_offset >= log.log_end_offset:
            log.append_as_follower(data, 9)
    for index in (log.state.active.offset_index, log.state.active.time_index):
        index.write_waiting()
    ours = contents_of(Path(log.directory))
    theirs = contents_of(VECTORS / "killed" / f"{topic}-0")
    assert {name: ours[name] for name in theirs} == theirs


@pytest.mark.parametrize("topic", TOPICS)
def test_a_clean_directory_is_left_as_it_was(tmp_path, topic):
    directory = captured(tmp_path, "clean", topic)
    before = contents_of(directory)
    opened(directory, clean=True).close()
    assert contents_of(directory) == before
