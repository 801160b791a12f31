"""Metadata records of topics and partitions, written by the active controller.

The log is `__cluster_metadata-0`; the key is null, the value starts with three unsigned varints:
frame 1, the record's id, its version. All are flexible.

Life of a partition: one PartitionRecord, then PartitionChangeRecords that name only what changed.
Every change raises the partition epoch by one; one that names a leader, the leader epoch too.

PartitionRecord and its change: 1 adds directory ids (KIP-858), 2 eligible leaders (KIP-966).
RemoveTopicRecord takes the partitions with it.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import MetadataRecord
from moldau.protocol.wire.types import BrokerId, Int8, Int32, TopicName, Uuid


class TopicRecord(MetadataRecord, key=2, versions="0", flexible="0+"):
    """Records that a topic exists."""

    name: TopicName
    topic_id: Uuid


class PartitionRecord(MetadataRecord, key=3, versions="0-2", flexible="0+"):
    """Records a partition as a whole: at creation, and in snapshots."""

    partition_id: Int32 = -1
    topic_id: Uuid
    replicas: list[BrokerId]
    """The first is the preferred leader."""
    isr: list[Int32]
    removing_replicas: list[BrokerId]
    adding_replicas: list[BrokerId]
    leader: BrokerId = -1
    """-1 if there is none."""
    leader_recovery_state: Int8 = at(default=0, tag=0)
    """1 while recovering from an unclean election, else 0."""
    leader_epoch: Int32 = -1
    """Rises with every election."""
    partition_epoch: Int32 = -1
    """Rises with every change."""
    directories: list[Uuid] = at("1+")
    """One for each replica, in the same order."""
    eligible_leader_replicas: list[BrokerId] | None = at("2+", default=None, tag=1)
    """Left the in-sync set, yet lack nothing that was acknowledged."""
    last_known_elr: list[BrokerId] | None = at("2+", default=None, tag=2)
    """Were eligible until they came back without proof of a clean stop."""


class PartitionChangeRecord(MetadataRecord, key=5, versions="0-2", flexible="0+"):
    """Records what changed of a partition; what is not named stays."""

    partition_id: Int32 = -1
    topic_id: Uuid
    isr: list[BrokerId] | None = at(default=None, tag=0)
    """Null: as before, here and in all lists below."""
    leader: BrokerId = at(default=-2, tag=1)
    """-1 none, -2 as before; the leader epoch rises unless it is -2."""
    replicas: list[BrokerId] | None = at(default=None, tag=2)
    removing_replicas: list[BrokerId] | None = at(default=None, tag=3)
    adding_replicas: list[BrokerId] | None = at(default=None, tag=4)
    leader_recovery_state: Int8 = at(default=-1, tag=5)
    """-1 as before, 0 recovered, 1 recovering."""
    directories: list[Uuid] | None = at("1+", default=None, tag=8)
    """One for each replica, in the same order."""
    eligible_leader_replicas: list[BrokerId] | None = at("2+", default=None, tag=6)
    last_known_elr: list[BrokerId] | None = at("2+", default=None, tag=7)


class RemoveTopicRecord(MetadataRecord, key=9, versions="0", flexible="0+"):
    """Records that a topic and all its partitions are gone."""

    topic_id: Uuid


class ClearElrRecord(MetadataRecord, key=28, versions="0", flexible="0+"):
    """Records that eligible leaders are void, as the minimum in-sync count changed."""

    topic_name: TopicName
    """Empty means all topics."""
