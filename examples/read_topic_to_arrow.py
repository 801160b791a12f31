"""A topic as an Arrow table, without Spark: for pandas, polars, DuckDB or plain pyarrow.

    pip install '.[arrow]' confluent-kafka  # in a checkout of Moldau
    moldau start
    python examples/read_topic_to_arrow.py localhost:9092

prints

    1000 records in 1 partition
    key: binary, value: binary, topic: string, partition: int32, offset: int64, timestamp: …
    the longest value has 8 bytes
"""

from __future__ import annotations

import sys

import pyarrow.compute as pc
from confluent_kafka import Producer

from moldau.client import connect

BOOTSTRAP = sys.argv[1] if len(sys.argv) > 1 else "localhost:9092"
TOPIC = "numbers-arrow"
TIMEOUT_S = 30


def write_numbers(count: int) -> None:
    producer = Producer({"bootstrap.servers": BOOTSTRAP})
    for number in range(count):
        producer.produce(TOPIC, key=str(number), value=f"value {number % 100}")
    assert producer.flush(TIMEOUT_S) == 0


def main() -> None:
    write_numbers(1000)
    with connect(BOOTSTRAP) as connection:
        table = connection.read_table(TOPIC)
    partitions = len(table["partition"].unique())
    print(f"{table.num_rows} records in {partitions} partition")
    print(", ".join(f"{field.name}: {field.type}" for field in table.schema))
    print("the longest value has", pc.max(pc.binary_length(table["value"])), "bytes")


if __name__ == "__main__":
    main()
