"""Several quorums in one virtual world, which talk in the messages of the protocol."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

from moldau.broker.controller.decision import Call
from moldau.broker.log.world import World
from moldau.broker.metadata.image import Image
from moldau.broker.quorum.voters import ReplicaKey, Voter, VoterSet
from moldau.broker.runtime.quorum.membership import Identity
from moldau.broker.runtime.quorum.parts import QuorumLoopSettings, QuorumParts
from moldau.broker.runtime.quorum_loop import MetadataQuorum
from moldau.network.outgoing.traffic import Traffic
from moldau.platform.ports.network import Address
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.tasks import SimulatedTasks, run
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.wire.compile import decode, encode
from moldau.protocol.wire.schema import Message
from tests.broker.runtime.quorum_world import LOG_DIRECTORY, TopicController


def disk(node_id: int) -> bytes:
    return bytes([node_id]) * 16


def place(node_id: int) -> Address:
    return Address("node", 9000 + node_id)


class Peers:
    """The way from one node to the others: every message goes through its bytes."""

    traffic = Traffic()

    def __init__(self, cluster: Cluster, node_id: int) -> None:
        self._cluster = cluster
        self._node_id = node_id

    async def ask(self, address: Address, request: Message, timeout_ms: int) -> Message:
        node_id = address.port - 9000
        self._cluster.asked[type(request)] += 1
        self._cluster.look_at(request)
        target = self._cluster.quorums.get(node_id)
        await self._cluster.tasks.sleep(self._node_id)  # no two ways are of one length
        await self._cluster.tasks.sleep(self._cluster.delays_ms.get(type(request), 0))
        if target is None or self._cluster.cut & {node_id, self._node_id}:
            await self._cluster.tasks.sleep(timeout_ms)
            raise TimeoutError
        api = BY_KEY[request.KEY]
        version = min(request.VERSIONS.high, self._cluster.version_max)
        received = decode(api.request, version, encode(request, version))
        response = await target.answer(received, Call(version))
        self._cluster.spoil(response)
        return decode(api.response, version, encode(response, version))


class Cluster:
    """Voters, and nodes that watch."""

    def __init__(self, voters: int = 3, observers: int = 0, *, dynamic: bool = False) -> None:
        self.node_ids = range(1, voters + observers + 1)
        self.voters = VoterSet(
            Voter(ReplicaKey(node_id), {"CONTROLLER": place(node_id)})
            for node_id in range(1, voters + 1)
        )
        self.clock = SimulatedClock()
        self.files = {node_id: SimulatedFiles() for node_id in self.node_ids}
        self.quorums: dict[int, MetadataQuorum] = {}
        self.cut: set[int] = set()
        self.asked: Counter[type[Message]] = Counter()
        """How many requests were sent, by kind."""
        self.look_at: Callable[[Message], None] = lambda request: None
        """Called with each request."""
        self.spoil: Callable[[Message], None] = lambda response: None
        """Changes a response on its way."""
        self.delays_ms: dict[type[Message], int] = {}
        """How long requests of a kind are under way besides."""
        self.version_max = 99
        self.settings = QuorumLoopSettings()
        self.controllers: list[TopicController] = []
        """Those that were active, the last one now."""
        self.tasks: SimulatedTasks

    def quorum(self, node_id: int) -> MetadataQuorum:
        files = self.files[node_id]
        files.make_directory(LOG_DIRECTORY)
        return MetadataQuorum(
            QuorumParts(
                identity=Identity(
                    node_id, disk(node_id), "cluster", {"CONTROLLER": place(node_id)}
                ),
                log_directory=LOG_DIRECTORY,
                world=World(files, self.clock, Random(node_id)),
                tasks=self.tasks,
                settings=self.settings,
                voters=self.voters,
                make_controller=self._make_controller,
                peers=Peers(self, node_id),
            )
        )

    def _make_controller(self, image: Image) -> TopicController:
        self.controllers.append(TopicController(image))
        return self.controllers[-1]

    async def start(self, node_id: int) -> None:
        self.quorums[node_id] = quorum = self.quorum(node_id)
        await quorum.start()

    async def stop(self, node_id: int) -> None:
        await self.quorums.pop(node_id).stop()

    async def leader(self) -> MetadataQuorum:
        """The one that decides, once there is one and the metadata has begun."""
        for _ in range(600):
            active = [
                quorum
                for quorum in self.quorums.values()
                if quorum.is_active
                and quorum.node.key.node_id not in self.cut
                and quorum.image.features.metadata_version
            ]
            if active:
                return max(active, key=lambda quorum: quorum.leader_epoch)
            await self.tasks.sleep(100)
        raise AssertionError("no node leads")

    async def agreed(self) -> None:
        """Every node has committed what the leader has now."""
        offset = (await self.leader()).image.offset
        for _ in range(600):
            if all(quorum.image.offset >= offset for quorum in self.quorums.values()):
                return
            await self.tasks.sleep(100)
        raise AssertionError("not all agree")

    def run(self, scene: Callable[[Cluster], Awaitable[Any]]) -> Any:
        async def main(tasks: SimulatedTasks) -> Any:
            self.tasks = tasks
            for node_id in self.node_ids:
                await self.start(node_id)
            return await scene(self)

        return run(main, self.clock)
