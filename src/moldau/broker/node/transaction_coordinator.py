"""The transaction coordinator of a node, with all that it needs of the others.

The markers that end a transaction go to the leaders of its partitions: by a call to those that
lead here, by WriteTxnMarkers to the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from moldau.broker.coordinator.record_codec import TRANSACTION_RECORDS
from moldau.broker.coordinator.transaction.context import TransactionContext
from moldau.broker.coordinator.transaction.markers import WriteMarkers
from moldau.broker.log.directory.names import TopicPartition
from moldau.broker.metadata.features import TRANSACTION_VERSION
from moldau.broker.metadata.image import Image
from moldau.broker.node.partition_count import partition_count
from moldau.broker.runtime.marker_delivery import MarkerDelivery
from moldau.broker.runtime.shard_batches import WriteSettings
from moldau.broker.runtime.shard_loop import ShardRuntime
from moldau.broker.server.broker import Broker
from moldau.broker.server.topic.creation import TRANSACTIONS_TOPIC
from moldau.broker.server.transaction.changes import LoggedTransactionShard
from moldau.broker.server.transaction.markers import Marker, write_marker
from moldau.broker.server.transaction.other_leaders import OtherLeaders
from moldau.protocol.records.batch import NO_SEQUENCE

__all__ = ["PartitionLeaders", "transaction_coordinator", "transaction_services"]


def transaction_services(broker: Broker) -> ShardRuntime:
    """Fill in the broker's part of transactions; the coordinator is returned."""
    broker.transactions = runtime = transaction_coordinator(broker)
    return runtime


def transaction_coordinator(broker: Broker) -> ShardRuntime:
    """Transactions, in `__transaction_state`."""

    def image() -> Image:
        return broker.metadata.image

    def partition_of_group(group_id: str) -> int:
        assert groups is not None, "every broker has both coordinators"
        return groups.partition_for(group_id)

    settings, groups = broker.settings, broker.groups
    world = TransactionContext(
        settings=settings,
        take_producer_id=broker.producer_ids.take,
        transaction_version=lambda: image().features.level(TRANSACTION_VERSION),
        offsets_partition=partition_of_group,
    )
    delivery = MarkerDelivery(
        lambda index: runtime.running(index), PartitionLeaders(broker), broker.clock, broker.tasks
    )
    runtime = ShardRuntime(
        TRANSACTIONS_TOPIC,
        lambda: partition_count(
            image(), TRANSACTIONS_TOPIC, settings.transaction_state_log_num_partitions
        ),
        lambda index: LoggedTransactionShard(world),
        TRANSACTION_RECORDS,
        broker.replicas,
        broker.clock,
        broker.tasks,
        on_effect=delivery.on_effect,
        writing=WriteSettings(base_sequence=NO_SEQUENCE, timeout_ms=settings.request_timeout_ms),
        load_buffer_size=settings.transaction_state_log_load_buffer_size,
    )
    return runtime


class PartitionLeaders:
    """The leaders of partitions, as this broker knows and reaches them."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._others = OtherLeaders(broker)

    def leader_of(self, partition: TopicPartition) -> int | None:
        """As the metadata say; None where they have no such partition."""
        state = self._broker.metadata.image.topics.partition(*partition)
        return None if state is None else state.leader

    def coordinator_epoch(self, index: int) -> int:
        """The epoch in which this broker coordinates these transactions."""
        epoch: int = self._broker.replicas.partition(TRANSACTIONS_TOPIC, index).leader_epoch
        return epoch

    async def write(
        self,
        leader_id: int,
        markers: WriteMarkers,
        coordinator_epoch: int,
        partitions: Sequence[TopicPartition],
    ) -> Mapping[tuple[str, int], int]:
        """Have them written where they are led."""
        marker = Marker(
            markers.producer_id,
            markers.producer_epoch,
            markers.is_commit,
            coordinator_epoch,
            markers.transaction_version,
        )
        if leader_id != self._broker.node_id:
            return await self._others.write(leader_id, marker, partitions)
        return await write_marker(self._broker, marker, partitions)
