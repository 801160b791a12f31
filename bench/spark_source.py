"""How many records a second Spark takes from a topic through the format `moldau`.

Three million records of about 75 bytes in six partitions of a node in a process of its own, or of
any broker with `--server`; Spark on `local[2]` counts them and sums the lengths of their values.
Shown are records a second by the clock on the wall, as the median of the warm rounds, and of the
first round, in which Spark's workers start:

    all columns     as a query of Spark's own connector would be written
    value alone     `.schema("value binary")`
    to parquet      key, value, offset and partition, written to files

    python -m bench.spark_source [--records 3000000] [--rounds 5] [--server HOST:PORT]
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import moldau.spark
from bench.client_read import TOPIC, fill, node
from moldau.errors import MoldauError
from moldau.protocol.records.compression import Codec

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

MASTER = "local[2]"
HEAP = "1g"
Work = Callable[["SparkSession", str], None]


def reading(spark: SparkSession, server: str, schema: str = "") -> DataFrame:
    reader = spark.read.format("moldau")
    if schema:
        reader = reader.schema(schema)
    named = reader.option("kafka.bootstrap.servers", server).option("subscribe", TOPIC)
    return named.load()


def summed(frame: DataFrame) -> None:
    count, length = frame.selectExpr("count(*)", "sum(length(value))").first() or (0, 0)
    assert count
    assert length


def all_columns(spark: SparkSession, server: str) -> None:
    summed(reading(spark, server))


def value_alone(spark: SparkSession, server: str) -> None:
    summed(reading(spark, server, "value binary"))


def to_parquet(spark: SparkSession, server: str) -> None:
    columns = "key binary, value binary, partition int, offset bigint"
    with tempfile.TemporaryDirectory() as folder:
        reading(spark, server, columns).write.mode("overwrite").parquet(folder)


WORKS: dict[str, Work] = {
    "all columns": all_columns,
    "value alone": value_alone,
    "to parquet": to_parquet,
}


def seconds(work: Work, spark: SparkSession, server: str) -> float:
    started = time.perf_counter()
    work(spark, server)
    return time.perf_counter() - started


def measure(server: str, records: int, rounds: int) -> None:
    spark = moldau.spark.session(MASTER, spark_driver_memory=HEAP)
    print(f"{records:,} records on {MASTER}; {rounds} warm rounds")
    print(f"{'':<14}{'first, k/s':>12}{'warm, k/s':>12}{'spread':>16}")
    for name, work in WORKS.items():
        first = records / seconds(work, spark, server) / 1000
        warm = [records / seconds(work, spark, server) / 1000 for _ in range(rounds)]
        spread = f"{min(warm):,.0f}..{max(warm):,.0f}"
        print(f"{name:<14}{first:>12,.0f}{statistics.median(warm):>12,.0f}{spread:>16}", flush=True)
    spark.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--records", type=int, default=3_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--server", help="a broker that is there, whose topic `read` is filled")
    options = parser.parse_args()
    try:
        if options.server:
            measure(options.server, options.records, options.rounds)
            return
        with node() as (server, _):
            fill(server, TOPIC, options.records, Codec.ZSTD)
            measure(server, options.records, options.rounds)
    except MoldauError as missing:
        sys.exit(f"bench: {missing}")


if __name__ == "__main__":
    main()
