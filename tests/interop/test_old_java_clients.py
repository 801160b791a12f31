"""Java's clients of seven years, unmodified, take a node of ours for Apache Kafka.

Each version speaks versions of the requests that the others do not. 2.1 is the oldest that
Apache Kafka 4 serves.
"""

from __future__ import annotations

import subprocess

import pytest

from tests.judges.java_programs import compiled
from tests.judges.kafka_jars import MissingJudge, find_client_libs

pytestmark = pytest.mark.judge

SECONDS_MAX = 120
SILENT = "-Dlog4j2.level=OFF"
CLASSIC = ("heartbeat.interval.ms=500", "session.timeout.ms=6000")
CODECS = dict.fromkeys(("none", "gzip", "snappy", "lz4", "zstd"), 100)
EXPECTED = {
    "create": None,
    "create again": "TopicExistsException",
    **CODECS,
    "transactions": "done",
    "committed": "{committed=10, gzip=100, lz4=100, none=100, snappy=100, zstd=100}",
    "uncommitted": "{aborted=10, committed=10, gzip=100, lz4=100, none=100, snappy=100, zstd=100}",
    "sent offset": 3,
    "group": "2+2, 4, 520",
    "lookups": "0 0 null",
    "out of range": "OffsetOutOfRangeException",
    "too large": "RecordTooLargeException",
    "cluster": 1,
    "config": 604800000,
    "delete records": 5,
    "delete too many": "OffsetOutOfRangeException",
    "fewer partitions": "InvalidPartitionsException",
    "more partitions": None,
    "group state": "Empty",
    "group lag": 528,
    "delete group": None,
    "delete no group": "GroupIdNotFoundException",
    "delete": None,
    "delete again": "UnknownTopicOrPartitionException",
}
"""All of these versions get the same from Apache Kafka 4.3.1. Eight markers count as offsets."""


def results_of(version: str, *arguments: str) -> dict[str, str]:
    try:
        libs = find_client_libs(version)
    except MissingJudge as missing:
        pytest.skip(str(missing))
    command = ["java", "-Xmx200m", SILENT, "-cp", f"{libs}/*"]
    run = subprocess.run(
        [*compiled(command, "ClientScenario"), *arguments],
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
    )
    assert run.returncode == 0, run.stderr
    return dict(line.split(": ", 1) for line in run.stdout.splitlines())


def expected() -> dict[str, str]:
    return {name: "null" if result is None else str(result) for name, result in EXPECTED.items()}


@pytest.mark.parametrize(
    "version",
    [
        "2.1.1",
        pytest.param("2.8.2", marks=pytest.mark.long),
        pytest.param("3.3.2", marks=pytest.mark.long),
        "3.9.1",
    ],
)
def test_an_old_client_lives_through_the_whole_scenario(place, topic, version):
    assert results_of(version, place, topic, *CLASSIC) == expected()


@pytest.mark.long  # its members learn of each other with their heartbeats, five seconds apart
def test_the_first_client_of_the_new_group_protocol_does_too(place, topic):
    assert results_of("4.0.0", place, topic, "group.protocol=consumer") == expected()
