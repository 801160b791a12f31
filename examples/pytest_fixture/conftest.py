"""A Kafka node for all tests of a run, and a topic of its own for each test."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest

import moldau.testing


@pytest.fixture(scope="session")
def bootstrap() -> Iterator[str]:
    """HOST:PORT of a node that starts with the first test which takes it."""
    with moldau.testing.Node(settings={"num.partitions": 3}) as node:
        yield node.bootstrap


@pytest.fixture
def topic() -> str:
    """A name that no other test uses, so that tests may run in any order."""
    return f"orders-{uuid.uuid4().hex[:12]}"
