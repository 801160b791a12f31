"""The programs of Kafka's own system tests, unmodified, find nothing wrong with a node of ours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import pytest

from tests.judges.kafka_tools import KafkaTools, events

pytestmark = pytest.mark.judge

COUNT = 500
SECONDS_MAX = 60
PROTOCOLS = ("classic", "consumer")


def produce(tools: KafkaTools, topic, count=COUNT, more="") -> list[dict[str, Any]]:
    words = f"--topic {topic} --max-messages {count} --throughput -1 {more}"
    printed = tools.events("verifiable-producer", words)
    return [event for event in printed if event["name"] == "producer_send_success"]


def offsets_read(printed: list[dict[str, Any]]) -> list[tuple[int, int]]:
    """Partition and offset of each record that a consumer reports."""
    return [
        (one["partition"], offset)
        for event in printed
        if event["name"] == "records_consumed"
        for one in event["partitions"]
        for offset in range(one["minOffset"], one["maxOffset"] + 1)
    ]


@pytest.mark.parametrize(
    "acks", [pytest.param(0, marks=pytest.mark.long), pytest.param(1, marks=pytest.mark.long), -1]
)
def test_every_message_is_acknowledged_at_its_own_place(tools: KafkaTools, topic, acks):
    tools.run("topics", f"--create --topic {topic} --partitions 3")
    sent = produce(tools, topic, more=f"--acks {acks} --repeating-keys 7")
    assert sorted(int(one["value"]) for one in sent) == list(range(COUNT))
    if acks:
        places = {(one["partition"], one["offset"]) for one in sent}
        assert len(places) == COUNT


@pytest.mark.long
def test_the_newest_record_is_found_by_its_timestamp(tools: KafkaTools, topic):
    tools.run("topics", f"--create --topic {topic} --partitions 1")
    for created in (5000, 9000, 7000):
        produce(tools, topic, 1, more=f"--message-create-time {created}")
    newest = tools.run("get-offsets", f"--topic {topic} --time max-timestamp")
    assert newest.strip() == f"{topic}:0:1"
    later = tools.run("get-offsets", f"--topic {topic} --time 6000")
    assert later.strip() == f"{topic}:0:1"


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    "commits", ["", pytest.param("--enable-autocommit", marks=pytest.mark.long)]
)
def test_a_group_reads_every_record_once_and_commits(tools: KafkaTools, topic, protocol, commits):
    tools.run("topics", f"--create --topic {topic} --partitions 3")
    tools.run("console-producer", f"--topic {topic}", typed="\n".join(map(str, range(COUNT))))
    words = f"--topic {topic} --group-id {topic} --group-protocol {protocol} {commits}"
    printed = tools.events("verifiable-consumer", f"{words} --max-messages {COUNT} --verbose")
    read = [event["value"] for event in printed if event["name"] == "record_data"]
    assert sorted(map(int, read)) == list(range(COUNT))
    assert len(set(offsets_read(printed))) == COUNT
    described = tools.run("consumer-groups", f"--describe --group {topic}")
    lags = [line.split()[5] for line in described.splitlines() if line.startswith(topic)]
    assert set(lags) == {"0"}


@pytest.mark.parametrize("protocol", [pytest.param("classic", marks=pytest.mark.long), "consumer"])
def test_members_share_partitions_and_give_them_back(tools: KafkaTools, topic, protocol):
    tools.run("topics", f"--create --topic {topic} --partitions 4")
    words = f"--topic {topic} --group-id {topic} --group-protocol {protocol}"
    with tools.started("verifiable-consumer", words) as first:
        assert first.stdout is not None
        lines = [next(line for line in first.stdout if "partitions_assigned" in line)]
        with fed(tools.bootstrap, topic):
            second = tools.events("verifiable-consumer", f"{words} --max-messages 20")
            lines.append(next(line for line in first.stdout if "partitions_assigned" in line))
            first.terminate()
            lines += first.stdout
    shares = [len(one["partitions"]) for one in second if one["name"] == "partitions_assigned"]
    assert shares == [2] or (protocol == "consumer" and sum(shares) == 2)
    names = [event["name"] for event in events("".join(lines))]
    assert names[-1] == "shutdown_complete"


@contextmanager
def fed(place: str, topic: str) -> Iterator[None]:
    """All partitions of the topic get messages all the time."""
    confluent_kafka = pytest.importorskip("confluent_kafka")
    producer = confluent_kafka.Producer({"bootstrap.servers": place})
    enough = Event()

    def feed() -> None:
        while not enough.wait(0.2):
            for partition in range(4):
                producer.produce(topic, b"late", partition=partition)
            producer.flush(SECONDS_MAX)

    feeding = Thread(target=feed)
    feeding.start()
    yield
    enough.set()
    feeding.join(SECONDS_MAX)


def test_the_client_compatibility_test_finds_every_feature(tools: KafkaTools, topic):
    supported = "offsets-for-times cluster-id create-topics describe-acls describe-configs"
    words = [f"--{name}-supported true" for name in (*supported.split(), "idempotent-producer")]
    nodes = "--num-cluster-nodes 1 --expect-record-too-large-exception false"
    tools.run("topics", f"--create --topic {topic} --partitions 1")
    printed = tools.run("client-compatibility", f"--topic {topic} {nodes} {' '.join(words)}")
    assert "SUCCESS" in printed


@pytest.mark.long
def test_a_compacted_log_keeps_the_last_value_of_every_key(tools: KafkaTools):
    words = "--messages 200000 --duplicates 5 --percent-deletes 10 --topics 1 --sleep 5"
    printed = tools.run("log-compaction", words)
    assert "Data verification is completed" in printed
    assert ", 0 mismatches." in printed
    found = re.search(r"\((\d+\.\d)% reduction\)", printed)
    assert found is not None
    assert float(found[1]) > 20


@pytest.mark.parametrize(
    "more",
    [
        pytest.param("", marks=pytest.mark.long),
        "--use-group-metadata --group-mode --enable-random-aborts",
    ],
)
def test_copies_are_exact_in_transactions_that_are_aborted_and_tried_again(
    tools: KafkaTools, topic, more
):
    for name in ("in", "out"):
        tools.run("topics", f"--create --topic {topic}-{name} --partitions 1")
    values = [str(number) for number in range(COUNT)]
    tools.run("console-producer", f"--topic {topic}-in", typed="\n".join(values))
    copied = tools.events(
        "transactional-copier",
        f"--input-topic {topic}-in --input-partition 0 --output-topic {topic}-out --max-messages "
        f"{COUNT} --transactional-id {topic} --transaction-size 50 --consumer-group {topic} {more}",
    )
    assert copied[-1]["remaining"] == 0
    words = f"--topic {topic}-out --from-beginning --max-messages {COUNT}"
    read = tools.run("console-consumer", f"{words} --isolation-level read_committed")
    assert [line for line in read.split() if line.isdecimal()][:COUNT] == values
