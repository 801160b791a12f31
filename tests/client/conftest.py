"""What tests of the client share.

- `around` is a broker that all tests of a process use, and what can be done to it: a node of ours,
  and in the long run Apache Kafka too.
- `our_node` is the former alone, for what has nothing to do with a broker's behaviour, or needs
  what Apache Kafka has not switched on.
- `topic` is a name that no other test has.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client.around import Around, AroundNode
from tests.judges.kafka_node import NOTHING_EXPIRES, KafkaNode

AS_BY_DEFAULT = {"auto.create.topics.enable": "true"}
"""As with the node of ours: topics appear with the first record."""


@pytest.fixture(scope="session")
def our_node() -> Iterator[AroundNode]:
    made = AroundNode()
    yield made
    made.close()


@pytest.fixture(scope="session")
def apache(kafka_libs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    node = KafkaNode(
        kafka_libs, tmp_path_factory.mktemp("kafka"), settings=AS_BY_DEFAULT | NOTHING_EXPIRES
    )
    node.start()
    yield node.bootstrap
    node.kill()


@pytest.fixture(scope="session")
def around_apache(apache: str) -> Iterator[Around]:
    made = Around(apache)
    yield made
    made.close()


@pytest.fixture(
    params=["our_node", pytest.param("around_apache", marks=[pytest.mark.judge, pytest.mark.long])],
    ids=["moldau", "kafka"],
)
def around(request: pytest.FixtureRequest) -> Around:
    made: Around = request.getfixturevalue(request.param)
    return made


@pytest.fixture
def topic() -> str:
    return f"t-{uuid.uuid4().hex[:12]}"
