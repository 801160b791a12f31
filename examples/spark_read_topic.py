"""A topic in PySpark, as a table and as a stream, without a jar.

    pip install '.[spark]' confluent-kafka  # in a checkout of Moldau
    moldau start
    python examples/spark_read_topic.py localhost:9092

needs Java 17 or later, and prints

    +--------+------+------+
    |customer|orders|amount|
    +--------+------+------+
    |alice   |50    |2450  |
    |bob     |50    |2500  |
    +--------+------+------+

    the stream wrote 100 rows of Parquet
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from confluent_kafka import Producer
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sql

import moldau.spark

BOOTSTRAP = sys.argv[1] if len(sys.argv) > 1 else "localhost:9092"
TOPIC = "orders-spark"
SCHEMA = "customer string, amount bigint"


def write_orders(count: int) -> None:
    producer = Producer({"bootstrap.servers": BOOTSTRAP})
    for number in range(count):
        order = {"customer": ("alice", "bob")[number % 2], "amount": number}
        producer.produce(TOPIC, json.dumps(order))
    producer.flush(30)


def orders_of(records: DataFrame) -> DataFrame:
    """Records of the topic as columns."""
    order = sql.from_json(sql.col("value").cast("string"), SCHEMA)
    return records.select(order.alias("order"), "timestamp").select("order.*", "timestamp")


def read_as_table(spark: SparkSession) -> None:
    topic = spark.read.format("moldau").option("kafka.bootstrap.servers", BOOTSTRAP)
    orders = orders_of(topic.option("subscribe", TOPIC).load())
    sums = orders.groupBy("customer").agg(
        sql.count("*").alias("orders"), sql.sum("amount").alias("amount")
    )
    sums.orderBy("customer").show(truncate=False)


def read_as_stream(spark: SparkSession, lake: Path) -> None:
    topic = spark.readStream.format("moldau").option("kafka.bootstrap.servers", BOOTSTRAP)
    topic = topic.option("subscribe", TOPIC).option("startingOffsets", "earliest")
    files = orders_of(topic.load()).writeStream.format("parquet").queryName("orders-to-files")
    files = files.option("checkpointLocation", f"{lake}/checkpoint").trigger(availableNow=True)
    files.start(f"{lake}/orders").awaitTermination()
    print("the stream wrote", spark.read.parquet(f"{lake}/orders").count(), "rows of Parquet")


def main() -> None:
    write_orders(100)
    spark = moldau.spark.session()
    with tempfile.TemporaryDirectory() as lake:
        read_as_table(spark)
        read_as_stream(spark, Path(lake))
    spark.stop()


if __name__ == "__main__":
    main()
