"""A node inside a program, for its tests:

    async with moldau.testing.Node() as node:
        producer = AIOKafkaProducer(bootstrap_servers=node.bootstrap)

It takes free ports and a directory of its own, which goes with it, or the one that it is given, and
then finds there what an earlier node has left. Several may run at a time. Settings are given by
Kafka's names: `Node(settings={"num.partitions": "3"})`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Self

from moldau.config.broker.settings import BrokerSettings
from moldau.node.defaults import alone
from moldau.node.node import Node as WholeNode
from moldau.node.server_properties import node_settings
from moldau.node.storage import format_alone
from moldau.node.world import NodeWorld
from moldau.ports.network import Address
from moldau.system.clock import SystemClock
from moldau.system.files import SystemFiles
from moldau.system.network import SystemNetwork
from moldau.system.randomness import SystemRandom
from moldau.system.tasks import SystemTasks
from moldau.system.temporary import temporary_directory

__all__ = ["Node"]

SHARED: Mapping[str, str] = {
    "group.initial.rebalance.delay.ms": "0",
    "offsets.topic.num.partitions": "5",
    "transaction.state.log.num.partitions": "5",
    "share.coordinator.state.topic.num.partitions": "5",
}
"""What makes tests quick: no waiting for more members, and few logs to open."""


class Node:
    """A running node, as long as its `async with` lasts."""

    def __init__(
        self,
        data_directory: str | None = None,
        *,
        port: int = 0,
        metrics_port: int | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self._given_directory = data_directory
        self._port = port
        self._metrics_port = metrics_port
        self._given = dict(settings or {})
        self._tasks: SystemTasks
        self._network: SystemNetwork
        self.node: WholeNode
        """The node itself, to look into."""
        self.data_directory = data_directory or ""

    def __repr__(self) -> str:
        return f"<{self.node!r} in {self.data_directory}>"

    @property
    def bootstrap(self) -> str:
        """HOST:PORT, as clients want it."""
        return str(self.node.address)

    def _metrics_address(self, settings: BrokerSettings) -> Address | None:
        if self._metrics_port is None:
            return None
        return Address(settings.listener_list[0].host, self._metrics_port)

    async def __aenter__(self) -> Self:
        self.data_directory = self._given_directory or temporary_directory("moldau-")
        self._tasks, self._network = SystemTasks(owns_loop=False), SystemNetwork()
        world = NodeWorld(
            files=SystemFiles(),
            network=self._network,
            clock=SystemClock(),
            random=SystemRandom(),
            tasks=self._tasks,
        )
        settings = node_settings(alone(self.data_directory, self._port), SHARED, self._given)
        self.node = WholeNode(settings, world, metrics_address=self._metrics_address(settings))
        try:
            format_alone(world, settings)
            await self.node.start()
        except BaseException:
            await self._let_go()
            raise
        return self

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
