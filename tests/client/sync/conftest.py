"""What tests of blocking clients share: the same with a node of ours and with Apache Kafka."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client.around import AroundNode
from tests.judges.kafka_node import KafkaNode


@pytest.fixture(scope="session")
def apache(kafka_libs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    node = KafkaNode(kafka_libs, tmp_path_factory.mktemp("kafka"), settings={})
    node.start()
    yield node.bootstrap
    node.kill()


@pytest.fixture(params=["moldau", pytest.param("kafka", marks=pytest.mark.judge)])
def broker(request: pytest.FixtureRequest) -> str:
    if request.param == "kafka":
        listens: str = request.getfixturevalue("apache")
        return listens
    around: AroundNode = request.getfixturevalue("around")
    return around.bootstrap
