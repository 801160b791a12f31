"""`moldau start --nodes N`: a cluster of processes on this machine, and one Ctrl-C for all.

One node uses one core, so several nodes are how one machine's cores are used. Each is a process of
its own, with the settings of `broker.node.several_nodes`; its log goes to standard error behind its
name. A node that ends by itself is a line, and the others go on: that is what a cluster is for.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence

from moldau.broker.node.several_nodes import PlannedNode, prepare_nodes
from moldau.platform.ports.tasks import Tasks
from moldau.platform.system.children import Child, ending
from moldau.platform.system.signals import on_stop
from moldau.platform.system.tasks import run as run_tasks
from moldau.programs.tools.command import World

__all__ = ["run_nodes"]

READY = "moldau: ready on "
"""How the line of a node begins that serves."""
FAILED = 1


def run_nodes(planned: Sequence[PlannedNode], flags: Sequence[Sequence[str]], world: World) -> int:
    """Start them all, and return when all have ended; each is given its own of `flags`."""
    prepare_nodes(planned, world.files, world.clock, world.random)
    return run_tasks(lambda tasks: _Nodes(planned, flags, world, tasks).run())


class _Nodes:
    """The processes, from their start to their end."""

    def __init__(
        self,
        planned: Sequence[PlannedNode],
        flags: Sequence[Sequence[str]],
        world: World,
        tasks: Tasks,
    ) -> None:
        self._planned = planned
        self._flags = {node.node_id: tuple(own) for node, own in zip(planned, flags, strict=True)}
        self._world = world
        self._tasks = tasks
        self._children: dict[int, Child] = {}
        self._starting = {node.node_id for node in planned}
        self._is_stopping = False
        self._all_ended = tasks.promise()

    async def run(self) -> int:
        on_stop(self._stop)
        for node in self._planned:
            command = (sys.executable, "-m", "moldau", "start", *self._arguments(node))
            child = await Child.start(command)
            self._children[node.node_id] = child
            self._tasks.spawn(f"node {node.node_id}", self._follow(node, child))
            if self._is_stopping:
                child.terminate()
        await self._all_ended.wait()
        return 0 if self._is_stopping and not self._starting else FAILED

    def _arguments(self, node: PlannedNode) -> tuple[str, ...]:
        """What its file does not say, such as where its metrics are, is given beside it."""
        return ("--config", node.properties_path, *self._flags[node.node_id])

    def _stop(self) -> None:
        """All at once: each hands over what it leads while the others still answer."""
        self._is_stopping = True
        self._starting.clear()
        for child in self._children.values():
            child.terminate()

    async def _follow(self, node: PlannedNode, child: Child) -> None:
        name = f"node {node.node_id}"
        exit_code = await child.follow(
            lambda line: self._reported(node, child, line),
            lambda line: self._write_error(f"[{name}] {line}"),
        )
        del self._children[node.node_id]
        self._ended(node, exit_code)
        if not self._children:
            self._all_ended.keep(None)

    def _reported(self, node: PlannedNode, child: Child, line: str) -> None:
        if not line.startswith(READY):
            self._write(f"node {node.node_id}: {line}")
            return
        place = f"ready on {node.address}, its data in {node.data}, process {child.process_id}"
        self._write(f"node {node.node_id}: {place}")
        self._starting.discard(node.node_id)
        if not self._starting and not self._is_stopping:
            self._write(READY + ",".join(one.address for one in self._planned))

    def _ended(self, node: PlannedNode, exit_code: int) -> None:
        if self._is_stopping and not exit_code:
            self._write(f"node {node.node_id}: stopped")
            return
        command = shlex.join(("moldau", "start", *self._arguments(node)))
        going_on = f"{len(self._children)} of {len(self._planned)} nodes go on"
        rest = f"{going_on}, and `{command}` starts it again"
        if not self._children:
            rest = "no node is left"
        if node.node_id in self._starting:
            rest = "so the others stop; its lines above have the reason"
            self._is_stopping = True
            for child in self._children.values():
                child.terminate()
        self._write(f"node {node.node_id}: {ending(exit_code)}; {rest}")

    def _write(self, line: str) -> None:
        self._world.out.write(f"{line}\n")
        self._world.out.flush()

    def _write_error(self, line: str) -> None:
        self._world.errors.write(f"{line}\n")
        self._world.errors.flush()
