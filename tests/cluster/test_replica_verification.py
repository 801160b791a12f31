"""`moldau replica-verification` and Kafka's own, asking three nodes of ours, reach one verdict."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.cluster.asking import make_topic
from tests.cluster.nodes import Nodes
from tests.judges.kafka_tools import KafkaTools, placed

pytestmark = pytest.mark.long
TOPIC = "copied"
WORDS = f"--topics-include {TOPIC} --time -2 --report-interval-ms 10"
RECORDS = "".join(f"line {number}\n" for number in range(500))
STARTED = "verification process is started"
REPORT = f"max lag is 0 for partition {TOPIC}-0 at offset 500 among 1 partitions"


@pytest.fixture(scope="module")
def nodes(tmp_path_factory):
    with Nodes(tmp_path_factory.mktemp("nodes")) as started:
        make_topic(started.bootstrap, TOPIC, 1, 3)
        yield started


@pytest.fixture(scope="module")
def tools(kafka_libs, nodes, tmp_path_factory):
    with KafkaTools(kafka_libs, tmp_path_factory.mktemp("tools"), nodes.bootstrap) as running:
        running.run("console-producer", f"--topic {TOPIC}", RECORDS)
        yield running


def ours(bootstrap: str) -> subprocess.Popen[str]:
    words = placed("replica-verification", WORDS, bootstrap)
    command = [sys.executable, "-m", "moldau", "replica-verification", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize("whose", ["java", "ours"])
def test_all_replicas_hold_the_same_batches(nodes, tools, whose):
    begun = (
        ours(nodes.bootstrap) if whose == "ours" else tools.started("replica-verification", WORDS)
    )
    with begun as process:
        assert process.stdout is not None
        lines = (line.split(": ", 1)[1].strip() for line in process.stdout)
        assert next(lines) == STARTED
        assert any(line == REPORT for line in lines)
        process.terminate()
