"""Several nodes for the tests of a program, each a process, so that they fail as processes do:

    with moldau.testing.Cluster(nodes=3) as cluster:
        producer = Producer({"bootstrap.servers": cluster.bootstrap})
        cluster.kill(1)       SIGKILL: what is left is what was on the disk
        cluster.restart(1)    returns when it serves again

Nodes have the ids 1 to `nodes`, take free ports and a directory that goes with them, and every node
is broker and controller. A call returns when what it does is done, and blocks until then: a program
with a loop makes its calls in a thread (`asyncio.to_thread`).

`cut` parts nodes from each other, and leaves them to their clients (`cuts`): a leader that is cut
off still takes what is sent with acks=1, and drops it when it is healed and follows another. A node
that answers neither the others nor its clients is best played by `pause`.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import Self

from moldau.broker.node.defaults import HOST
from moldau.broker.node.several_nodes import (
    NODES_MAX,
    PlannedNode,
    Ports,
    plan_nodes,
    prepare_nodes,
)
from moldau.client import Admin
from moldau.config.refusals import SettingError
from moldau.errors import MoldauError
from moldau.platform.system.background import Background
from moldau.platform.system.children import Child, ending
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.free_ports import free_ports
from moldau.platform.system.randomness import SystemRandom
from moldau.platform.system.tasks import SystemPromise
from moldau.platform.system.temporary import temporary_directory
from moldau.testing.cuts import CUT, cut_line
from moldau.testing.node import SHARED, NotStartedError, known_settings

__all__ = ["Cluster", "ClusterFailedError"]

READY = "moldau: ready on "
START_MS = 60_000
STOP_MS = 20_000
LOG_LINES_MAX = 5_000
RUNNING, PAUSED, ENDED = "running", "paused", "ended"


class ClusterFailedError(MoldauError):
    """A node did not start, or does not run."""


class Cluster:
    """Running nodes, as long as its `with` lasts."""

    def __init__(
        self,
        nodes: int = 3,
        *,
        settings: Mapping[str, object] | None = None,
        racks: bool = False,
    ) -> None:
        if not 1 <= nodes <= NODES_MAX:
            raise SettingError(f"nodes={nodes}: a cluster has 1 to {NODES_MAX} nodes here")
        self._count = nodes
        self._given = {**SHARED, **known_settings({} if settings is None else settings)}
        self._racks = racks
        self._background: Background | None = None
        self._nodes: dict[int, _NodeProcess] = {}
        self._cuts: set[frozenset[_NodeProcess]] = set()
        """Pairs."""
        self._directory = ""

    def __repr__(self) -> str:
        states = ", ".join(f"{node_id} {node.state}" for node_id, node in self._nodes.items())
        return f"<Cluster: {states or 'not running'}>"

    @property
    def bootstrap(self) -> str:
        """HOST:PORT of each node, as clients take them."""
        return ",".join(self.address(node_id) for node_id in self.node_ids)

    @property
    def node_ids(self) -> list[int]:
        return list(range(1, self._count + 1))

    def address(self, node_id: int) -> str:
        """HOST:PORT of one node for clients."""
        return self._node(node_id).planned.address

    def log(self, node_id: int) -> str:
        """The last lines that the node logged."""
        return "\n".join(self._node(node_id).lines)

    def leader(self, topic: str, partition: int = 0) -> int:
        """The node that leads a partition now."""
        with Admin(self.bootstrap) as admin:
            view = admin.describe_topics(topic)[topic]
        leaders = {part.partition: part.leader for part in view.partitions}
        if partition not in leaders:
            raise ClusterFailedError(
                f"there is no {topic}-{partition}; {topic} has {len(leaders)} partitions"
            )
        found = leaders[partition]
        if found is None:
            raise ClusterFailedError(f"{topic}-{partition} has no leader")
        return found

    def kill_leader(self, topic: str, partition: int = 0) -> int:
        """End the process of the node that leads a partition; which it was."""
        node_id = self.leader(topic, partition)
        self.kill(node_id)
        return node_id

    def kill(self, node_id: int) -> None:
        """End its process at once (SIGKILL)."""
        node = self._node(node_id)
        self._on_loop().call(lambda: node.end(Child.kill))

    def stop(self, node_id: int) -> None:
        """Have it leave in order (SIGTERM)."""
        node = self._node(node_id)
        self._on_loop().call(lambda: node.end(Child.terminate))

    def pause(self, node_id: int) -> None:
        """Let it stand still with its connections open (SIGSTOP)."""
        self._on_loop().call(self._node(node_id).pause)

    def resume(self, node_id: int) -> None:
        """Let it go on after a pause."""
        self._on_loop().call(self._node(node_id).resume)

    def restart(self, node_id: int) -> None:
        """Start it on what is on its disk; a node that still runs leaves in order before."""
        node = self._node(node_id)
        if self._cut_off_from(node):
            raise ClusterFailedError(f"node {node_id} is cut off: heal() before restart({node_id})")
        self.stop(node_id)
        self._on_loop().call(node.start)

    def cut(self, node_id: int, *others: int) -> None:
        """Part a node from these others, or from all; parts that are there stay."""
        pairs = {
            frozenset((self._node(node_id), self._node(other)))
            for other in others or self.node_ids
            if other != node_id
        }
        self._change_cuts(self._cuts | pairs)

    def heal(self) -> None:
        """End all cuts; what waited arrives."""
        self._change_cuts(set())

    def _change_cuts(self, cuts: set[frozenset[_NodeProcess]]) -> None:
        changed = {node for pair in cuts ^ self._cuts for node in pair}
        for node_id, node in self._nodes.items():
            if node in changed and node.state == PAUSED:
                raise ClusterFailedError(
                    f"node {node_id} is paused: resume({node_id}) before it is cut off or healed"
                )
        self._cuts = cuts
        self._on_loop().call(self._apply_cuts)

    def __enter__(self) -> Self:
        self._directory = temporary_directory("moldau-cluster-")
        self._background = background = Background("moldau-cluster")
        ports = free_ports(2 * self._count, HOST)
        places = [Ports(*pair) for pair in zip(ports[::2], ports[1::2], strict=True)]
        planned = plan_nodes(places, self._directory, self._given, racks=self._racks)
        prepare_nodes(planned, SystemFiles(), SystemClock(), SystemRandom())
        self._nodes = {one.node_id: _NodeProcess(one, background) for one in planned}
        try:
            background.call(self._start_all)
        except BaseException:
            self._let_go(background)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        background, self._background = self._on_loop(), None
        self._let_go(background)

    async def _start_all(self) -> None:
        """All at once: one alone has no majority to become ready with."""
        for node in self._nodes.values():
            await node.launch()
        for node in self._nodes.values():
            await node.until_ready()

    async def _apply_cuts(self) -> None:
        """A node that does not run has no connections; it starts when the cuts are healed."""
        for node in self._nodes.values():
            if node.state != ENDED:
                await node.cut_off_from(self._cut_off_from(node))

    def _cut_off_from(self, node: _NodeProcess) -> list[_NodeProcess]:
        return [other for pair in self._cuts if node in pair for other in pair - {node}]

    async def _end_all(self) -> None:
        """Nothing of them is looked at any more."""
        for node in self._nodes.values():
            await node.end(Child.kill)

    def _let_go(self, background: Background) -> None:
        try:
            background.call(self._end_all)
        finally:
            background.close()
            SystemFiles().remove_tree(self._directory)

    def _on_loop(self) -> Background:
        if self._background is None:
            raise NotStartedError("the cluster is not running: it runs inside of its `with`")
        return self._background

    def _node(self, node_id: int) -> _NodeProcess:
        self._on_loop()
        node = self._nodes.get(node_id)
        if node is None:
            raise ClusterFailedError(f"there is no node {node_id}; ids are 1 to {self._count}")
        return node


class _NodeProcess:
    """One of the nodes, from life to life."""

    def __init__(self, planned: PlannedNode, background: Background) -> None:
        self.planned = planned
        self.lines: deque[str] = deque(maxlen=LOG_LINES_MAX)
        self._tasks = background.tasks
        self._child: Child | None = None
        self._ready: SystemPromise[None]
        self._ended: SystemPromise[int]
        self._answers: deque[SystemPromise[None]] = deque()
        """To lines that the process was given."""
        self._is_paused = False
        self._cut_off: frozenset[str] = frozenset()
        """From where its process listens and calls nothing."""

    @property
    def state(self) -> str:
        if self._child is None:
            return ENDED
        return PAUSED if self._is_paused else RUNNING

    async def pause(self) -> None:
        self.running().pause()
        self._is_paused = True

    async def resume(self) -> None:
        self.running().resume()
        self._is_paused = False

    def running(self) -> Child:
        if self._child is None:
            text = f"node {self.planned.node_id} does not run; restart({self.planned.node_id})"
            raise ClusterFailedError(text)
        return self._child

    async def start(self) -> None:
        await self.launch()
        await self.until_ready()

    async def launch(self) -> None:
        """Begin its process, without waiting until it serves."""
        command = [sys.executable, "-m", "moldau", "start"]
        child = await Child.start(
            [*command, "--config", self.planned.properties_path, "--cut-by-input"], reads_lines=True
        )
        self._child, self._is_paused, self._cut_off = child, False, frozenset()
        self._ready, self._ended = self._tasks.promise(), self._tasks.promise()
        self._tasks.spawn(f"node {self.planned.node_id}", self._follow(child))

    async def until_ready(self) -> None:
        try:
            async with self._tasks.deadline(START_MS):
                await self._ready.wait()
        except TimeoutError:
            raise self._failed(f"is not ready after {START_MS} ms") from None

    async def cut_off_from(self, others: Iterable[_NodeProcess]) -> None:
        """Cut off from these alone, when this returns."""
        listening = frozenset(address for other in others for address in other.planned.listening)
        if listening == self._cut_off:
            return
        answer: SystemPromise[None] = self._tasks.promise()
        self._answers.append(answer)
        self.running().write_line(cut_line(sorted(listening)))
        try:
            async with self._tasks.deadline(STOP_MS):
                await answer.wait()
        except TimeoutError:
            raise self._failed("does not answer") from None
        self._cut_off = listening

    async def end(self, by: Callable[[Child], None]) -> None:
        """End it this way; one that does not end so is killed."""
        child = self._child
        if child is None:
            return
        child.resume()
        by(child)
        try:
            async with self._tasks.deadline(STOP_MS):
                await self._ended.wait()
        except TimeoutError:
            child.kill()
            await self._ended.wait()

    async def _follow(self, child: Child) -> None:
        exit_code = await child.follow(self._reported, self.lines.append)
        self._child = None
        self._ready.fail(self._failed(ending(exit_code)))
        self._ended.keep(exit_code)
        while self._answers:
            self._answers.popleft().keep(None)

    def _reported(self, line: str) -> None:
        if line.startswith(READY):
            self._ready.keep(None)
        elif line.startswith(CUT) and self._answers:
            self._answers.popleft().keep(None)

    def _failed(self, how: str) -> ClusterFailedError:
        last = self.lines[-1] if self.lines else "it logged nothing"
        return ClusterFailedError(f"node {self.planned.node_id} {how}; its log ends: {last}")
