"""Write commit and abort markers; transaction coordinators call it of partition leaders.

Each marker becomes a control batch. An older coordinator epoch is refused with
TRANSACTION_COORDINATOR_FENCED. Needs ClusterAction (or Alter on the cluster).

Versions: 1 flexible, 2 the transaction's version, with which the leader insists on a strictly newer
producer epoch (KIP-1228).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bool, Int8, Int16, Int32, ProducerId, TopicName


class WriteTxnMarkersRequest(Request, key=27, versions="1-2", flexible="1+", listeners=("broker",)):
    """Asks leaders to mark where transactions end."""

    markers: list[WritableTxnMarker]

    class WritableTxnMarker(Struct):
        producer_id: ProducerId
        producer_epoch: Int16
        transaction_result: Bool
        """True commits, false aborts."""
        topics: list[WritableTxnMarkerTopic]
        coordinator_epoch: Int32
        """Leader epoch of the transaction log's partition; fences old ones."""
        transaction_version: Int8 = at("2+", default=0, ignorable=True)
        """From 2 on the producer epoch must be above the one known."""

        class WritableTxnMarkerTopic(Struct):
            name: TopicName
            partition_indexes: list[Int32]


class WriteTxnMarkersResponse(Response, key=27, versions="1-2", flexible="1+"):
    """Answers for each partition of each marker."""

    markers: list[WritableTxnMarkerResult]

    class WritableTxnMarkerResult(Struct):
        producer_id: ProducerId
        topics: list[WritableTxnMarkerTopicResult]

        class WritableTxnMarkerTopicResult(Struct):
            name: TopicName
            partitions: list[WritableTxnMarkerPartitionResult]

            class WritableTxnMarkerPartitionResult(Struct):
                partition_index: Int32
                error_code: Int16
