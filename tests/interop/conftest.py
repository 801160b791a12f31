"""Real nodes of Apache Kafka for the tests of this folder.

- `new_kafka_node(settings)` makes a formatted node with a data directory of its own, not started.
- `kafka_node` is one that runs, the same for all tests of a process: use topics of your own.

Tests that take one of them are skipped, with the reason, where Java or Maven is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.judges.kafka_node import KafkaNode

NewNode = Callable[..., KafkaNode]


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
