"""A broker's replicas on a simulated disk, and a hand-made image that says what they shall be."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

from moldau.broker.log.directory.clean_shutdown import write_clean_shutdown
from moldau.broker.log.directory.directories import open_directories
from moldau.broker.log.directory.directory import format_directory
from moldau.broker.log.directory.meta_properties import MetaProperties
from moldau.broker.log.world import World
from moldau.broker.replica.manager import ReplicaManager
from moldau.broker.replica.partition import Partition
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.simulated.tasks import SimulatedTasks, run

Value = TypeVar("Value")
NODE = 1
CLUSTER = "cluster-of-the-tests00"
DIRECTORY_IDS = (b"\x0a" * 16, b"\x0b" * 16)


@dataclass
class Assigned:
    """What an image says of one partition."""

    replicas: tuple[int, ...] = (NODE,)
    isr: tuple[int, ...] = (NODE,)
    leader: int = NODE
    leader_epoch: int = 0
    partition_epoch: int = 0
    adding_replicas: tuple[int, ...] = ()
    directories: tuple[bytes, ...] = (bytes(16),)


@dataclass
class SomeTopic:
    name: str
    topic_id: bytes
    partitions: dict[int, Assigned]


@dataclass
class SomeTopics:
    by_id: dict[bytes, SomeTopic] = field(default_factory=dict)

    @property
    def by_name(self) -> dict[str, SomeTopic]:
        return {topic.name: topic for topic in self.by_id.values()}


@dataclass
class SomeImage:
    topics: SomeTopics = field(default_factory=SomeTopics)


@dataclass
class SomeDelta:
    changed_topics: set[bytes] = field(default_factory=set)
    deleted_topics: set[bytes] = field(default_factory=set)
    changed_configs: set[tuple[int, str]] = field(default_factory=set)


@dataclass
class SomeSettings:
    """Kafka's defaults for a topic, as far as replicas read them."""

    leader_replication_throttled_replicas: tuple[str, ...] = ()
    follower_replication_throttled_replicas: tuple[str, ...] = ()
    segment_bytes: int = 1 << 30
    internal_segment_bytes: int | None = None
    segment_ms: int = 604_800_000
    segment_jitter_ms: int = 0
    segment_index_bytes: int = 1 << 20
    index_interval_bytes: int = 4096
    preallocate: bool = False
    flush_messages: int = (1 << 63) - 1
    flush_ms: int = (1 << 63) - 1
    cleanup_policy: tuple[str, ...] = ("delete",)
    retention_ms: int = 604_800_000
    retention_bytes: int = -1
    file_delete_delay_ms: int = 60_000
    min_cleanable_dirty_ratio: float = 0.5
    min_compaction_lag_ms: int = 0
    max_compaction_lag_ms: int = (1 << 63) - 1
    delete_retention_ms: int = 86_400_000
    max_message_bytes: int = 1_048_588
    message_timestamp_type: str = "CreateTime"
    message_timestamp_before_max_ms: int = (1 << 63) - 1
    message_timestamp_after_max_ms: int = (1 << 63) - 1
    compression_type: str = "producer"
    compression_gzip_level: int = -1
    compression_lz4_level: int = 9
    compression_zstd_level: int = 3
    encryption_at_rest: str = ""
    min_insync_replicas: int = 1


@dataclass
class Broker:
    """One broker's disk, clock and metadata; restarts keep the disk."""

    directory_count: int = 1
    files: SimulatedFiles = field(default_factory=SimulatedFiles)
    clock: SimulatedClock = field(default_factory=SimulatedClock)
    image: SomeImage = field(default_factory=SomeImage)
    settings: SomeSettings = field(default_factory=SomeSettings)

    def __post_init__(self) -> None:
        for path, directory_id in zip(self.paths, DIRECTORY_IDS, strict=False):
            format_directory(
                self.files,
                path,
                MetaProperties(cluster_id=CLUSTER, node_id=NODE, directory_id=directory_id),
            )

    @property
    def paths(self) -> list[str]:
        return [f"disk{number}" for number in range(self.directory_count)]

    def run(
        self, act: Callable[[ReplicaManager, SimulatedTasks], Coroutine[Any, Any, Value]]
    ) -> Value:
        """Start replicas on this disk, and act."""

        async def main(tasks: SimulatedTasks) -> Value:
            directories = open_directories(self.files, self.paths, cluster_id=CLUSTER, node_id=NODE)
            for directory in directories:
                directory.take_clean_shutdown()
            world = World(self.files, self.clock, SeededRandom(1))
            manager = ReplicaManager(
                NODE, directories, world, tasks, self.image, lambda _image, _topic: self.settings
            )
            await manager.start()
            await manager.settled()
            try:
                return await act(manager, tasks)
            finally:
                directories.close()

        return run(main, self.clock)

    def mark_clean(self, path: str) -> None:
        """As a node does that has stopped in order."""
        write_clean_shutdown(self.files, path)

    def add_topic(
        self, manager: ReplicaManager | None, name: str = "topic", **assigned: Any
    ) -> bytes:
        """A topic of one partition; notifies the manager, if there is one."""
        topic_id = name.encode().ljust(16, b"-")[:16]
        self.image.topics.by_id[topic_id] = SomeTopic(name, topic_id, {0: Assigned(**assigned)})
        if manager is not None:
            manager.apply(SomeDelta(changed_topics={topic_id}), self.image)
        return topic_id

    def change(self, manager: ReplicaManager, topic_id: bytes, **assigned: Any) -> None:
        self.image.topics.by_id[topic_id].partitions[0] = Assigned(**assigned)
        manager.apply(SomeDelta(changed_topics={topic_id}), self.image)

    def delete_topic(self, manager: ReplicaManager, topic_id: bytes) -> None:
        del self.image.topics.by_id[topic_id]
        manager.apply(SomeDelta(deleted_topics={topic_id}), self.image)


def with_partition(act: Callable[[Partition], Value], **assigned: Any) -> Value:
    """Run an act with one partition of a fresh broker."""
    broker = Broker()
    broker.add_topic(None, **assigned)

    async def main(manager: ReplicaManager, _tasks: SimulatedTasks) -> Value:
        return act(manager.partition("topic", 0))

    return broker.run(main)
