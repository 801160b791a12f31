"""A whole node on a virtual disk, network and clock, and the ways in which it may end."""

from __future__ import annotations

from moldau.broker.node.defaults import alone
from moldau.broker.node.node import Node
from moldau.broker.node.server_properties import node_settings
from moldau.broker.node.storage import format_alone
from moldau.broker.node.world import NodeWorld
from moldau.platform.ports.network import Address
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.disk import Disk
from moldau.platform.simulated.disk_crash import drawn_state, prefix_state, unsynced_moments
from moldau.platform.simulated.disk_faults import FaultPlan
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.network import SimulatedWorld
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.simulated.tasks import SimulatedTasks

HOST = "broker"
PORT = 9092
SETTINGS = {
    "group.initial.rebalance.delay.ms": "0",
    "offsets.topic.num.partitions": "1",
    "transaction.state.log.num.partitions": "1",
    "share.coordinator.state.topic.num.partitions": "1",
}


class NodeMachine:
    """One machine that a node is started on again and again."""

    def __init__(
        self,
        clock: SimulatedClock,
        around: SimulatedWorld,
        random: SeededRandom,
        **settings: str,
    ) -> None:
        self.address = Address(HOST, PORT)
        self._clock = clock
        self._around = around
        self._random = random
        self._files = SimulatedFiles(clock)
        own = {key.replace("_", "."): value for key, value in settings.items()}
        self._settings = node_settings(alone("/data", PORT, HOST), SETTINGS, own)
        self._tasks: SimulatedTasks
        self.node: Node

    @property
    def disk(self) -> Disk:
        return self._files.disk

    @property
    def faults(self) -> FaultPlan:
        """Of the disk as it is now; the node's next life has another, without any."""
        return self._files.faults

    async def start(self) -> None:
        self._tasks = SimulatedTasks(owns_loop=False)
        world = NodeWorld(
            files=self._files,
            network=self._around.host(HOST),
            clock=self._clock,
            random=self._random,
            tasks=self._tasks,
            host_name=HOST,
        )
        format_alone(world, self._settings)
        self.node = Node(self._settings, world)
        await self.node.start()

    async def stop(self) -> None:
        """In order."""
        await self.node.stop()
        await self._tasks.close()

    async def kill(self) -> None:
        """The process ends between two instructions; what it wrote is in the page cache."""
        await self._end(prefix_state(self.disk, _last_moment(self.disk)).disk)

    async def cut_power(self) -> None:
        """What was not synced is there or not, by chance; peers do not notice."""
        await self._end(drawn_state(self.disk, self._random).disk, vanishes=True)

    async def _end(self, left: Disk, *, vanishes: bool = False) -> None:
        """What the dying tasks may still do is done to a disk that is not looked at again."""
        if vanishes:
            self._around.vanish(HOST)
        else:
            self._around.crash(HOST)
        self._files = SimulatedFiles(self._clock, left)
        await self._tasks.close()
        failure = self._tasks.failure
        if failure is not None:
            raise failure


def _last_moment(disk: Disk) -> int:
    return max(unsynced_moments(disk), default=0)
