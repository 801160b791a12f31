"""Change the in-sync replicas; the leader of a partition calls it (KIP-497).

The active controller answers with the state that now holds, also when it refuses. Only the leader
may propose, one proposal per partition at a time, against the partition epoch it has seen.

Versions: 2 topic ids instead of names (KIP-841), 3 each replica with its broker epoch, so that a
restarted one is not let in by mistake (KIP-903).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import BrokerId, Int8, Int16, Int32, Int64, Uuid


class AlterPartitionRequest(
    Request, key=56, versions="2-3", flexible="2+", listeners=("controller",)
):
    """Asks for another in-sync set, or ends a recovery."""

    broker_id: BrokerId
    broker_epoch: Int64 = -1
    """A stale one is refused."""
    topics: list[TopicData]

    class TopicData(Struct):
        topic_id: Uuid = at(ignorable=True)
        partitions: list[PartitionData]

        class PartitionData(Struct):
            partition_index: Int32
            leader_epoch: Int32
            new_isr: list[BrokerId] = at("-2")
            """Whole set, up to version 2."""
            new_isr_with_epochs: list[BrokerState] = at("3+")
            """Whole set; members that are fenced or stale are refused."""
            leader_recovery_state: Int8 = 0
            """1 while recovering from an unclean election, else 0."""
            partition_epoch: Int32
            """The state it builds on; another one is INVALID_UPDATE_VERSION."""

            class BrokerState(Struct):
                """A replica, in the life in which it was seen."""

                broker_id: BrokerId
                broker_epoch: Int64 = -1
                """-1 is not checked."""


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
            """1 while recovering from an unclean election, else 0."""
            partition_epoch: Int32
            """To build the next proposal on."""
