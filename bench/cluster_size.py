"""How a large cluster weighs on its controller: load time, memory, and a storm of elections.

The real controller and the real metadata of as many brokers and partitions as are asked for, in
one process of its own for each size, on a simulated clock and without network or disk. Partitions
have three replicas, topics ten partitions. Times are the processor's, so that other programs
count as little as may be; nothing here waits for anything. For each size:

    load        a snapshot as the bytes of its file to an image that brokers and controller share
    memory      what the process has grown by with that image alone, and for each partition
    heartbeat   one of a broker of which nothing is new
    index       the first broker is fenced: which topics lie on which broker is found out
    one fenced  the session of another ends: its partitions get other leaders, decided and applied
    storm       one broker in ten is fenced, one after another, and comes back

    ./dev bench cluster_size [--large] [--plot FILE.svg]

`--large` adds 1,000,000 partitions.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from bench.versus.svg import Canvas
from moldau.broker.controller.controller import Controller
from moldau.broker.controller.decision import Call, Decision
from moldau.broker.metadata.features import supported_levels
from moldau.broker.metadata.image import EMPTY_IMAGE, Image
from moldau.broker.metadata.loader import MetadataLoader
from moldau.broker.metadata.snapshot_file import SnapshotFields, decode_snapshot, encode_snapshot
from moldau.config.broker.settings import BrokerSettings
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.slices import at_once
from moldau.protocol.messages.broker.broker_heartbeat import BrokerHeartbeatRequest
from moldau.protocol.messages.stored.metadata_brokers import RegisterBrokerRecord
from moldau.protocol.messages.stored.metadata_cluster import FeatureLevelRecord
from moldau.protocol.messages.stored.metadata_topics import PartitionRecord, TopicRecord
from moldau.protocol.wire.schema import Message

SIZES = ((10, 1_000), (100, 10_000), (300, 30_000), (1_000, 100_000))
LARGE = (1_000, 1_000_000)
TOPIC_PARTITIONS = 10
REPLICAS = 3
METADATA_VERSION = 30
SESSION_MS = 9_000
HEARTBEATS = 1_000
STORM_SHARE = 10
PAGE_KB = 4
FENCED = 1


WIDTH, HEIGHT, TOP, LEFT = 640, 190, 40, 20


class Measured(NamedTuple):
    """One size."""

    brokers: int
    partitions: int
    load_s: float
    memory_mb: float
    heartbeat_us: float
    index_ms: float
    fenced_ms: float
    moved: int
    """Partitions that the one broker led or had in sync."""
    storm_s: float
    storm_records: int


FIGURES: tuple[tuple[str, str, Callable[[Measured], float]], ...] = (
    ("Load of a snapshot", "s of the processor", lambda row: row.load_s),
    ("Memory of the image", "MB", lambda row: row.memory_mb),
    ("One broker is fenced", "ms of the processor", lambda row: row.fenced_ms),
    ("One in ten is fenced and comes back", "s of the processor", lambda row: row.storm_s),
)


def records(brokers: int, partitions: int) -> Iterator[Message]:
    """All that the cluster is, as a snapshot has it."""
    yield FeatureLevelRecord(name="metadata.version", feature_level=METADATA_VERSION)
    yield FeatureLevelRecord(name="eligible.leader.replicas.version", feature_level=1)
    for broker_id in range(1, brokers + 1):
        yield registration(broker_id)
    for number in range(partitions // TOPIC_PARTITIONS):
        topic_id = number.to_bytes(16, "big")
        yield TopicRecord(name=f"topic-{number}", topic_id=topic_id)
        for index in range(TOPIC_PARTITIONS):
            yield partition(topic_id, index, number * TOPIC_PARTITIONS + index, brokers)


def directory(broker_id: int) -> bytes:
    return broker_id.to_bytes(16, "big")


def registration(broker_id: int) -> RegisterBrokerRecord:
    of = RegisterBrokerRecord
    place = of.BrokerEndpoint(
        name="PLAINTEXT", host=f"broker-{broker_id}", port=9092, security_protocol=0
    )
    levels = supported_levels().items()
    return of(
        broker_id=broker_id,
        incarnation_id=directory(broker_id),
        broker_epoch=broker_id,
        end_points=[place],
        features=[
            of.BrokerFeature(name=name, min_supported_version=low, max_supported_version=high)
            for name, (low, high) in levels
        ],
        rack=None,
        fenced=False,
        log_dirs=[directory(broker_id)],
    )


def partition(topic_id: bytes, index: int, place: int, brokers: int) -> PartitionRecord:
    """Neighbours of one partition's replicas differ, so that a lost broker's load is spread."""
    step = 1 + place // brokers % (brokers // REPLICAS)
    replicas = [(place + nth * step) % brokers + 1 for nth in range(REPLICAS)]
    return PartitionRecord(
        partition_id=index,
        topic_id=topic_id,
        replicas=replicas,
        isr=replicas,
        removing_replicas=[],
        adding_replicas=[],
        leader=replicas[0],
        leader_epoch=0,
        partition_epoch=0,
        directories=[directory(one) for one in replicas],
    )


def resident_mb() -> float:
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_KB / 1024


class Active:
    """A controller that is active, on a clock that stands still until it is moved."""

    def __init__(self, image: Image) -> None:
        settings = BrokerSettings({"node.id": "1000000", "process.roles": "controller"})
        self.controller = Controller(settings, SeededRandom(7), image)
        self.now_ms = SESSION_MS
        self.controller.activate(self.now_ms)
        self.written = 0

    def beat(self, broker_id: int) -> None:
        epoch = self.controller.image.cluster.brokers[broker_id].epoch
        request = BrokerHeartbeatRequest(
            broker_id=broker_id,
            broker_epoch=epoch,
            current_metadata_offset=self.controller.next_offset,
            want_fence=False,
            want_shut_down=False,
        )
        found = self.controller.decide(request, Call(version=2), self.now_ms, self.now_ms)
        self._apply(found if isinstance(found, Decision) else at_once(found))

    def end(self, broker_id: int) -> int:
        """Its session is over; the number of records that this led to."""
        epoch = self.controller.image.cluster.brokers[broker_id].epoch
        self.controller.end_session(broker_id, epoch)
        return self._apply(self.controller.tick(self.now_ms, self.now_ms))

    def _apply(self, decision: Decision) -> int:
        count = len(decision.records)
        if count:
            last_offset = self.controller.next_offset + count - 1
            self.controller.apply(decision.records, last_offset, 1, self.now_ms)
        self.written += count
        return count


def measure(brokers: int, partitions: int) -> Measured:
    fields = SnapshotFields(created_ms=0)
    stored = b"".join(encode_snapshot(records(brokers, partitions), METADATA_VERSION, fields))
    before_mb = resident_mb()
    load_s, image = loaded(stored)
    memory_mb = resident_mb() - before_mb
    active = Active(image)
    begun = time.process_time()
    for number in range(HEARTBEATS):
        active.beat(number % brokers + 1)
    heartbeat_us = (time.process_time() - begun) / HEARTBEATS * 1e6
    index_ms, _ = fenced(active, brokers)
    fenced_ms, moved = fenced(active, brokers - 1)
    storm_s, storm_records = storm(active, max(1, brokers // STORM_SHARE))
    return Measured(
        brokers, partitions, load_s, memory_mb, heartbeat_us, index_ms, fenced_ms, moved,
        storm_s, storm_records,
    )  # fmt: skip


def loaded(stored: bytes) -> tuple[float, Image]:
    begun = time.process_time()
    loader = MetadataLoader(EMPTY_IMAGE)
    loader.load(decode_snapshot(stored, "snapshot").records, 0, 1)
    return time.process_time() - begun, loader.image


def fenced(active: Active, broker_id: int) -> tuple[float, int]:
    """Milliseconds, and the partitions that were touched; the broker is back afterwards."""
    begun = time.process_time()
    moved = active.end(broker_id) - FENCED
    took_ms = (time.process_time() - begun) * 1000
    active.beat(broker_id)
    return took_ms, moved


def storm(active: Active, count: int) -> tuple[float, int]:
    active.written = 0
    begun = time.process_time()
    for broker_id in range(1, count + 1):
        active.end(broker_id)
    for broker_id in range(1, count + 1):
        active.beat(broker_id)
    return time.process_time() - begun, active.written


def in_a_process(brokers: int, partitions: int) -> Measured:
    """Memory is that of a process which has done nothing else."""
    command = [sys.executable, "-m", "bench.cluster_size", "--one", f"{brokers},{partitions}"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return Measured(*json.loads(done.stdout))


def table(rows: list[Measured]) -> str:
    lines = [
        "| brokers | partitions | load | memory | a partition | heartbeat | index | one "
        "fenced | its partitions | storm | its records |",
        "| --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |",
    ]
    lines += [
        f"| {row.brokers:,} | {row.partitions:,} | {row.load_s:.2f} s | {row.memory_mb:,.0f} MB "
        f"| {row.memory_mb * 1024 * 1024 / row.partitions:,.0f} B | {row.heartbeat_us:.0f} µs "
        f"| {row.index_ms:,.0f} ms | {row.fenced_ms:,.1f} ms | {row.moved:,} | {row.storm_s:.2f} s "
        f"| {row.storm_records:,} |"
        for row in rows
    ]
    return "\n".join(lines)


def drawn(rows: list[Measured]) -> str:
    """Each figure over the number of partitions; both axes go by powers of ten."""
    canvas = Canvas(WIDTH, len(FIGURES) * HEIGHT + TOP)
    canvas.text(LEFT, 24, "A large cluster weighs on its controller", "title")
    for number, (words, unit, of) in enumerate(FIGURES):
        bottom = TOP + (number + 1) * HEIGHT - 40
        values = [max(of(row), 1e-3) for row in rows]
        lowest, highest = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        canvas.text(LEFT, bottom - HEIGHT + 58, f"{words}, {unit}", "head")
        canvas.line(LEFT, bottom, WIDTH - 60, bottom, "line", 1)
        points = [
            (across(row.partitions), bottom - share(value, lowest, highest) * (HEIGHT - 90))
            for row, value in zip(rows, values, strict=True)
        ]
        for (x1, y1), (x2, y2) in pairwise(points):
            canvas.line(x1, y1, x2, y2, "ours", 2)
        for (x, y), row, value in zip(points, rows, values, strict=True):
            canvas.dot(x, y, 4, "ours")
            canvas.text(x, y - 9, shown(value), "small", "middle")
            canvas.text(x, bottom + 16, f"{row.partitions:,}", "small soft", "middle")
    return canvas.document("A large cluster weighs on its controller")


def shown(value: float) -> str:
    """Three digits, or all that stand before the point."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def across(partitions: int) -> float:
    """From a thousand partitions on the left to a million on the right."""
    return LEFT + 30 + share(partitions, 3, 6) * (WIDTH - LEFT - 130)


def share(value: float, lowest: int, highest: int) -> float:
    return (math.log10(value) - lowest) / max(highest - lowest, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--large", action="store_true", help="1,000,000 partitions, too")
    parser.add_argument("--plot", type=Path, help="write the growth as an SVG file")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        brokers, partitions = map(int, given.one.split(","))
        print(json.dumps(measure(brokers, partitions)))
        return
    rows = [in_a_process(*size) for size in (*SIZES, *([LARGE] if given.large else []))]
    print(table(rows))
    if given.plot:
        given.plot.write_text(drawn(rows))


if __name__ == "__main__":
    main()
