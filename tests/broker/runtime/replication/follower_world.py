"""A broker that follows broker 2, and a channel to it whose answers the test has written."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from moldau.broker.replica.fetching import Divergence
from moldau.broker.replica.partition import Partition
from moldau.broker.runtime.replication.answers import PartitionAnswer
from moldau.broker.runtime.replication.ports import FollowerWorld
from moldau.errors import NetworkError
from moldau.protocol.messages.data.fetch import FetchRequest, FetchResponse
from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest, ListOffsetsResponse
from moldau.protocol.wire.compile import encode
from tests.broker.replica.broker_world import Broker

LEADER, EPOCH = 2, 7
NEXT_LEADER = 3
FOLLOWS: dict[str, Any] = {
    "replicas": (1, 2),
    "isr": (1, 2),
    "leader": LEADER,
    "leader_epoch": EPOCH,
    "directories": (bytes(16), bytes(16)),
}
Topic = FetchResponse.FetchableTopicResponse
Data = Topic.PartitionData
SETTINGS = SimpleNamespace(
    num_replica_fetchers=1,
    replica_fetch_max_bytes=1 << 20,
    replica_fetch_response_max_bytes=10 << 20,
    replica_fetch_min_bytes=1,
    replica_fetch_wait_max_ms=500,
    replica_fetch_backoff_ms=1000,
    replica_socket_timeout_ms=30_000,
)


def data(partition: Partition, **fields: Any) -> Data:
    """What a leader answers about one partition."""
    known: dict[str, Any] = {
        "partition_index": partition.index,
        "error_code": 0,
        "high_watermark": 0,
        "log_start_offset": 0,
        "records": b"",
        **fields,
    }
    return Data(**known)


def read_answer(partition: Partition, **fields: Any) -> PartitionAnswer:
    """The same, as a follower has read it."""
    known: dict[str, Any] = {"error_code": 0, "high_watermark": 0, "log_start_offset": 0, **fields}
    divergence: Divergence | None = known.pop("divergence", None)
    records = memoryview(known.pop("records", b""))
    return PartitionAnswer(
        partition.topic_id, partition.index, divergence=divergence, records=records, **known
    )


def answer(partition: Partition, *, session_id: int = 5, **fields: Any) -> FetchResponse:
    topic = Topic(topic_id=partition.topic_id, partitions=[data(partition, **fields)])
    return FetchResponse(error_code=0, session_id=session_id, responses=[topic])


def diverging(epoch: int, end_offset: int) -> Data.EpochEndOffset:
    return Data.EpochEndOffset(epoch=epoch, end_offset=end_offset)


class ScriptedLeader:
    """Gives its answers one by one; an error is raised; after the last nothing comes any more."""

    def __init__(self, tasks, answers, ends=(0, 0)):
        self.asked: list[FetchRequest] = []
        self.reached = 0
        self.times_ms: list[int] = []
        self.clock: Any = None
        self._answers = list(answers)
        self._tasks = tasks
        self._ends = ends
        self._resting: list[Any] = []

    def reach(self, broker_id):
        assert broker_id in (LEADER, NEXT_LEADER)
        self.reached += 1
        return self

    async def ask(self, request, timeout_ms):
        assert isinstance(request, ListOffsetsRequest)
        return self._list_offsets(request)

    async def ask_with(self, reader, request, timeout_ms):
        version = FetchResponse.VERSIONS.high
        reader.begin(version)
        reader.finish(memoryview(encode(await self._fetched(request), version)))

    async def _fetched(self, request):
        self.asked.append(request)
        if self.clock is not None:
            self.times_ms.append(self.clock.monotonic_ns() // 1_000_000)
        if not self._answers:
            self._resting.append(self._tasks.promise())
            return await self._resting[-1].wait()
        await self._tasks.sleep(1)
        found = self._answers.pop(0)
        if isinstance(found, Exception):
            raise found
        return found() if callable(found) else found

    def close(self):
        for promise in self._resting:
            promise.fail(NetworkError("leader", "closed here"))

    def _list_offsets(self, request):
        start, end = self._ends
        topics = ListOffsetsResponse.ListOffsetsTopicResponse
        asked = request.topics[0].partitions[0]
        one = topics.ListOffsetsPartitionResponse(
            partition_index=asked.partition_index,
            error_code=0,
            offset=end if asked.timestamp == -1 else start,
        )
        return ListOffsetsResponse(topics=[topics(name=request.topics[0].name, partitions=[one])])


class Scene:
    """A follower, its partition, and its leader."""

    def __init__(self, disk, manager, tasks, leader):
        self.disk = disk
        self.manager = manager
        self.tasks = tasks
        self.leader = leader
        self.partition = manager.partition("topic", 0)
        self.checkpoints = 0
        self.settings = SimpleNamespace(**vars(SETTINGS))
        leader.clock = disk.clock
        self.world = FollowerWorld(
            replicas=manager,
            tasks=tasks,
            clock=disk.clock,
            reach=leader.reach,
            settings=lambda: self.settings,
            broker_epoch=lambda: 11,
            checkpoint=self._checkpoint,
        )

    async def _checkpoint(self):
        self.checkpoints += 1

    def now_ms(self):
        return self.disk.clock.monotonic_ns() // 1_000_000


def result_of(scenario, answers=(), ends=(0, 0)):
    """Tell a scenario of one partition that follows."""
    disk = Broker()
    disk.add_topic(None, **FOLLOWS)

    async def main(manager, tasks):
        scripted = ScriptedLeader(tasks, answers, ends)
        return await scenario(Scene(disk, manager, tasks, scripted))

    return disk.run(main)
