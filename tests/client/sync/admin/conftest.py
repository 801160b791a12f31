"""The same tests with a node of ours and with Apache Kafka.

- `broker` is where the one, and then the other, listens.
- `admin` is a client of it, and `topic` a name that nobody else has.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from moldau.client.admin import Admin
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


@pytest.fixture
def admin(broker: str) -> Iterator[Admin]:
    with Admin(broker, default_api_timeout_ms=20_000) as made:
        yield made
