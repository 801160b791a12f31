"""The coordinators of a node: which shard runs on which internal topic, with what.

The shards of groups are imported with the first partition of `__consumer_offsets` that is led here:
they are a third of all modules, and a node that has just been made needs none of them to start.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, cast

from moldau.config.broker.settings import BrokerSettings
from moldau.coordinator.group.groups import GroupWorld
from moldau.coordinator.record_codec import GROUP_RECORDS
from moldau.metadata.image import Image
from moldau.node.world import NodeWorld
from moldau.replica.manager import ReplicaManager
from moldau.runtime.running_shard import OnEffect
from moldau.runtime.shard_loop import ShardRuntime
from moldau.server.topic_creation import OFFSETS_TOPIC

if TYPE_CHECKING:
    from moldau.coordinator.group.shard import GroupShard

__all__ = ["MayDescribe", "group_coordinator", "partition_count"]

MayDescribe = Callable[[object, str], bool]
"""Whether who asks may know of a topic."""


def group_coordinator(
    world: NodeWorld,
    settings: BrokerSettings,
    replicas: ReplicaManager,
    image: Callable[[], Image],
    may_describe: MayDescribe = lambda asker, topic: True,
    on_effect: OnEffect = lambda index, effect: None,
) -> ShardRuntime:
    """Groups of every kind, in `__consumer_offsets`."""
    shard_world = GroupWorld(settings, world.random, image, may_describe)
    return ShardRuntime(
        OFFSETS_TOPIC,
        lambda: partition_count(image(), OFFSETS_TOPIC, settings.offsets_topic_num_partitions),
        lambda index: _group_shard(shard_world),
        GROUP_RECORDS,
        replicas,
        world.clock,
        world.tasks,
        on_effect=on_effect,
        write_timeout_ms=settings.offsets_commit_timeout_ms,
    )


def _group_shard(world: GroupWorld) -> GroupShard:
    made = import_module("moldau.coordinator.group.shard").GroupShard(world)
    return cast("GroupShard", made)


def partition_count(image: Image, topic: str, before: int) -> int:
    """How many partitions the topic has, or will have when it is there."""
    known = image.topics.by_name.get(topic)
    return before if known is None else len(known.partitions)
