"""The group coordinator of a node: which shard runs on `__consumer_offsets`, with what."""

from __future__ import annotations

from moldau.broker.coordinator.group.groups import GroupContext
from moldau.broker.coordinator.record_codec import GROUP_RECORDS
from moldau.broker.metadata.image import Image
from moldau.broker.node.partition_count import partition_count
from moldau.broker.runtime.shard_batches import WriteSettings
from moldau.broker.runtime.shard_loop import ShardRuntime
from moldau.broker.server.broker import Broker
from moldau.broker.server.group.changes import LoggedGroupShard
from moldau.broker.server.group.effects import carry_out, may_describe
from moldau.broker.server.topic.creation import OFFSETS_TOPIC
from moldau.protocol.records.compression import Codec

__all__ = ["group_coordinator", "group_services"]


def group_services(broker: Broker) -> ShardRuntime:
    """Fill in the broker's part of groups; the coordinator is returned."""
    broker.groups = runtime = group_coordinator(broker)
    return runtime


def group_coordinator(broker: Broker) -> ShardRuntime:
    """Groups of every kind, in `__consumer_offsets`."""

    def image() -> Image:
        return broker.metadata.image

    def may_see(caller: object, topic: str) -> bool:
        return may_describe(broker, caller, topic)

    settings = broker.settings
    shard_world = GroupContext(settings, broker.random, image, may_see)
    return ShardRuntime(
        OFFSETS_TOPIC,
        lambda: partition_count(image(), OFFSETS_TOPIC, settings.offsets_topic_num_partitions),
        lambda index: LoggedGroupShard(shard_world),
        GROUP_RECORDS,
        broker.replicas,
        broker.clock,
        broker.tasks,
        on_effect=lambda index, effect: carry_out(broker, effect),
        writing=WriteSettings(
            codec=Codec(settings.offsets_topic_compression_codec),
            linger_ms=settings.group_coordinator_append_linger_ms,
            timeout_ms=settings.offsets_commit_timeout_ms,
        ),
        load_buffer_size=settings.offsets_load_buffer_size,
    )
