"""Share groups in which our consumer and Java's process records together."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from moldau import Producer, ShareConsumer
from moldau.client.admin import Admin, NewTopic
from tests.judges.kafka_jars import class_path

pytestmark = pytest.mark.judge

COUNT = 400
JAVAS = 40
POLLS_MAX = 400
SECONDS_MAX = 90
CONSUMER = "org.apache.kafka.tools.VerifiableShareConsumer"


@pytest.fixture(params=["kafka", "moldau"])
def broker(request):
    """Where Apache Kafka listens, and then where a node of ours does."""
    if request.param == "moldau":
        return request.getfixturevalue("place")
    return request.getfixturevalue("kafka_node").bootstrap


def fill(broker: str, topic: str) -> None:
    with Admin(broker) as admin:
        admin.create_topics(NewTopic(topic, 2)).all()
        earliest = {"share.auto.offset.reset": "earliest"}
        admin.incremental_alter_configs({("group", topic): earliest}).all()
    with Producer(broker) as producer:
        for number in range(COUNT):
            producer.send(topic, b"%d" % number, partition=number % 2)
            if number % 10 == 9:
                producer.flush()


def begin_java(libs: Path, broker: str, topic: str) -> subprocess.Popen[str]:
    command = ["java", "-Xmx128m", "-cp", class_path(libs), CONSUMER]
    command += ["--bootstrap-server", broker, "--topic", topic, "--group-id", topic]
    command += ["--max-messages", str(JAVAS), "--acknowledgement-mode", "sync"]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, encoding="utf-8"
    )


def javas_places(output: str) -> list[tuple[int, int]]:
    """Partition and offset of what Java's consumer has acknowledged."""
    events = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return [
        (one["partition"], offset)
        for event in events
        if event["name"] == "offsets_acknowledged"
        for one in event["partitions"]
        for offset in one["offsets"]
    ]


def test_every_record_goes_to_one_member_of_either_kind(kafka_libs, broker, topic):
    fill(broker, topic)
    strict = {"share_acquire_mode": "record_limit", "max_poll_records": 5}
    java = begin_java(kafka_libs, broker, topic)
    ours: list[tuple[int, int]] = []
    with ShareConsumer(broker, group_id=topic, **strict) as consumer:
        while java.poll() is None and len(ours) < COUNT - 3 * JAVAS:
            consumer.subscribe(topic)
            ours += [(record.partition, record.offset) for record in consumer.poll(0.3)]
        output, _ = java.communicate(timeout=SECONDS_MAX)
        theirs = javas_places(output)
        for _ in range(POLLS_MAX):
            if len(ours) + len(theirs) >= COUNT:
                break
            ours += [(record.partition, record.offset) for record in consumer.poll(0.3)]
        assert consumer.commit().errors == {}
    assert len(theirs) >= JAVAS
    wanted = [(partition, offset) for partition in (0, 1) for offset in range(COUNT // 2)]
    assert sorted([*ours, *theirs]) == wanted
