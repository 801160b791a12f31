"""What a node needs to serve share groups: their coordinators, their partitions, their sessions."""

from __future__ import annotations

from moldau.broker.coordinator.record_codec import SHARE_STATE_RECORDS
from moldau.broker.coordinator.share.state_shard import DeleteBelow, ShareStateShard
from moldau.broker.metadata.image import Image
from moldau.broker.node.partition_count import partition_count
from moldau.broker.replica.assignment import NO_LEADER
from moldau.broker.runtime.shard_batches import WriteSettings
from moldau.broker.runtime.shard_loop import ShardRuntime
from moldau.broker.runtime.share_partitions import SharePartitions
from moldau.broker.runtime.share_states import ShareStates
from moldau.broker.server.broker import Broker
from moldau.broker.server.partition.delete_records import delete_records
from moldau.broker.server.share.sessions import ShareSessions
from moldau.broker.server.topic.creation import SHARE_STATE_TOPIC
from moldau.errors import MoldauError
from moldau.protocol.records.compression import Codec
from moldau.protocol.wire.schema import Message

__all__ = ["OtherShareCoordinators", "share_coordinator", "share_services"]


def share_services(broker: Broker) -> ShardRuntime:
    """Fill in the broker's part of share groups; the coordinator is returned."""
    runtime = share_coordinator(broker)
    broker.share_states = ShareStates(
        runtime,
        broker.tasks,
        broker.clock,
        lambda: _make_topic(broker),
        persists=broker.settings.persists_share_state,
        elsewhere=OtherShareCoordinators(broker),
    )
    broker.shares = SharePartitions(
        broker.share_states,
        broker.replicas,
        broker.settings,
        lambda: broker.metadata.image,
        broker.clock,
        broker.tasks,
    )
    broker.share_sessions = ShareSessions(broker.settings.group_share_max_share_sessions)
    return runtime


def share_coordinator(broker: Broker) -> ShardRuntime:
    """The state of share partitions, in `__share_group_state`."""

    def image() -> Image:
        return broker.metadata.image

    settings = broker.settings
    return ShardRuntime(
        SHARE_STATE_TOPIC,
        lambda: partition_count(
            image(), SHARE_STATE_TOPIC, settings.share_coordinator_state_topic_num_partitions
        ),
        lambda index: ShareStateShard(settings, image),
        SHARE_STATE_RECORDS,
        broker.replicas,
        broker.clock,
        broker.tasks,
        on_effect=lambda index, effect: _carry_out(broker, index, effect),
        writing=WriteSettings(
            codec=Codec(settings.share_coordinator_state_topic_compression_codec),
            linger_ms=settings.share_coordinator_append_linger_ms,
            timeout_ms=settings.share_coordinator_write_timeout_ms,
        ),
        load_buffer_size=settings.share_coordinator_load_buffer_size,
    )


def _carry_out(broker: Broker, index: int, effect: object) -> None:
    if isinstance(effect, DeleteBelow):
        work = _delete_below(broker, index, effect.offset)
        broker.tasks.spawn(f"shorten {SHARE_STATE_TOPIC}-{index}", work)


async def _delete_below(broker: Broker, index: int, offset: int) -> None:
    """What cannot be deleted now will be the next time."""
    try:
        partition = broker.replicas.leader(SHARE_STATE_TOPIC, index)
        await delete_records(broker, partition, offset)
    except MoldauError:
        return


class OtherShareCoordinators:
    """The coordinators on other brokers, as the metadata place them."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker

    def leader_of(self, index: int) -> int | None:
        """The broker that coordinates this partition of the topic, if it is another one."""
        state = self._broker.metadata.image.topics.partition(SHARE_STATE_TOPIC, index)
        if state is None or state.leader in (NO_LEADER, self._broker.node_id):
            return None
        return state.leader

    async def ask(self, broker_id: int, request: Message) -> Message:
        """Its answer."""
        timeout_ms = self._broker.settings.request_timeout_ms
        answer: Message = await self._broker.others.ask(broker_id, request, timeout_ms)
        return answer


def _make_topic(broker: Broker) -> None:
    if SHARE_STATE_TOPIC not in broker.metadata.image.topics.by_name:
        broker.topic_creation.begin(broker, [SHARE_STATE_TOPIC])
