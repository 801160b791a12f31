"""What a client holds is bounded by its settings, however much it is given: measured from outside.

A producer is offered twelve times `buffer.memory` while its broker stands still, and a consumer
reads a backlog more slowly than it comes. Growth is that of the whole process.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

from moldau import Admin, Producer
from moldau.client.admin import NewTopic

pytestmark = pytest.mark.long

PARTITIONS = 4
BUFFER_MIB = 16
FETCH_MIB = 8
BACKLOG_PIECES = 10
PIECE_RECORDS = 20_000
VALUE_BYTES = 1000
READY = "moldau: ready on "


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    """Where it listens, and its process."""
    data = tmp_path_factory.mktemp("node")
    command = [sys.executable, "-m", "moldau", "start", "--port", "0", "--data", str(data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        ready = process.stdout.readline()
        assert ready.startswith(READY), ready
        yield ready.removeprefix(READY).strip(), process.pid
        process.terminate()


def grown(role: str, node: tuple[str, int], topic: str, mib: float) -> dict[str, Any]:
    server, pid = node
    words = ["-m", "tests.client.memory_growth", role, server, topic, str(mib), str(pid)]
    done = subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, check=False, timeout=300
    )
    assert not done.returncode, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    print(role, found)
    return found


def make(server: str, topic: str) -> None:
    with Admin(server) as admin:
        admin.create_topics(NewTopic(topic, PARTITIONS)).all()


@pytest.mark.parametrize("role", ["produce", "produce_on_a_loop"])
def test_a_producer_whose_broker_stands_still_holds_no_more_than_its_buffer(node, role):
    make(node[0], role)
    found = grown(role, node, role, BUFFER_MIB)
    held_mib = found["taken"] * VALUE_BYTES / 1024 / 1024
    assert found["refused"], "it was never full"
    assert 0.8 * BUFFER_MIB <= held_mib <= 1.3 * BUFFER_MIB
    assert found["grown_mib"] <= 2.5 * BUFFER_MIB


def test_a_slow_consumer_holds_no_more_than_it_may_fetch(node):
    make(node[0], "backlog")
    table = pa.table({"value": [b"v" * VALUE_BYTES] * PIECE_RECORDS})
    with Producer(node[0], batch_size=65536) as producer:
        for _ in range(BACKLOG_PIECES):
            producer.send_arrow("backlog", table).result(60)
    found = grown("consume", node, "backlog", FETCH_MIB)
    assert found["taken"] >= 20_000
    assert found["grown_mib"] <= 3 * FETCH_MIB
