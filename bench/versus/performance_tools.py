"""Reads what Kafka's performance tools print."""

from __future__ import annotations

import re
from typing import NamedTuple

PRODUCED = re.compile(
    r"^(?P<records>\d+) records sent, (?P<records_per_s>[\d.]+) records/sec "
    r"\((?P<mib_per_s>[\d.]+) MB/sec\), (?P<mean>[\d.]+) ms avg latency, "
    r"(?P<slowest>[\d.]+) ms max latency, (?P<p50>\d+) ms 50th, (?P<p95>\d+) ms 95th, "
    r"(?P<p99>\d+) ms 99th, (?P<p999>\d+) ms 99.9th",
    re.MULTILINE,
)
CONSUMED = re.compile(r"^\d{4}-\d\d-\d\d [\d:]+, \d{4}-.*$", re.MULTILINE)
MIB_IN_MB = 1.048576
"""The tools say MB and mean MiB."""


class Produced(NamedTuple):
    """The closing line of ProducerPerformance; times in whole milliseconds, as it gives them."""

    records: int
    records_per_s: float
    mb_per_s: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    p999_ms: float
    slowest_ms: float


class Consumed(NamedTuple):
    """The closing line of ConsumerPerformance; speeds without the time to find the group."""

    records: int
    mb_per_s: float
    records_per_s: float


def produced(printed: str) -> Produced:
    """From the last line that has percentiles: warm-up and windows come before it."""
    found = list(PRODUCED.finditer(printed))
    if not found:
        raise ValueError(f"ProducerPerformance printed no summary: {printed[-300:]}")
    at = {key: float(value) for key, value in found[-1].groupdict().items()}
    return Produced(
        int(at["records"]),
        at["records_per_s"],
        at["mib_per_s"] * MIB_IN_MB,
        at["p50"],
        at["p95"],
        at["p99"],
        at["p999"],
        at["slowest"],
    )


def consumed(printed: str) -> Consumed:
    """Columns: start, end, MB, MB/s, records, records/s, rebalance ms, fetch ms, then per fetch."""
    found = CONSUMED.findall(printed)
    if not found:
        raise ValueError(f"ConsumerPerformance printed no summary: {printed[-300:]}")
    columns = [one.strip() for one in found[-1].split(",")]
    return Consumed(int(columns[4]), float(columns[8]) * MIB_IN_MB, float(columns[9]))
