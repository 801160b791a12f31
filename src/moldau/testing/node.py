"""A node inside a program, for its tests:

    async with moldau.testing.Node() as node:
        producer = AIOKafkaProducer(bootstrap_servers=node.bootstrap)

A program without a loop uses `with` alone, and the node runs in a thread of its own.

It takes free ports and a directory of its own, which goes with it, or the one that it is given, and
then finds there what an earlier node has left. Several may run at a time. Settings are given by
Kafka's names: `Node(settings={"num.partitions": 3})`; a name that Kafka does not have is refused.
When the node has stopped, the same `Node` may be started again.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from types import TracebackType
from typing import Self

from moldau.broker.node.defaults import HOST, alone
from moldau.broker.node.node import Node as WholeNode
from moldau.broker.node.server_properties import node_settings, warnings
from moldau.broker.node.storage import format_alone
from moldau.broker.node.world import NodeWorld
from moldau.config.broker.listeners import PORT_MAX
from moldau.config.broker.settings import BrokerSettings
from moldau.config.given import refuse_unknown, texts
from moldau.config.own import OwnSettings
from moldau.config.prefixes import is_known
from moldau.config.refusals import SettingError
from moldau.errors import MoldauError
from moldau.platform.ports.network import Address
from moldau.platform.system.background import Background
from moldau.platform.system.network import SystemNetwork
from moldau.platform.system.randomness import SystemRandom
from moldau.platform.system.tasks import SystemTasks
from moldau.platform.system.temporary import AnyPath, path_text, temporary_directory
from moldau.platform.system.usage import ProcessUsage
from moldau.testing.disk import Disk, FaultyFiles
from moldau.testing.faults import Faults
from moldau.testing.moved_clock import MovedClock

__all__ = ["SHARED", "AlreadyStartedError", "Node", "NotStartedError", "known_settings"]

log = logging.getLogger(__name__)

SHARED: Mapping[str, str] = {
    "offsets.topic.num.partitions": "5",
    "transaction.state.log.num.partitions": "5",
    "share.coordinator.state.topic.num.partitions": "5",
}
"""What makes tests quick: few logs to open."""
NOT_RUNNING = "the node is not running: it runs inside of its `with` or `async with`"


class NotStartedError(MoldauError):
    """What only a running node has."""


class AlreadyStartedError(MoldauError):
    """One `Node` is one node at a time."""


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
        self._given_directory = None if data_directory is None else _directory(data_directory)
        self._port = _port("port", port)
        self._metrics_port = None if metrics_port is None else _port("metrics_port", metrics_port)
        self._given = known_settings({} if settings is None else settings)
        self._clock = MovedClock()
        self.faults = Faults()
        """Delays, errors and lost connections on request."""
        self.disk = Disk()
        """A slow or a full disk on request."""
        self._is_started = False
        self._tasks: SystemTasks
        self._files: FaultyFiles
        self._network: SystemNetwork
        self._node: WholeNode | None = None
        self._background: Background | None = None
        self.data_directory = self._given_directory or ""

    def __repr__(self) -> str:
        return f"<{self._node or 'Node, not running'} in {self.data_directory or 'no directory'}>"

    @property
    def node(self) -> WholeNode:
        """The node itself, to look into."""
        if self._node is None:
            raise NotStartedError(NOT_RUNNING)
        return self._node

    @property
    def bootstrap(self) -> str:
        """HOST:PORT, as clients take it."""
        return str(self.node.address)

    def travel(
        self, *, days: float = 0, hours: float = 0, minutes: float = 0, seconds: float = 0
    ) -> None:
        """Move the node's clock on, for retention and whatever else expires.

        Only the time that is written and compared moves, and it stays ahead: a request waits no
        shorter, and what is looked for from time to time is looked for as often as before.
        """
        self._clock.move(((days * 24 + hours) * 60 + minutes) * 60 + seconds)

    def _metrics_address(self) -> Address | None:
        if self._metrics_port is None:
            return None
        return Address(HOST, self._metrics_port)

    # In a thread of its own.

    def __enter__(self) -> Self:
        background = Background("moldau-node")
        try:
            background.call(self.__aenter__)
        except BaseException:
            background.close()
            raise
        self._background = background
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        background, self._background = self._background, None
        if background is None:
            raise NotStartedError(NOT_RUNNING)
        try:
            background.call(lambda: self.__aexit__(kind, error, trace))
        finally:
            background.close()

    # On the loop of the caller.

    async def __aenter__(self) -> Self:
        if self._is_started:
            raise AlreadyStartedError("this Node is running already: make another one beside it")
        self._is_started = True
        self.data_directory = self._given_directory or temporary_directory("moldau-")
        self._files, self._network = FaultyFiles(self.disk), SystemNetwork()
        self._tasks = SystemTasks(owns_loop=False, on_failure=self._network.close)
        try:
            await self._start()
        except BaseException:
            await self._let_go()
            raise
        return self

    async def _start(self) -> None:
        world = NodeWorld(
            files=self._files,
            network=self._network,
            clock=self._clock,
            random=SystemRandom(),
            tasks=self._tasks,
            usage=ProcessUsage,
        )
        settings = node_settings(alone(self.data_directory, self._port), SHARED, self._given)
        for warning in warnings(settings):
            log.warning(warning)
        self._node = WholeNode(
            settings, world, metrics_address=self._metrics_address(), before=self.faults.before
        )
        format_alone(world, settings)
        await self._node.start()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        node = self.node
        try:
            await node.stop()
        finally:
            await self._let_go()
        assert not node.bugs, f"{node.bugs} requests met a bug; see the log"

    async def _let_go(self) -> None:
        self._node, self._is_started = None, False
        self._network.close()
        await self._tasks.close()
        self._files.let_go()
        if self._given_directory is None:
            self._files.remove_tree(self.data_directory)
        if self._tasks.failure is not None:
            raise self._tasks.failure


def _directory(path: AnyPath) -> str:
    try:
        text = path_text(path)
    except TypeError:
        raise SettingError(
            f"data_directory is a path, and not {path!r}; settings are given by settings="
        ) from None
    if not text:
        raise SettingError("data_directory is empty: leave it out for a temporary one")
    return text


def _port(name: str, port: int) -> int:
    text = str(port)
    if not text.isascii() or not text.isdecimal() or int(text) > PORT_MAX:
        raise SettingError(f"{name}={port!r}: a port is a number from 0 to {PORT_MAX}")
    return int(text)


def known_settings(settings: Mapping[str, object]) -> dict[str, str]:
    """The settings as texts; a test that sets what does not exist would test something else."""
    given = texts(settings)
    known = (*BrokerSettings.KEYS, *OwnSettings.KEYS)
    refuse_unknown((name for name in given if not is_known(name, known)), known)
    return given
