"""The shards of one coordinator on this broker: one for each partition of its topic that it leads.

Who leads a partition is its coordinator. When a partition comes, its log is loaded into a new
shard; until that is done requests get COORDINATOR_LOAD_IN_PROGRESS. When it goes, what
waits gets NOT_COORDINATOR. A log that cannot be read is logged,
and its groups stay without a coordinator: half a state would be worse than none.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from typing import Protocol

from moldau.broker.coordinator.placement import partition_of
from moldau.broker.coordinator.record_codec import RecordTypes
from moldau.broker.coordinator.shard import Shard
from moldau.broker.log.producers.transaction_verification import VerificationGuard
from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import Image
from moldau.broker.metrics.recent import Recent
from moldau.broker.runtime.pending_replies import Answered
from moldau.broker.runtime.running_shard import OnEffect, RunningShard, Written
from moldau.broker.runtime.shard_batches import DEFAULTS, WriteSettings
from moldau.broker.runtime.shard_loading import LOAD_BUFFER_SIZE, ShardPartition, load_shard
from moldau.errors import KafkaError, MoldauError
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.tasks import Tasks
from moldau.platform.slices import Pace
from moldau.protocol.records.control import EndMarker
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

NS_PER_MS = 1_000_000
READY_PAUSE_MS = 1
"""Between two looks for a partition that has been announced."""

_logger = logging.getLogger(__name__)


class Replicas(Protocol):
    """Where the partitions are; `replica.manager.ReplicaManager` has it."""

    def partition(self, topic: str, index: int) -> ShardPartition: ...


class ShardRuntime:
    """Finds the shard of a key, and keeps the shards in step with what is led here."""

    def __init__(
        self,
        topic: str,
        partition_count: Callable[[], int],
        make_shard: Callable[[int], Shard],
        types: RecordTypes,
        replicas: Replicas,
        clock: Clock,
        tasks: Tasks,
        *,
        on_effect: OnEffect = lambda index, effect: None,
        writing: WriteSettings = DEFAULTS,
        load_buffer_size: int = LOAD_BUFFER_SIZE,
    ) -> None:
        self.topic = topic
        self._partition_count = partition_count
        self._make_shard = make_shard
        self._types = types
        self._replicas = replicas
        self._clock = clock
        self._tasks = tasks
        self._on_effect = on_effect
        self._writing = writing
        self._load_buffer_size = load_buffer_size
        self.written: Written = Counter()
        """By all shards that were here, for metrics."""
        self._running: dict[int, RunningShard] = {}
        self._loading: dict[int, int] = {}
        """The leader epoch for which each partition is being loaded."""
        self._failed: set[int] = set()
        """Partitions that are led here and could not be loaded."""
        self.load_times = Recent()
        """How long loading took, in ms."""

    def __repr__(self) -> str:
        running, loading = len(self._running), len(self._loading)
        return f"ShardRuntime({self.topic}, {running} running, {loading} loading)"

    # Finding.

    def partition_for(self, key: str) -> int:
        """The partition of the topic that holds everything about this key."""
        return partition_of(key, self._partition_count())

    def running(self, index: int) -> RunningShard:
        """The shard of a partition, or why there is none here: without a message, as with Kafka."""
        found = self._running.get(index)
        if found is not None:
            return found
        if index in self._loading:
            raise KafkaError(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)
        raise KafkaError(ErrorCode.NOT_COORDINATOR)

    def find(self, index: int) -> RunningShard | None:
        """The shard of a partition, if it is here and loaded."""
        return self._running.get(index)

    def knows(self, index: int) -> bool:
        """Whether the shard of a partition is here, or will be."""
        return index in self._running or index in self._loading

    @property
    def is_loading(self) -> bool:
        """Whether some shards are not there yet."""
        return bool(self._loading)

    @property
    def counts(self) -> dict[str, int]:
        """How many partitions are in each of Kafka's states."""
        loading, failed = len(self._loading), len(self._failed)
        return {"loading": loading, "active": len(self._running), "failed": failed}

    @property
    def indexes(self) -> list[int]:
        """The partitions whose shards are running."""
        return sorted(self._running)

    # Requests.

    async def ask(
        self,
        key: str,
        request: Message,
        *,
        version: int,
        client_id: str = "",
        client_host: str = "",
        guard: VerificationGuard | None = None,
        correlation: object = None,
    ) -> Message:
        """The answer of the shard that has this key, or a `KafkaError`."""
        shard = self.running(self.partition_for(key))
        return await shard.ask(
            request,
            version=version,
            client_id=client_id,
            client_host=client_host,
            guard=guard,
            correlation=correlation,
        )

    # hot: once for each commit of a group.
    def join(self, key: str, request: object, caller: int, answered: Answered) -> Message | None:
        """The same of what may share a batch; None if the answer will be called back."""
        shard = self.running(partition_of(key, self._partition_count()))
        return shard.join(request, caller, answered)

    async def ask_each(self, request: Message, *, version: int) -> list[Message]:
        """The answers of all shards that stay here; refused while one of them is being loaded."""
        for index in self._loading:
            self.running(index)
        answers, pace = [], Pace(self._clock, self._tasks)
        for index in self.indexes:
            try:
                answers.append(await self.running(index).ask(request, version=version))
            except KafkaError as error:
                if error.code != ErrorCode.NOT_COORDINATOR:
                    raise
            if pace.is_over:
                await pace.rest()
        return answers

    async def complete_transaction(
        self,
        index: int,
        producer_id: int,
        producer_epoch: int,
        marker: EndMarker,
        *,
        transaction_version: int = 0,
    ) -> None:
        """A transaction that wrote to this partition has ended."""
        await self.running(index).complete_transaction(
            producer_id, producer_epoch, marker, transaction_version
        )

    # What is led here.

    def on_leading(self, topic: str, index: int, leader_epoch: int) -> None:
        """Called by the replica manager with what is led here from now on; ours is loaded."""
        if topic != self.topic or self._loading.get(index) == leader_epoch:
            return
        self._leave(index)
        self._loading[index] = leader_epoch
        self._tasks.spawn(f"load {topic}-{index}", self._load(index, leader_epoch))

    def on_leaving(self, topic: str, index: int) -> None:
        """Called by the replica manager with what is led elsewhere, or gone."""
        if topic == self.topic:
            self._leave(index)

    def _leave(self, index: int) -> None:
        self._loading.pop(index, None)
        self._failed.discard(index)
        running = self._running.pop(index, None)
        if running is not None:
            running.end(KafkaError(ErrorCode.NOT_COORDINATOR, "the coordinator has moved"))

    def close(self) -> None:
        """The broker stops: all that waits gets NOT_COORDINATOR."""
        for index in (*self._loading, *self.indexes):
            self._leave(index)

    def metadata_changed(self, delta: Delta, image: Image) -> None:
        """Hand it to every shard that asked for it."""
        for running in tuple(self._running.values()):
            running.metadata_changed(delta, image)

    async def _load(self, index: int, leader_epoch: int) -> None:
        shard, began_ns = self._make_shard(index), self._clock.monotonic_ns()
        try:
            partition = await self._partition(index, leader_epoch)
            size = self._load_buffer_size
            await load_shard(partition, shard, self._types, self._clock, self._tasks, size)
        except MoldauError as error:
            if self._loading.get(index) == leader_epoch:
                self._give_up(index, error)
            return
        if self._loading.get(index) == leader_epoch:
            self._start(index, shard, partition)
            now_ns = self._clock.monotonic_ns()
            self.load_times.record((now_ns - began_ns) / NS_PER_MS, now_ns // NS_PER_MS)

    async def _partition(self, index: int, leader_epoch: int) -> ShardPartition:
        """The partition once it can be used: it is announced a moment before."""
        while True:
            try:
                return self._replicas.partition(self.topic, index)
            except KafkaError as error:
                is_over = self._loading.get(index) != leader_epoch
                if is_over or error.code != ErrorCode.NOT_LEADER_OR_FOLLOWER:
                    raise
            await self._tasks.sleep(READY_PAUSE_MS)

    def _start(self, index: int, shard: Shard, partition: ShardPartition) -> None:
        del self._loading[index]
        running = self._running[index] = RunningShard(
            index,
            shard,
            partition,
            self._clock,
            self._tasks,
            on_effect=self._on_effect,
            writing=self._writing,
            written=self.written,
        )
        running.carry_out(shard.loaded(self._clock.now_ms()))

    def _give_up(self, index: int, error: MoldauError) -> None:
        del self._loading[index]
        self._failed.add(index)
        _logger.error("%s-%d cannot be loaded: %s", self.topic, index, error)
