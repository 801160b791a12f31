"""Runs pipelines over records that lie in files, in the columns of a topic."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
from confluent_kafka import Producer
from pyarrow import parquet

from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.programs.pipelines.events import Event
from moldau.programs.pipelines.job import Job
from moldau.programs.pipelines.route import Route

FIRST_S = 1_795_000_000
NOON = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)
SCHEMA = (
    "key binary, value binary, topic string, partition int, offset long, timestamp timestamp,"
    " timestampType int, headers array<struct<key: string, value: binary>>"
)


class FileTopic:
    """A topic of one partition; each call of `write` is a file, and so a batch."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._end = 0

    def write(self, values: Sequence[bytes | None]) -> None:
        count = len(values)
        headers = pa.list_(pa.struct([("key", pa.string()), ("value", pa.binary())]))
        table = pa.table(
            {
                "key": pa.array([f"k{index}".encode() for index in range(count)]),
                "value": pa.array(values, pa.binary()),
                "topic": ["events"] * count,
                "partition": pa.array([0] * count, pa.int32()),
                "offset": pa.array(range(self._end, self._end + count), pa.int64()),
                "timestamp": pa.array([NOON] * count, pa.timestamp("us", "UTC")),
                "timestampType": pa.array([0] * count, pa.int32()),
                "headers": pa.array([[]] * count, headers),
            }
        )
        self.path.mkdir(exist_ok=True)
        file = self.path / f"{self._end:08d}.parquet"
        parquet.write_table(table, file)
        self._end += count
        os.utime(file, (FIRST_S + self._end, FIRST_S + self._end))  # Spark reads them by their age

    def stream(self, spark):
        rows = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1)
        return rows.parquet(str(self.path))


def write_events(bootstrap: str, topic: str, events: Iterable[Event]) -> None:
    """Events into a topic; those of one key go to one partition."""
    producer = Producer({"bootstrap.servers": bootstrap})
    for event in events:
        producer.produce(topic, event.value, event.key, timestamp=event.timestamp_ms)
    assert producer.flush(30) == 0


def job_on(bootstrap: str, topic: str, path: Path, spark) -> Job:
    """From a topic to the folder; ends when all is read that is there."""
    job = job_in(path, spark, [])
    return replace(job, route=replace(job.route, bootstrap=bootstrap, topic=topic))


def job_in(path: Path, spark, shown: list[str], checkpoint: str = "checkpoint") -> Job:
    return Job(
        name="etl",
        spark=spark,
        files=SystemFiles(),
        clock=SystemClock(),
        show=shown.append,
        route=Route(
            bootstrap="nowhere:9092",
            topic="events",
            lake=str(path / "lake"),
            checkpoint=str(path / checkpoint),
        ),
        available_now=True,
    )


def forget_last_commit(path: Path, query: str = "query") -> None:
    """As if the process had died when the tables were written and the checkpoint was not."""
    commits = path / "checkpoint" / query / "commits"
    last = max(int(found.name) for found in commits.iterdir() if found.name.isdigit())
    (commits / str(last)).unlink()
    (commits / f".{last}.crc").unlink()
