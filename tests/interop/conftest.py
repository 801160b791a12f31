"""Real nodes, of Apache Kafka and of ours, for the tests of this folder.

- `new_kafka_node(settings)` makes a formatted node with a data directory of its own, not started.
- `new_moldau_node(settings)` makes one of ours, likewise.
- `kafka_node` is one that runs, the same for all tests of a process: use topics of your own.

Tests that take one of them are skipped, with the reason, where Java or Maven is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.judges.kafka_node import KafkaNode
from tests.judges.moldau_node import MoldauNode

NewNode = Callable[..., KafkaNode]
NewMoldauNode = Callable[..., MoldauNode]


@pytest.fixture(scope="session")
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
def kafka_node(new_kafka_node: NewNode) -> KafkaNode:
    node = new_kafka_node()
    node.start()
    return node


@pytest.fixture(scope="session")
def new_moldau_node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NewMoldauNode]:
    nodes: list[MoldauNode] = []

    def make(settings: Mapping[str, str] | None = None, data: Path | None = None) -> MoldauNode:
        nodes.append(MoldauNode(tmp_path_factory.mktemp("moldau"), settings=settings, data=data))
        return nodes[-1]

    yield make
    for node in nodes:
        node.kill()
