"""What tests of blocking clients share: the same with a node of ours and with Apache Kafka."""

from __future__ import annotations

import pytest

from tests.client.around import AroundNode


@pytest.fixture(params=["moldau", pytest.param("kafka", marks=pytest.mark.judge)])
def broker(request: pytest.FixtureRequest) -> str:
    if request.param == "kafka":
        listens: str = request.getfixturevalue("apache")
        return listens
    node: AroundNode = request.getfixturevalue("our_node")
    return node.bootstrap
