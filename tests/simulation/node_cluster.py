"""Several whole nodes in one simulated world: disks, links and time from one seed.

    with_nodes(seed, scenario)   three nodes, formatted and started, then `await scenario(cluster)`

A machine is killed as a process is: its connections are reset and its port refuses. A link that is
cut loses nothing and carries nothing. Time is virtual, so how long something takes is exact, and
the same for the same seed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Any

from moldau.broker.node.defaults import DEVELOPMENT
from moldau.broker.node.format_plan import FormatOptions, plan_format
from moldau.broker.node.formatting import Formatter
from moldau.broker.node.node import Node
from moldau.broker.node.server_properties import node_settings
from moldau.broker.node.world import NodeWorld
from moldau.platform.ports.network import Address
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.disk_crash import prefix_state, unsynced_moments
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.network import SimulatedWorld
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.simulated.tasks import SimulatedTasks, run

__all__ = ["BOTH", "Cluster", "Machine", "with_nodes"]

BOTH = "broker,controller"
CLUSTER_ID = "c2ltdWxhdGVkLWNsdXN0ZXI"
CLIENTS, CONTROLLERS, METRICS = 9092, 9093, 9404
POLL_MS = 5
PATIENCE_MS = 60_000
NS_PER_MS = 1_000_000


class Machine:
    """One machine that a node is started on again and again."""

    def __init__(self, cluster: Cluster, node_id: int, roles: str) -> None:
        self.node_id = node_id
        self.host = f"m{node_id}"
        self.is_up = False
        self._cluster = cluster
        self._random = SeededRandom(cluster.seed * 100 + node_id)
        self._files = SimulatedFiles(cluster.clock)
        listeners = {
            "broker": f"PLAINTEXT://{self.host}:{CLIENTS}",
            "controller": f"CONTROLLER://{self.host}:{CONTROLLERS}",
        }
        own = {
            **DEVELOPMENT,
            "process.roles": roles,
            "node.id": str(node_id),
            "controller.listener.names": "CONTROLLER",
            "listeners": ",".join(listeners[role] for role in roles.split(",")),
            "controller.quorum.voters": cluster.voters,
            "log.dirs": "/data",
        }
        self._settings = node_settings(own, cluster.settings)
        self._tasks: SimulatedTasks
        self.node: Node

    def format(self) -> None:
        options = FormatOptions(cluster_id=CLUSTER_ID)
        plan = plan_format(self._settings, options, self._random)
        formatter = Formatter(self._files, self._cluster.clock, self._random, lambda line: None)
        formatter.format(self._settings, plan, ignore_formatted=False)

    async def start(self) -> None:
        """Return when the node serves."""
        self._tasks = SimulatedTasks(owns_loop=False)
        world = NodeWorld(
            files=self._files,
            network=self._cluster.around.host(self.host),
            clock=self._cluster.clock,
            random=self._random,
            tasks=self._tasks,
            host_name=self.host,
        )
        self.node = Node(self._settings, world, metrics_address=Address(self.host, METRICS))
        self.is_up = True
        await self.node.start()

    async def stop(self) -> None:
        """In order."""
        self.is_up = False
        await self.node.stop()
        await self._tasks.close()

    async def kill(self) -> None:
        """The process ends; what it wrote is in the page cache, and its peers get a reset."""
        self.is_up = False
        disk = self._files.disk
        left = prefix_state(disk, max(unsynced_moments(disk), default=0)).disk
        self._cluster.around.crash(self.host)
        self._files = SimulatedFiles(self._cluster.clock, left)
        await self._tasks.close()
        if self._tasks.failure is not None:
            raise self._tasks.failure


class Cluster:
    """Machines by node id, from 1."""

    def __init__(
        self,
        seed: int,
        clock: SimulatedClock,
        tasks: SimulatedTasks,
        roles: list[str],
        settings: dict[str, str] | None = None,
    ) -> None:
        self.seed = seed
        self.clock = clock
        self.tasks = tasks
        self.around = SimulatedWorld(tasks, SeededRandom(seed))
        self.settings = settings or {}
        self.events: list[str] = []
        """What happened, with the time of it."""
        self.voters = ",".join(
            f"{node_id}@m{node_id}:{CONTROLLERS}"
            for node_id, role in enumerate(roles, start=1)
            if "controller" in role
        )
        self.machines = {
            node_id: Machine(self, node_id, role) for node_id, role in enumerate(roles, start=1)
        }

    @property
    def now_ms(self) -> int:
        return self.clock.monotonic_ns() // NS_PER_MS

    @property
    def hash(self) -> str:
        """Of all that was noted."""
        return sha256("\n".join(self.events).encode()).hexdigest()

    def note(self, text: str) -> None:
        self.events.append(f"{self.now_ms} {text}")

    async def start(self) -> None:
        """All at once; return when every one serves."""
        for machine in self.machines.values():
            machine.format()
        starting = [
            self.tasks.spawn(f"start-{machine.node_id}", machine.start())
            for machine in self.machines.values()
        ]
        for task in starting:
            await task
        self.note("all serve")

    async def stop(self) -> None:
        for machine in self.machines.values():
            if machine.is_up:
                await machine.kill()

    @property
    def nodes(self) -> list[Node]:
        """Those that run."""
        return [machine.node for machine in self.machines.values() if machine.is_up]

    @property
    def active(self) -> int | None:
        """The node whose controller decides."""
        for node in self.nodes:
            if node.broker.quorum.is_active:
                found: int = node.settings.node_id
                return found
        return None

    async def until(self, what: str, condition: Callable[[], Any]) -> int:
        """How many milliseconds it took."""
        began_ms = self.now_ms
        while not condition():
            assert self.now_ms - began_ms < PATIENCE_MS, f"it never came: {what}; {self.events}"
            await self.tasks.sleep(POLL_MS)
        self.note(what)
        return self.now_ms - began_ms


def with_nodes(
    seed: int,
    scenario: Callable[[Cluster], Awaitable[Any]],
    roles: list[str] | None = None,
    settings: dict[str, str] | None = None,
) -> Any:
    """LogScenario it, and return what it returns."""
    clock = SimulatedClock()

    async def main(tasks: SimulatedTasks) -> Any:
        cluster = Cluster(seed, clock, tasks, roles or [BOTH] * 3, settings)
        await cluster.start()
        try:
            return await scenario(cluster)
        finally:
            await cluster.stop()

    return run(main, clock)
