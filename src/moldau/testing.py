"""A node inside a program, for its tests:

    async with moldau.testing.Node() as node:
        producer = AIOKafkaProducer(bootstrap_servers=node.bootstrap)

A program without a loop says `with` alone, and the node runs in a thread of its own.

It takes free ports and a directory of its own, which goes with it, or the one that it is given, and
then finds there what an earlier node has left. Several may run at a time. Settings are given by
Kafka's names: `Node(settings={"num.partitions": 3})`.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from types import TracebackType
from typing import Self

from moldau.errors import MoldauError
from moldau.node.defaults import HOST, alone
from moldau.node.node import Node as WholeNode
from moldau.node.server_properties import node_settings, warnings
from moldau.node.storage import format_alone
from moldau.node.world import NodeWorld
from moldau.ports.network import Address
from moldau.system.background import Background
from moldau.system.clock import SystemClock
from moldau.system.files import SystemFiles
from moldau.system.network import SystemNetwork
from moldau.system.randomness import SystemRandom
from moldau.system.tasks import SystemTasks
from moldau.system.temporary import AnyPath, path_text, temporary_directory

__all__ = ["Node", "NotStartedError"]

log = logging.getLogger(__name__)

SHARED: Mapping[str, str] = {
    "offsets.topic.num.partitions": "5",
    "transaction.state.log.num.partitions": "5",
    "share.coordinator.state.topic.num.partitions": "5",
}
"""What makes tests quick: few logs to open."""


class NotStartedError(MoldauError):
    """What only a node that was started can tell."""


class Node:
    """A running node, as long as its `async with`, or its `with`, lasts."""

    def __init__(
        self,
        data_directory: AnyPath | None = None,
        *,
        port: int = 0,
        metrics_port: int | None = None,
        settings: Mapping[str, object] | None = None,
    ) -> None:
        self._given_directory = None if data_directory is None else path_text(data_directory)
        self._port = port
        self._metrics_port = metrics_port
        self._given = {name: _setting_text(value) for name, value in (settings or {}).items()}
        self._tasks: SystemTasks
        self._network: SystemNetwork
        self._node: WholeNode | None = None
        self._background: Background | None = None
        self.data_directory = self._given_directory or ""

    def __repr__(self) -> str:
        return f"<{self._node or 'Node, not started'} in {self.data_directory or 'no directory'}>"

    @property
    def node(self) -> WholeNode:
        """The node itself, to look into."""
        if self._node is None:
            raise NotStartedError("the node is not started; `with` or `async with` does it")
        return self._node

    @property
    def bootstrap(self) -> str:
        """HOST:PORT, as clients want it."""
        return str(self.node.address)

    def _metrics_address(self) -> Address | None:
        if self._metrics_port is None:
            return None
        return Address(HOST, self._metrics_port)

    # In a thread of its own.

    def __enter__(self) -> Self:
        self._background = Background("moldau-node")
        try:
            return self._background.call(self.__aenter__)
        except BaseException:
            self._background.close()
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._background is not None, "it was entered"
        try:
            self._background.call(lambda: self.__aexit__(kind, error, trace))
        finally:
            self._background.close()

    # On the loop of whoever starts it.

    async def __aenter__(self) -> Self:
        self.data_directory = self._given_directory or temporary_directory("moldau-")
        self._tasks, self._network = SystemTasks(owns_loop=False), SystemNetwork()
        try:
            await self._start()
        except BaseException:
            await self._let_go()
            raise
        return self

    async def _start(self) -> None:
        world = NodeWorld(
            files=SystemFiles(),
            network=self._network,
            clock=SystemClock(),
            random=SystemRandom(),
            tasks=self._tasks,
        )
        settings = node_settings(alone(self.data_directory, self._port), SHARED, self._given)
        for warning in warnings(settings):
            log.warning(warning)
        self._node = WholeNode(settings, world, metrics_address=self._metrics_address())
        format_alone(world, settings)
        await self._node.start()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            await self.node.stop()
        finally:
            await self._let_go()
        assert not self.node.bugs, f"{self.node.bugs} requests met a bug; see the log"

    async def _let_go(self) -> None:
        self._network.close()
        await self._tasks.close()
        if self._given_directory is None:
            SystemFiles().remove_tree(self.data_directory)
        if self._tasks.failure is not None:
            raise self._tasks.failure


def _setting_text(value: object) -> str:
    """As a file of settings has it; Python's own words for yes and no are not Java's."""
    return str(value).lower() if isinstance(value, bool) else str(value)
