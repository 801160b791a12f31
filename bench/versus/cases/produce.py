"""Producing, by Kafka's own ProducerPerformance."""

from __future__ import annotations

from bench.versus.load import PRODUCER
from bench.versus.model import Case, Sample, Turn, at_least, at_most
from bench.versus.performance_tools import produced
from bench.versus.sides import Side

PARTITIONS = 6
GB = 1e9


def run(side: Side, turn: Turn) -> Sample:
    side.create_topic(turn.topic, PARTITIONS)
    count, size = turn.scaled(300_000), 1000
    words = f"--num-records {count} --record-size {size} --throughput -1".split()
    options = {"bootstrap.servers": side.bootstrap, "acks": "1", "batch.size": "65536"}
    told = [f"{key}={value}" for key, value in options.items()]
    with side.metered() as spent:
        printed = turn.java.run(PRODUCER, "--topic", turn.topic, *words, "--producer-props", *told)
    found = produced(printed)
    return {
        "cpu_s_per_gb": spent.cpu_s / (count * size / GB),
        "mb_per_s": found.mb_per_s,
        "p50_ms": found.p50_ms,
        "p99_ms": found.p99_ms,
        "memory_mb": side.memory_mb(),
    }


CASES = (
    Case(
        "produce-64k",
        "batches of 64 KiB, records of 1 KB, acks=1",
        run,
        goals=(at_most("cpu_s_per_gb", 0.4), at_least("mb_per_s", 1.3), at_most("p99_ms", 0.5)),
    ),
)
