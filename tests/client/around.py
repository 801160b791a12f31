"""A broker, and another client that works on it while the one under test reads."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar

from moldau.client import TopicPartition
from moldau.client.aio.world import ClientWorld
from moldau.client.sync import Connection
from moldau.platform.system.background import Background
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.network import SystemNetwork
from moldau.platform.system.randomness import SystemRandom
from moldau.testing import Node
from tests.client.broker_work import BrokerWork
from tests.judges.kafka_node import NOTHING_EXPIRES

Value = TypeVar("Value")


def dotted(settings: Mapping[str, str]) -> dict[str, str]:
    """Settings by their names, written with `_` for `.`."""
    return {name.replace("_", "."): value for name, value in settings.items()}


class Around:
    """Any broker."""

    def __init__(self, bootstrap: str, background: Background | None = None) -> None:
        self.bootstrap = bootstrap
        self._background = background or Background("tests-work")
        self._network: SystemNetwork
        self._work: BrokerWork
        self._background.call(self._begin)

    def connect(self, **settings: str) -> Connection:
        """The client under test."""
        return Connection({"bootstrap.servers": self.bootstrap, **dotted(settings)})

    def do(self, work: Callable[[BrokerWork], Coroutine[Any, Any, Value]]) -> Value:
        return self._background.call(lambda: work(self._work))

    def make(self, topic: str, *batches: bytes, **settings: Any) -> TopicPartition:
        """A topic with these batches in its first partition."""
        part = TopicPartition(topic, 0)

        async def work(other: BrokerWork) -> None:
            await other.create_topic(topic, **settings)
            await other.append(part, *batches)

        self.do(work)
        return part

    def close(self) -> None:
        self._background.call(self._end)
        self._background.close()

    async def _begin(self) -> None:
        self._network = SystemNetwork()
        world = ClientWorld(self._network, SystemClock(), SystemRandom(), self._background.tasks)
        self._work = BrokerWork(world, self.bootstrap)

    async def _end(self) -> None:
        self._work.close()
        self._network.close()


class AroundNode(Around):
    """A node of ours, in the background."""

    def __init__(self, **settings: str) -> None:
        background = Background("tests-node")
        self._node = Node(settings=NOTHING_EXPIRES | dotted(settings))
        background.call(self._node.__aenter__)
        super().__init__(self._node.bootstrap, background)

    async def _end(self) -> None:
        await super()._end()
        await self._node.__aexit__(None, None, None)
