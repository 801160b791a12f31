"""From a topic into Delta tables: how fast, at what price, how soon, and in how much memory.

Spark on `local[2]` beside a node of ours in a process of its own:

    source    records of 75 bytes counted with all their columns, as in bench.spark_source: in the
              first query of a session, and in warm ones
    copy      a stream from the format `moldau` into `moldau-delta`, until all that is there is read
    etl       the pipeline `etl` on the same topic, with all of its tables
    once      the topic into another one by the format `moldau`, in prepared transactions
    often     the same with `delivery=at-least-once`
    trickle   the copy, batch after batch, while 1,000 records a second are written: how long each
              takes from its timestamp to the commit of the version that has it, and in how much
              memory Spark with its workers and the node do it
    alerts    the pipeline `fraud`, with its model, while payments are written: how long each alert
              takes from its payment to a reader of committed records, in how much memory and state

The events are the orders of the demonstration, about 170 bytes of JSON, some of them spoilt. Shown
are medians of the rounds; the processor's time is that of Spark's driver, its virtual machine and
its workers together. The first round, in which workers start, does not count. Behind what has an
aim it stands, and whether it was met. What goes on is written to standard error.

    python -m bench.lake [--records 1000000] [--rounds 3] [--minutes 10] [--rate 1000]
                         [--only source,copy,etl,once,often,trickle,alerts]
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

import moldau.spark
from bench._lake_delays import (
    Beside,
    Trickle,
    against,
    alerts,
    endless_orders,
    make_topic,
    now_ms,
    route_to,
    say,
    trickle,
)
from bench.client_read import PARTITIONS, fill, node, pour
from bench.client_read import TOPIC as SMALL_RECORDS
from bench.spark_source import all_columns, seconds
from bench.versus.meter import cpu_s
from moldau.errors import MoldauError
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.programs.pipelines import etl
from moldau.programs.pipelines.events import ORDER_COLUMNS, orders
from moldau.programs.pipelines.job import Job
from moldau.protocol.records.arrow import write_batches
from moldau.protocol.records.builder import BatchFields
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
MAX_BATCH = 1_000_000
SOURCE_FACTOR = 3
"""Records of the source are small, so there are more of them."""
FIRST_GOAL, WARM_GOAL, ETL_GOAL = 800_000, 2_200_000, 150_000
"""Records a second."""
ONCE_GOAL = 1.25
"""The time of exactly once, by that of at least once."""
Work = Callable[["SparkSession", str, Path], Callable[[], int]]
"""Returns a function that counts what has arrived, outside of the time that is measured."""


def write_topic(server: str, records: int) -> int:
    """Fill the topic; how many records it has then."""
    say(f"writing {records:,} orders")
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
    started = named.option("subscribe", TOPIC).option("startingOffsets", "earliest")
    return started.option("maxOffsetsPerTrigger", str(MAX_BATCH)).load()


def copying(spark: SparkSession, server: str, folder: Path, **trigger: bool) -> StreamingQuery:
    """Into a table."""
    writer = stream(spark, server).writeStream.format("moldau-delta").queryName("copy")
    writer = writer.option("path", str(folder / "copy"))
    writer = writer.option("checkpointLocation", str(folder / "checkpoint"))
    return (writer.trigger(**trigger) if trigger else writer).start()


def copy(spark: SparkSession, server: str, folder: Path) -> Callable[[], int]:
    copying(spark, server, folder, availableNow=True).awaitTermination()
    return lambda: rows(folder / "copy")


def to_topic(delivery: str) -> Work:
    def work(spark: SparkSession, server: str, folder: Path) -> Callable[[], int]:
        target = folder.name
        rows = stream(spark, server).select("key", "value")
        writer = rows.writeStream.format("moldau").option("kafka.bootstrap.servers", server)
        writer = writer.option("topic", target).option("delivery", delivery)
        writer = writer.option("checkpointLocation", str(folder / "checkpoint"))
        writer.trigger(availableNow=True).start().awaitTermination()
        return lambda: committed(spark, server, target)

    return work


def committed(spark: SparkSession, server: str, topic: str) -> int:
    reader = spark.read.format("moldau").schema("offset bigint").option("subscribe", topic)
    reader = reader.option("kafka.bootstrap.servers", server)
    return reader.option("kafka.isolation.level", "read_committed").load().count()


def run_etl(spark: SparkSession, server: str, folder: Path) -> Callable[[], int]:
    job = Job(
        name="etl",
        spark=spark,
        files=SystemFiles(),
        clock=SystemClock(),
        show=lambda line: None,
        route=route_to(server, TOPIC, folder),
        available_now=True,
    )
    settings = etl.EtlSettings(
        schema=ORDER_COLUMNS, event_time="ordered_at", group_by="country", measure="amount"
    )
    etl.run(job, settings)
    return lambda: rows(folder / "bronze")


WORKS: dict[str, Work] = {
    "copy": copy,
    "etl": run_etl,
    "once": to_topic("exactly-once"),
    "often": to_topic("at-least-once"),
}


def rows(table: Path) -> int:
    from deltalake import DeltaTable

    return sum(DeltaTable(str(table)).get_add_actions()["num_records"].to_pylist())


def measure_source(records: int, rounds: int) -> None:
    with beginning() as (spark, server, _):
        say(f"source: writing {records:,} records")
        fill(server, SMALL_RECORDS, records, Codec.ZSTD)
        say("source: the first query")
        first = records / seconds(all_columns, spark, server)
        warm = []
        for number in range(rounds):
            say(f"source: warm query {number + 1} of {rounds}")
            warm.append(records / seconds(all_columns, spark, server))
    middle = statistics.median(warm)
    print(f"source, {records:,} records on {MASTER}, records/s")
    print(f"  first query of a session {first:>12,.0f}{against(first, least=FIRST_GOAL)}")
    spread = f"({min(warm):,.0f}..{max(warm):,.0f})"
    print(f"  warm {middle:>32,.0f}{against(middle, least=WARM_GOAL)} {spread}", flush=True)


def measure(
    names: Sequence[str],
    spark: SparkSession,
    server: str,
    beside: Beside,
    records: int,
    rounds: int,
) -> None:
    print(f"{records:,} records on {MASTER}, {rounds} warm rounds")
    print(f"{'':<8}{'records/s':>12}{'spread':>20}{'Spark, us each':>16}{'node, us each':>15}")
    middles: dict[str, float] = {}
    for name in names:
        figures = []
        for number in range(rounds + 1):
            say(f"{name}: round {number} of {rounds}{'' if number else ', which does not count'}")
            figures.append(one_round(WORKS[name], spark, server, beside, records))
        rates, own, nodes = zip(*figures[1:], strict=True)
        spread = f"{min(rates):,.0f}..{max(rates):,.0f}"
        middles[name] = middle = statistics.median(rates)
        costs = f"{statistics.median(own):>16.2f}{statistics.median(nodes):>15.2f}"
        goal = against(middle, least=ETL_GOAL) if name == "etl" else ""
        print(f"{name:<8}{middle:>12,.0f}{spread:>20}{costs}{goal}", flush=True)
    if {"once", "often"} <= set(middles):
        ratio = middles["often"] / middles["once"]
        print(f"  exactly once by at least once: {ratio:.2f}{against(ratio, most=ONCE_GOAL)}")


def one_round(
    work: Work, spark: SparkSession, server: str, beside: Beside, records: int
) -> tuple[float, float, float]:
    """Records a second, microseconds of Spark and of the node for each."""
    folder = Path(tempfile.mkdtemp())
    make_topic(server, folder.name)
    started, own_s, node_s = time.perf_counter(), beside.spent_s(), cpu_s(beside.node_pid)
    arrived = work(spark, server, folder)
    taken_s = time.perf_counter() - started
    own_s, node_s = beside.spent_s() - own_s, cpu_s(beside.node_pid) - node_s
    landed = arrived()
    shutil.rmtree(folder)
    assert landed == records, f"{landed} of {records} records arrived"
    return records / taken_s, own_s / records * 1e6, node_s / records * 1e6


NAMES = ("source", *WORKS, "trickle", "alerts")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--rate", type=int, default=1_000)
    parser.add_argument("--only", default=",".join(NAMES), help="some of these, with commas")
    options = parser.parse_args()
    names = options.only.split(",")
    if unknown := set(names) - set(NAMES):
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    began_s = time.monotonic()
    try:
        run(names, options)
        print(f"in {(time.monotonic() - began_s) / 60:.1f} minutes")
    except MoldauError as missing:
        sys.exit(f"bench: {missing}")


def run(names: Sequence[str], options: argparse.Namespace) -> None:
    """Each part with a node and a session of its own."""
    if "source" in names:
        measure_source(options.records * SOURCE_FACTOR, options.rounds)
    rates = [name for name in names if name in WORKS]
    if rates:
        with beginning() as (spark, server, beside):
            records = write_topic(server, options.records)
            measure(rates, spark, server, beside, records, options.rounds)
    if "trickle" in names:
        with beginning() as (spark, server, beside):
            write_topic(server, PARTITIONS)
            source = Trickle(server, TOPIC, endless_orders(), options.rate)
            copy_to = partial(copying, spark, server)
            trickle(spark, copy_to, source, beside, options.minutes)
    if "alerts" in names:
        with beginning() as (spark, server, beside):
            alerts(spark, server, beside, options.minutes, options.rate)


@contextmanager
def beginning() -> Iterator[tuple[SparkSession, str, Beside]]:
    with node() as (server, pid):
        spark = moldau.spark.session(MASTER, spark_driver_memory=HEAP)
        try:
            yield spark, server, Beside(pid)
        finally:
            spark.stop()


if __name__ == "__main__":
    main()
