"""A node of ours in the background, for tests that block.

- `around` is a node that all tests of a process share, and what can be done to it: use topics of
  your own, named by `topic`.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar

import pytest

from moldau.client.aio.world import ClientWorld
from moldau.client.sync import Connection
from moldau.system.background import Background
from moldau.system.clock import SystemClock
from moldau.system.network import SystemNetwork
from moldau.system.randomness import SystemRandom
from moldau.testing import Node
from tests.client.broker_work import BrokerWork

Value = TypeVar("Value")


class Around:
    """A node, and another client that works on it."""

    def __init__(self, data_directory: str | None = None, port: int = 0, **settings: str) -> None:
        given = {name.replace("_", "."): value for name, value in settings.items()}
        self._background = Background("tests-node")
        self._node = Node(data_directory, port=port, settings=given)
        self._work: BrokerWork
        self._network: SystemNetwork
        self._background.call(self._begin)

    @property
    def bootstrap(self) -> str:
        return self._node.bootstrap

    def connect(self, **settings: str) -> Connection:
        given = {name.replace("_", "."): value for name, value in settings.items()}
        return Connection({"bootstrap.servers": self.bootstrap, **given})

    def do(self, work: Callable[[BrokerWork], Coroutine[Any, Any, Value]]) -> Value:
        return self._background.call(lambda: work(self._work))

    def close(self) -> None:
        self._background.call(self._end)
        self._background.close()

    async def _begin(self) -> None:
        await self._node.__aenter__()
        self._network = SystemNetwork()
        world = ClientWorld(self._network, SystemClock(), SystemRandom(), self._background.tasks)
        self._work = BrokerWork(world, self.bootstrap)

    async def _end(self) -> None:
        self._work.close()
        self._network.close()
        await self._node.__aexit__(None, None, None)


@pytest.fixture(scope="session")
def around() -> Iterator[Around]:
    made = Around()
    yield made
    made.close()


@pytest.fixture
def topic() -> str:
    """A name that nobody else has."""
    return f"t-{uuid.uuid4().hex[:12]}"
