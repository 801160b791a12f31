"""What tests of the client share.

- `around` is a node of ours that all tests of a process use, and what can be done to it.
- `topic` is a name that nobody else has.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest

from tests.client.around import AroundNode


@pytest.fixture(scope="session")
def around() -> Iterator[AroundNode]:
    made = AroundNode()
    yield made
    made.close()


@pytest.fixture
def topic() -> str:
    return f"t-{uuid.uuid4().hex[:12]}"
