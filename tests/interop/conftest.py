"""Real nodes, of Apache Kafka and of ours, for the tests of this folder.

- `new_kafka_node(settings)` makes a formatted node with a data directory of its own, not started.
- `new_moldau_node(settings)` makes one of ours, likewise. Both end with the tests of a file: even a
  node without clients takes some of a core.
- `kafka_node` is one that runs, the same for all tests of a process: use topics of your own.
- `tools` are Kafka's tools, asking a node of ours that runs for all tests of a process.
- `place` is where that node listens, and `topic` a name that no other test has.
- `kafkajs`, `registry_packages`, `flink_registry`, `streams_libs` and `connect_libs` are folders of
  foreign programs.
- `go_program` is a program that has the clients for Go in it.

Tests that take one of them are skipped, with the reason, where its tool is missing.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.interop.running_node import running_node
from tests.judges.go_programs import find_go_program
from tests.judges.kafka_jars import (
    MissingJudge,
    find_connect_libs,
    find_flink_registry,
    find_streams_libs,
)
from tests.judges.kafka_node import KafkaNode
from tests.judges.kafka_tools import KafkaTools
from tests.judges.moldau_node import MoldauNode
from tests.judges.node_packages import find_kafkajs, find_registry_client

NewNode = Callable[..., KafkaNode]
NewMoldauNode = Callable[..., MoldauNode]
SERVED = {
    "log_cleaner_backoff_ms": "500",
    "log_segment_bytes": "1048576",
    "share_coordinator_state_topic_num_partitions": "3",
}
"""Small topics of its own, and segments that are soon full."""


@pytest.fixture(scope="module")
def new_kafka_node(kafka_libs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[NewNode]:
    nodes: list[KafkaNode] = []

    def make(settings: Mapping[str, str] | None = None, data: Path | None = None) -> KafkaNode:
        folder = tmp_path_factory.mktemp("kafka")
        nodes.append(KafkaNode(kafka_libs, folder, settings=settings or {}, data=data))
        return nodes[-1]

    yield make
    for node in nodes:
        node.kill()


@pytest.fixture(scope="session")
def kafka_node(kafka_libs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[KafkaNode]:
    node = KafkaNode(kafka_libs, tmp_path_factory.mktemp("kafka"), settings={})
    node.start()
    yield node
    node.kill()


@pytest.fixture(scope="module")
def new_moldau_node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NewMoldauNode]:
    nodes: list[MoldauNode] = []

    def make(settings: Mapping[str, str] | None = None, data: Path | None = None) -> MoldauNode:
        nodes.append(MoldauNode(tmp_path_factory.mktemp("moldau"), settings=settings, data=data))
        return nodes[-1]

    yield make
    for node in nodes:
        node.kill()


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_node(tmp_path_factory.mktemp("served"), **SERVED) as bootstrap:
        yield bootstrap


@pytest.fixture(scope="session")
def tools(
    kafka_libs: Path, place: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[KafkaTools]:
    with KafkaTools(kafka_libs, tmp_path_factory.mktemp("tools"), place) as served:
        yield served


@pytest.fixture
def topic() -> str:
    return f"topic-{uuid.uuid4().hex[:12]}"


@pytest.fixture(scope="session")
def kafkajs() -> Path:
    return _or_skip(find_kafkajs)


@pytest.fixture(scope="session")
def registry_packages() -> Path:
    return _or_skip(find_registry_client)


@pytest.fixture(scope="session")
def flink_registry() -> Path:
    return _or_skip(find_flink_registry)


@pytest.fixture(scope="session")
def go_program() -> Path:
    return _or_skip(find_go_program)


@pytest.fixture(scope="session")
def streams_libs() -> Path:
    return _or_skip(find_streams_libs)


@pytest.fixture(scope="session")
def connect_libs() -> Path:
    return _or_skip(find_connect_libs)


def _or_skip(find: Callable[[], Path]) -> Path:
    try:
        return find()
    except MissingJudge as missing:
        pytest.skip(str(missing))
