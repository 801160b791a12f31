"""Several whole nodes in one simulated world, on machines that outlive them."""

from __future__ import annotations

from moldau.broker.metadata.image import EMPTY_IMAGE, Image
from moldau.broker.metadata.topics import PartitionState
from moldau.broker.node.format_plan import FormatOptions, plan_format
from moldau.broker.node.formatting import Formatter
from moldau.broker.node.node import Node
from moldau.broker.node.server_properties import node_settings
from moldau.broker.node.world import NodeWorld
from moldau.platform.ports.network import Address
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.disk import Disk
from moldau.platform.simulated.disk_crash import drawn_state, prefix_state, unsynced_moments
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.network import SimulatedWorld
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.simulated.tasks import SimulatedTasks
from tests.simulation.asking import Client

PORT, CONTROLLER_PORT = 9092, 9093
DELAY_MS = 0.1, 8.0
"""Slow ways: what is not replicated yet when a leader ends is what a scenario is about."""
CLUSTER_ID = "AAAAAAAAAAAAAAAAAAAAAA"
SETTINGS = {
    "process.roles": "broker,controller",
    "controller.listener.names": "CONTROLLER",
    "log.dirs": "/data",
    "broker.session.timeout.ms": "3000",
    "broker.heartbeat.interval.ms": "500",
    "replica.lag.time.max.ms": "2000",
    "replica.fetch.response.max.bytes": "300",
    "offsets.topic.num.partitions": "1",
    "transaction.state.log.num.partitions": "1",
}


def host_of(node_id: int) -> str:
    return f"node{node_id}"


class Machine:
    """One machine: its disk stays when its process ends."""

    def __init__(self, cluster: Cluster, node_id: int, voters: str) -> None:
        self.node_id = node_id
        self.host = host_of(node_id)
        self.is_up = False
        self.node: Node
        self._cluster = cluster
        self._files = SimulatedFiles(cluster.clock)
        listeners = f"PLAINTEXT://{self.host}:{PORT},CONTROLLER://{self.host}:{CONTROLLER_PORT}"
        own = {"node.id": str(node_id), "listeners": listeners, "controller.quorum.voters": voters}
        self._settings = node_settings(SETTINGS, own)
        self._tasks: SimulatedTasks

    @property
    def image(self) -> Image:
        """The metadata as this node knows them."""
        image: Image = self.node.broker.metadata.image
        return image

    def format(self) -> None:
        cluster = self._cluster
        formatter = Formatter(self._files, cluster.clock, cluster.random, lambda line: None)
        plan = plan_format(self._settings, FormatOptions(cluster_id=CLUSTER_ID), cluster.random)
        formatter.format(self._settings, plan, ignore_formatted=False)

    async def start(self) -> None:
        cluster = self._cluster
        self._tasks = SimulatedTasks(owns_loop=False)
        world = NodeWorld(
            files=self._files,
            network=cluster.network.host(self.host),
            clock=cluster.clock,
            random=cluster.random,
            tasks=self._tasks,
            host_name=self.host,
        )
        self.node = Node(self._settings, world)
        await self.node.start()
        self.is_up = True

    async def stop(self) -> None:
        """In order."""
        self.is_up = False
        await self.node.stop()
        await self._tasks.close()

    async def kill(self) -> None:
        """The process ends between two instructions; what it wrote is in the page cache."""
        last = max(unsynced_moments(self._files.disk), default=0)
        self._cluster.network.crash(self.host)
        await self._end(prefix_state(self._files.disk, last).disk)

    async def cut_power(self) -> None:
        """What was not synced is there or not, by chance; the others do not notice."""
        self._cluster.network.vanish(self.host)
        await self._end(drawn_state(self._files.disk, self._cluster.random).disk)

    def turn_bit(self, path: str, position: int, bit: int) -> None:
        """On the disk, where no process looks before it reads there again."""
        file = self._files.open(path)
        (byte,) = file.read_at(position, 1)
        file.write_at(position, bytes([byte ^ 1 << bit]))

    async def _end(self, left: Disk) -> None:
        """What the dying tasks may still do is done to a disk that is not looked at again."""
        self.is_up = False
        self._files = SimulatedFiles(self._cluster.clock, left)
        await self._tasks.close()
        if self._tasks.failure is not None:
            raise self._tasks.failure


class Cluster:
    """The machines, and the ways between them."""

    def __init__(self, tasks: SimulatedTasks, clock: SimulatedClock, seed: int, count: int) -> None:
        self.clock = clock
        self.random = SeededRandom(seed)
        self.network = SimulatedWorld(tasks, SeededRandom(seed + 1), DELAY_MS)
        self._tasks = tasks
        self._newest = EMPTY_IMAGE
        ids = range(1, count + 1)
        voters = ",".join(f"{one}@{host_of(one)}:{CONTROLLER_PORT}" for one in ids)
        self.machines = {one: Machine(self, one, voters) for one in ids}

    async def start(self) -> None:
        """All at once, for one alone has no quorum."""
        starting = []
        for machine in self.machines.values():
            machine.format()
            starting.append(self._tasks.spawn(f"start of {machine.host}", machine.start()))
        for one in starting:
            await one

    async def end(self) -> None:
        """In any way."""
        for machine in self.machines.values():
            if machine.is_up:
                await machine.kill()

    @property
    def image(self) -> Image:
        """The newest metadata that any node has had."""
        up = [machine.image for machine in self.machines.values() if machine.is_up]
        self._newest = max([self._newest, *up], key=lambda image: image.offset)
        return self._newest

    def state(self, topic: str, index: int) -> PartitionState:
        found = self.image.topics.partition(topic, index)
        assert found is not None, f"{topic}-{index} is not there"
        return found

    def client(self, host: str, node_id: int) -> Client:
        place = Address(host_of(node_id), PORT)
        return Client(self.network.host(host), self._tasks, place)
