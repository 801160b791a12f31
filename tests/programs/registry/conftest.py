"""A registry in memory to `ask`, and a node for what needs a topic."""

import uuid

import pytest

from tests.interop.running_node import running_node
from tests.programs.registry.asked import Asked


@pytest.fixture
def ask():
    return Asked()


@pytest.fixture(scope="session")
def place(tmp_path_factory):
    """Where a node of ours listens: use topics of your own."""
    with running_node(tmp_path_factory.mktemp("node")) as bootstrap:
        yield bootstrap


@pytest.fixture
def topic():
    return f"schemas-{uuid.uuid4().hex[:12]}"
