"""Change the in-sync replicas; the leader of a partition calls it (KIP-497).

The active controller answers with the state that now holds, also when it refuses. Only the leader
may propose, one proposal per partition at a time, against the partition epoch it has seen.

Versions: 2 topic ids instead of names (KIP-841), 3 each replica with its broker epoch, so that a
restarted one is not let in by mistake (KIP-903).
"""

from __future__ import annotations

from moldau.wire.declaration import at
from moldau.wire.schema import Request, Response, Struct
from moldau.wire.types import BrokerId, Int8, Int16, Int32, Int64, Uuid


class AlterPartitionRequest(
    Request, key=56, versions="2-3", flexible="2+", listeners=("controller",)
):
    """Asks for another in-sync set, or ends a recovery."""

    broker_id: BrokerId
    broker_epoch: Int64 = -1
    topics: list[TopicData]

    class TopicData(Struct):
        topic_id: Uuid = at(ignorable=True)
        partitions: list[PartitionData]

        class PartitionData(Struct):
            partition_index: Int32
            leader_epoch: Int32
            new_isr: list[BrokerId] = at("-2")
            new_isr_with_epochs: list[BrokerState] = at("3+")
            leader_recovery_state: Int8 = 0
            partition_epoch: Int32

            class BrokerState(Struct):
                broker_id: BrokerId
                broker_epoch: Int64 = -1


class AlterPartitionResponse(Response, key=56, versions="2-3", flexible="2+"):
    """Answers with leader, in-sync set and epochs as they stand."""

    throttle_time_ms: Int32
    error_code: Int16
    topics: list[TopicData]

    class TopicData(Struct):
        topic_id: Uuid = at(ignorable=True)
        partitions: list[PartitionData]

        class PartitionData(Struct):
            partition_index: Int32
            error_code: Int16
            leader_id: BrokerId
            leader_epoch: Int32
            isr: list[BrokerId]
            leader_recovery_state: Int8 = at(default=0, ignorable=True)
            partition_epoch: Int32
