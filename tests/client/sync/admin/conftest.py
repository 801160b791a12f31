"""The same tests with a node of ours and with Apache Kafka.

- `broker` is where the one, and then the other, listens.
- `admin` is a client of it, and `topic` a name that no other test has.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from moldau.client.admin import Admin
from tests.client.around import AroundNode
from tests.judges.kafka_node import KafkaNode

AUTHORIZER = {
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super.users": "User:ANONYMOUS",
}
"""There are access rules, and clients without a login may do everything."""


@pytest.fixture(scope="session")
def ours() -> Iterator[AroundNode]:
    made = AroundNode(**AUTHORIZER)
    yield made
    made.close()


@pytest.fixture(scope="session")
def apache(kafka_libs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    node = KafkaNode(kafka_libs, tmp_path_factory.mktemp("kafka"), settings=AUTHORIZER)
    node.start()
    yield node.bootstrap
    node.kill()


@pytest.fixture(params=["moldau", pytest.param("kafka", marks=pytest.mark.judge)])
def broker(request: pytest.FixtureRequest) -> str:
    if request.param == "kafka":
        listens: str = request.getfixturevalue("apache")
        return listens
    made: AroundNode = request.getfixturevalue("ours")
    return made.bootstrap


@pytest.fixture
def admin(broker: str) -> Iterator[Admin]:
    with Admin(broker, default_api_timeout_ms=20_000) as made:
        yield made
