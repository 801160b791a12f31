"""Our verifiable clients beside Kafka's: the same events, with the same fields in their order."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
from typing import Any

import pytest

from tests.judges.kafka_tools import KafkaTools

pytestmark = pytest.mark.judge

TIMEOUT_S = 60


def started(tool: str, words: str, bootstrap: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "moldau", tool, "--bootstrap-server", bootstrap]
    return subprocess.Popen([*command, *shlex.split(words)], stdout=subprocess.PIPE, text=True)


def ours(tool: str, words: str, bootstrap: str) -> list[dict[str, Any]]:
    with started(tool, words, bootstrap) as process:
        printed, _ = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 0
    return [json.loads(line) for line in printed.splitlines()]


def shape(value: object) -> object:
    """What kinds of values stand under which names, in their order."""
    if isinstance(value, dict):
        return [(name, shape(one)) for name, one in value.items()]
    if isinstance(value, list):
        return [shape(one) for one in value[:1]]
    return type(value).__name__


def shapes(events: list[dict[str, Any]]) -> list[object]:
    """Of each event once, in the order in which they first came."""
    found: list[object] = []
    for event in events:
        one = (event["name"], shape(event))
        if one not in found:
            found.append(one)
    return found


def test_a_producers_events_are_kafkas(tools: KafkaTools, topic):
    tools.run("topics", f"--create --topic {topic} --partitions 1")
    words = f"--topic {topic} --max-messages 3 --repeating-keys 2 --value-prefix 7"
    found = ours("verifiable-producer", words, tools.bootstrap)
    assert shapes(found) == shapes(tools.events("verifiable-producer", words))
    sent = [event for event in found if event["name"] == "producer_send_success"]
    assert [event["value"] for event in sent] == ["7.0", "7.1", "7.2"]
    assert [event["offset"] for event in sent] == [0, 1, 2]


def test_a_consumers_events_are_kafkas(tools: KafkaTools, topic):
    tools.run("topics", f"--create --topic {topic} --partitions 1")
    tools.run("console-producer", f"--topic {topic}", typed="one\ntwo\n")
    words = f"--topic {topic} --max-messages 2 --verbose --group-id {topic}"
    found = ours("verifiable-consumer", words, tools.bootstrap)
    assert shapes(found) == shapes(tools.events("verifiable-consumer", f"{words}-2"))


def test_a_consumer_that_is_terminated_ends_in_order(tools: KafkaTools, topic):
    tools.run("topics", f"--create --topic {topic} --partitions 1")
    words = f"--topic {topic} --group-id {topic}"
    with started("verifiable-consumer", words, tools.bootstrap) as process:
        assert process.stdout is not None
        names = []
        while "partitions_assigned" not in names:
            names.append(json.loads(process.stdout.readline())["name"])
        process.send_signal(signal.SIGTERM)
        printed, _ = process.communicate(timeout=TIMEOUT_S)
    names += [json.loads(line)["name"] for line in printed.splitlines()]
    assert process.returncode == 0
    assert names == [
        "startup_complete",
        "partitions_assigned",
        "shutdown_requested",
        "partitions_revoked",
        "shutdown_complete",
    ]


@pytest.mark.long
def test_a_share_consumers_events_are_kafkas(tools: KafkaTools, topic):
    tools.run("topics", f"--create --topic {topic} --partitions 1")
    tools.run("console-producer", f"--topic {topic}", typed="one\ntwo\n")
    words = f"--topic {topic} --max-messages 2 --verbose --offset-reset-strategy earliest"
    found = ours("verifiable-share-consumer", f"{words} --group-id {topic}", tools.bootstrap)
    again = tools.events("verifiable-share-consumer", f"{words} --group-id {topic}-2")
    assert shapes(found) == shapes(again)
