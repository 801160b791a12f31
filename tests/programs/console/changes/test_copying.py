"""Copying a topic: settings, and records where they are wanted; the shown command does the same."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from pathlib import Path

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition

from tests.programs.console.running_console import RunningConsole

VALUES_BYTES = 1_000_000
TIMES = (1_700_000_000_000, 1_700_000_000_500)


@pytest.fixture
def orders(console):
    """Of two partitions; the records of a transaction that was aborted are in it, too."""
    name = f"orders-{uuid.uuid4().hex[:8]}"
    console.make(name, 2, **{"retention.ms": "-1"})
    sender = Producer({"bootstrap.servers": console.bootstrap, "transactional.id": name})
    sender.init_transactions(60)
    for value, ends in ((b"kept", sender.commit_transaction), (b"gone", sender.abort_transaction)):
        sender.begin_transaction()
        for partition, time in enumerate(TIMES):
            sender.produce(
                name,
                value,
                key=b"\x00k",
                partition=partition,
                timestamp=time,
                headers=[("source", b"\xff"), ("none", None)],
            )
        sender.flush(60)
        ends(60)
    return name


def records_of(console, topic):
    """By partition, as another client reads them."""
    settings = {"bootstrap.servers": console.bootstrap, "group.id": "checks"}
    reader = Consumer({**settings, "enable.partition.eof": True})
    reader.assign([TopicPartition(topic, number, 0) for number in range(2)])
    found, ended = [], 0
    while ended < 2:
        one = reader.poll(30)
        assert one is not None
        if one.error():
            ended += 1
        else:
            found.append(
                (one.partition(), one.timestamp()[1], one.key(), one.value(), one.headers())
            )
    reader.close()
    return sorted(found)


def test_the_copy_has_the_settings_and_what_was_committed(console, orders):
    console.run("copy-topic", topic=orders, to=f"{orders}.bare")
    assert records_of(console, f"{orders}.bare") == []
    done = console.run("copy-topic", topic=orders, to=f"{orders}.copy", records=True)
    assert done["result"] == {"records": 2}
    headers = [("source", b"\xff"), ("none", None)]
    assert records_of(console, f"{orders}.copy") == [
        (number, time, b"\x00k", b"kept", headers) for number, time in enumerate(TIMES)
    ]
    settings = {one["name"]: one for one in console.get(f"/topics/{orders}.copy/configs")}
    assert (settings["retention.ms"]["value"], settings["retention.ms"]["source"]) == (
        "-1",
        "topic",
    )


def test_it_is_shown_first_and_the_command_makes_the_same(console, orders):
    plan = console.plan("copy-topic", topic=orders, to=f"{orders}.copy", records=True)
    assert console.refusal("GET", f"/topics/{orders}.copy")[0] == 404
    assert "Records of 8 offsets are there now" in plan["warning"]
    assert plan["undo"] == ["delete-topic", {"topic": f"{orders}.copy"}]
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    subprocess.run(plan["command"], shell=True, check=True, env={**os.environ, "PATH": path})
    by_command = records_of(console, f"{orders}.copy")
    assert by_command == [one for one in records_of(console, orders) if one[3] == b"kept"]


def test_a_copy_needs_a_name_that_is_free(console, orders):
    for to in (orders, console.make(f"{orders}.taken")):
        body = {"topic": orders, "to": to}
        assert console.refusal("POST", "/changes/copy-topic/plan", body)[0] == 400
    body = {"topic": orders, "to": "other", "from_cluster": "moon"}
    assert console.refusal("POST", "/changes/copy-topic/plan", body)[0] == 404


def test_records_are_compressed_as_they_were(console, topic):
    squeezed = Producer({"bootstrap.servers": console.bootstrap, "compression.type": "zstd"})
    for _ in range(1000):
        squeezed.produce(topic, b"x" * (VALUES_BYTES // 1000))
    assert squeezed.flush(60) == 0
    console.run("copy-topic", topic=topic, to=f"{topic}.copy", records=True)
    sizes = [
        console.get(f"/topics/{name}")["partitions"][0]["bytes"]
        for name in (topic, f"{topic}.copy")
    ]
    assert sizes[1] < 10 * sizes[0] < VALUES_BYTES / 10


def test_values_that_are_masked_are_not_copied_to_another_name(console, topic, tmp_path):
    console.send(topic, '{"card": "4111"}')
    command = ["--bootstrap-server", console.bootstrap, "--mask", f"{topic}:card"]
    masked = RunningConsole(tmp_path, "console", *command, "--listen", "127.0.0.1:0")
    body = {"topic": topic, "to": f"{topic}.seen", "records": True}
    status, sentence = masked.refusal("POST", "/changes/copy-topic/plan", body)
    assert (status, "are masked here" in sentence) == (403, True)
    masked.run("copy-topic", topic=topic, to=f"{topic}.bare")
    masked.stop()
