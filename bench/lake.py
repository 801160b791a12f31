"""From a topic into Delta tables: how fast, at what price, how soon, and in how much memory.

Spark on `local[2]` beside a node of ours in a process of its own:

    copy      a stream from the format `moldau` into `moldau-delta`, until all that is there is read
    etl       the pipeline `etl` on the same topic, with all of its tables
    trickle   the copy, batch after batch, while 1,000 records a second are written: how long each
              takes from its timestamp to the commit of the version that has it, and in how much
              memory Spark with its workers and the node do it

The events are the orders of the demonstration, about 170 bytes of JSON, some of them spoilt. Told
are medians of the rounds; the processor's time is that of Spark's driver, its virtual machine and
its workers together. The first round, in which workers start, does not count.

    python -m bench.lake [--records 1000000] [--rounds 3] [--minutes 10] [--rate 1000]
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from pyarrow import parquet

import moldau.spark
from bench.client_read import PARTITIONS, linked, node, pour, send
from bench.versus.meter import cpu_s, memory_mb
from moldau.errors import MoldauError
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.programs.pipelines import etl
from moldau.programs.pipelines.events import ORDER_COLUMNS, Event, orders
from moldau.programs.pipelines.job import Job
from moldau.programs.pipelines.route import Route
from moldau.protocol.records.arrow import write_batches
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.compression import Codec

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

MASTER = "local[2]"
HEAP = "1g"
TOPIC = "orders"
PIECE = 20_000
BATCH_BYTES = 256 * 1024
"""The largest of the spoilt orders takes 82 KB."""
TICK_S = 0.01
WARM_S = 30.0
"""Of a trickle: in it workers start and code is compiled, and it does not count."""
LOOK_S = 5.0
MAX_BATCH = 1_000_000
Work = Callable[["SparkSession", str, Path], int]


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def write_topic(server: str, records: int) -> int:
    """Fill the topic; how many records it has then."""
    piece = min(PIECE, records // PARTITIONS)
    events = list(orders(piece, seed=1, until_ms=now_ms()))
    table = pa.table(
        {"key": [event.key for event in events], "value": [event.value for event in events]}
    )
    fields = BatchFields(codec=Codec.ZSTD)
    made = write_batches(table, size_max=BATCH_BYTES, fields=fields, now_ms=now_ms())
    times = records // PARTITIONS // piece
    pour(server, TOPIC, [bytes(batch) for batch in made], times)
    return times * piece * PARTITIONS


def stream(spark: SparkSession, server: str) -> DataFrame:
    named = spark.readStream.format("moldau").option("kafka.bootstrap.servers", server)
    told = named.option("subscribe", TOPIC).option("startingOffsets", "earliest")
    return told.option("maxOffsetsPerTrigger", str(MAX_BATCH)).load()


def copying(spark: SparkSession, server: str, folder: Path, **trigger: bool) -> StreamingQuery:
    writer = stream(spark, server).writeStream.format("moldau-delta").queryName("copy")
    writer = writer.option("path", str(folder / "copy"))
    writer = writer.option("checkpointLocation", str(folder / "checkpoint"))
    return (writer.trigger(**trigger) if trigger else writer).start()


def copy(spark: SparkSession, server: str, folder: Path) -> int:
    copying(spark, server, folder, availableNow=True).awaitTermination()
    return rows(folder / "copy")


def run_etl(spark: SparkSession, server: str, folder: Path) -> int:
    job = Job(
        spark=spark,
        files=SystemFiles(),
        clock=SystemClock(),
        tell=lambda line: None,
        route=Route(
            bootstrap=server,
            topic=TOPIC,
            lake=str(folder),
            checkpoint=str(folder / "checkpoint"),
        ),
        available_now=True,
    )
    settings = etl.EtlSettings(
        schema=ORDER_COLUMNS, event_time="ordered_at", group_by="country", measure="amount"
    )
    etl.run(job, settings)
    return rows(folder / "bronze")


WORKS: dict[str, Work] = {"copy": copy, "etl": run_etl}


def rows(table: Path) -> int:
    from deltalake import DeltaTable

    return sum(DeltaTable(str(table)).get_add_actions()["num_records"].to_pylist())


@dataclass(frozen=True, slots=True)
class Beside:
    """Spark is a child of this process, and so is the node; what is told is Spark's."""

    node_pid: int

    def spent_s(self) -> float:
        return cpu_s(os.getpid()) - cpu_s(self.node_pid)

    def memory_mb(self) -> float:
        return memory_mb(os.getpid()) - memory_mb(self.node_pid)


def measure(spark: SparkSession, server: str, beside: Beside, records: int, rounds: int) -> None:
    print(f"{records:,} records on {MASTER}, {rounds} warm rounds")
    print(f"{'':<8}{'records/s':>12}{'spread':>20}{'Spark, us each':>16}{'node, us each':>15}")
    for name, work in WORKS.items():
        one_round(work, spark, server, beside, records)
        figures = [one_round(work, spark, server, beside, records) for _ in range(rounds)]
        rates, own, nodes = zip(*figures, strict=True)
        spread = f"{min(rates):,.0f}..{max(rates):,.0f}"
        middle = statistics.median
        print(
            f"{name:<8}{middle(rates):>12,.0f}{spread:>20}{middle(own):>16.2f}{middle(nodes):>15.2f}",
            flush=True,
        )


def one_round(
    work: Work, spark: SparkSession, server: str, beside: Beside, records: int
) -> tuple[float, float, float]:
    """Records a second, microseconds of Spark and of the node for each."""
    folder = Path(tempfile.mkdtemp())
    started, own_s, node_s = time.perf_counter(), beside.spent_s(), cpu_s(beside.node_pid)
    landed = work(spark, server, folder)
    taken_s = time.perf_counter() - started
    own_s, node_s = beside.spent_s() - own_s, cpu_s(beside.node_pid) - node_s
    shutil.rmtree(folder)
    assert landed == records, f"{landed} of {records} records arrived"
    return records / taken_s, own_s / records * 1e6, node_s / records * 1e6


@dataclass(slots=True)
class Trickle:
    """Writes events at an even rate, from a thread, until told to stop."""

    server: str
    per_second: int
    written: int = 0
    _over: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        events = endless_orders()
        each = max(round(self.per_second * TICK_S), 1)
        started = time.perf_counter()
        with linked(self.server) as link:
            for tick in count():
                batch = BatchBuilder()
                for _ in range(each):
                    event = next(events)
                    batch.append(now_ms(), event.key, event.value)
                send(link, TOPIC, tick % PARTITIONS, bytes(batch.build()))
                self.written += each
                ahead_s = started + self.written / self.per_second - time.perf_counter()
                if self._over.wait(max(ahead_s, 0)):
                    return

    def stop(self) -> None:
        self._over.set()


def endless_orders() -> Iterator[Event]:
    for seed in count(1):
        yield from orders(PIECE, seed, until_ms=now_ms())


def trickle(spark: SparkSession, server: str, beside: Beside, minutes: float, rate: int) -> None:
    folder = Path(tempfile.mkdtemp())
    source = Trickle(server, rate)
    thread = threading.Thread(target=source.run)
    query = copying(spark, server, folder)
    thread.start()
    began_s, samples = time.time(), []
    try:
        while time.time() < began_s + minutes * 60:
            time.sleep(LOOK_S)
            samples.append((beside.memory_mb(), memory_mb(beside.node_pid)))
    finally:
        source.stop()
        thread.join()
    query.processAllAvailable()
    query.stop()
    waits = np.sort(waits_s(folder / "copy", since_s=began_s + WARM_S))
    tell(waits, samples, source.written, minutes)
    shutil.rmtree(folder)


def tell(
    waits: np.ndarray, samples: list[tuple[float, float]], written: int, minutes: float
) -> None:
    p50, p99, most = (float(np.quantile(waits, part)) for part in (0.5, 0.99, 1.0))
    print(f"trickle: {written:,} records in {minutes:g} minutes, batch after batch")
    print(f"  from timestamp to commit, s   p50 {p50:.2f}, p99 {p99:.2f}, slowest {most:.2f}")
    warm = samples[int(WARM_S / LOOK_S) :] or samples
    for name, index in (("Spark and its workers", 0), ("node", 1)):
        column = [sample[index] for sample in warm]
        first, last, largest = column[0], column[-1], max(column)
        print(f"  memory of {name}, MB: {first:,.0f} first, {last:,.0f} last, {largest:,.0f} most")


def waits_s(table: Path, since_s: float) -> np.ndarray:
    """For each record written after that: from its timestamp to the commit that has it."""
    found = []
    for log in sorted((table / "_delta_log").glob("*.json")):
        committed_s = log.stat().st_mtime_ns / 1e9
        for line in log.read_text().splitlines():
            path = json.loads(line).get("add", {}).get("path")
            if path is not None:
                column = parquet.read_table(table / path, columns=["timestamp"])["timestamp"]
                stamps = column.cast(pa.timestamp("us", "UTC")).cast(pa.int64()).to_numpy() / 1e6
                found.append(committed_s - stamps[stamps >= since_s])
    return np.concatenate(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--rate", type=int, default=1_000)
    options = parser.parse_args()
    try:
        with node() as (server, pid):
            records = write_topic(server, options.records)
            spark = moldau.spark.session(MASTER, spark_driver_memory=HEAP)
            measure(spark, server, Beside(pid), records, options.rounds)
            spark.stop()
        with node() as (server, pid):
            write_topic(server, PARTITIONS)
            spark = moldau.spark.session(MASTER, spark_driver_memory=HEAP)
            trickle(spark, server, Beside(pid), options.minutes, options.rate)
            spark.stop()
    except MoldauError as missing:
        sys.exit(f"bench: {missing}")


if __name__ == "__main__":
    main()
