"""Kafka's own share consumer and tools take a node of ours for Apache Kafka (KIP-932)."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.interop.running_node import running_node
from tests.judges.kafka_jars import class_path

confluent_kafka = pytest.importorskip("confluent_kafka", reason="confluent-kafka is not installed")

pytestmark = pytest.mark.judge

COUNT = 200
SECONDS_MAX = 90
CONSUMER = "org.apache.kafka.tools.VerifiableShareConsumer"
GROUPS = "org.apache.kafka.tools.consumer.group.ShareGroupCommand"
SMALL = {"share_coordinator_state_topic_num_partitions": "3"}


def produce(place: str, count: int) -> None:
    producer = confluent_kafka.Producer({"bootstrap.servers": place})
    for number in range(count):
        producer.produce("queue", b"value %d" % number, partition=number % 2)
    assert producer.flush(SECONDS_MAX) == 0


def java(libs: Path, name: str, place: str, *arguments: str) -> str:
    command = ["java", "-Xmx128m", "-cp", class_path(libs), name, "--bootstrap-server", place]
    run = subprocess.run(
        [*command, *arguments], capture_output=True, text=True, timeout=SECONDS_MAX, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def consume(libs: Path, place: str, mode: str) -> list[dict[str, object]]:
    """What Kafka's consumer says of itself."""
    output = java(
        libs, CONSUMER, place, "--topic", "queue", "--group-id", "sharers",
        "--max-messages", str(COUNT), "--acknowledgement-mode", mode,
        "--offset-reset-strategy", "earliest",
    )  # fmt: skip
    return [json.loads(line) for line in output.splitlines() if line.startswith("{")]


def places_in(events: list[dict[str, object]], name: str) -> list[tuple[int, int]]:
    """Partition and offset of each record in events of this name."""
    found = []
    for event in events:
        if event["name"] == name:
            assert event.get("success", True), event
            partitions = event["partitions"]
            assert isinstance(partitions, list)
            found += [(one["partition"], offset) for one in partitions for offset in one["offsets"]]
    return found


def lags(libs: Path, place: str) -> list[str]:
    output = java(libs, GROUPS, place, "--describe", "--group", "sharers")
    return [line.split()[-1] for line in output.splitlines() if line.startswith("sharers")]


@pytest.mark.parametrize("mode", [pytest.param("auto", marks=pytest.mark.long), "sync"])
def test_every_record_is_consumed_and_acknowledged_once_and_stays_so(kafka_libs, tmp_path, mode):
    with running_node(tmp_path, **SMALL) as place:
        produce(place, COUNT)
        events = consume(kafka_libs, place, mode)
    consumed = places_in(events, "records_consumed")
    assert len(consumed) == len(set(consumed)) == COUNT
    assert sorted(places_in(events, "offsets_acknowledged")) == sorted(consumed)
    with running_node(tmp_path, **SMALL) as place:
        assert lags(kafka_libs, place) == ["0", "0"]
