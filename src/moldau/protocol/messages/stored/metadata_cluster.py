"""Metadata records of cluster-wide settings, written by the active controller.

Settings, quotas and feature levels are last-value-wins by their names. ProducerIdsRecord keeps the
end of the blocks handed out. NoOpRecord is written every half second of idleness: a high watermark
that moves shows that the quorum can still commit (KIP-835).

ZkMigrationStateRecord is only read, from logs that saw ZooKeeper.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import MetadataRecord, Struct
from moldau.protocol.wire.types import Bool, BrokerId, Float64, Int8, Int16, Int64, String


class ConfigRecord(MetadataRecord, key=4, versions="0", flexible="0+"):
    """Records one dynamic setting of a resource, or its removal."""

    resource_type: Int8
    """2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group."""
    resource_name: String
    """Empty with type broker: the default of all brokers."""
    name: String
    value: String | None
    """Null removes the setting."""


class ClientQuotaRecord(MetadataRecord, key=14, versions="0", flexible="0+"):
    """Records one quota of an entity, or its removal."""

    entity: list[EntityData]
    key: String
    value: Float64
    """Ignored on removal."""
    remove: Bool

    class EntityData(Struct):
        entity_type: String
        """`user`, `client-id` or `ip`."""
        entity_name: String | None
        """Null means the default entity of this type."""


class FeatureLevelRecord(MetadataRecord, key=12, versions="0", flexible="0+"):
    """Records the finalized level of a feature, such as `metadata.version`."""

    name: String
    feature_level: Int16
    """0 switches the feature off."""


class ProducerIdsRecord(MetadataRecord, key=15, versions="0", flexible="0+"):
    """Records which producer ids have been handed out."""

    broker_id: BrokerId
    broker_epoch: Int64 = -1
    next_producer_id: Int64
    """All below are handed out."""


class NoOpRecord(MetadataRecord, key=20, versions="0", flexible="0+"):
    """Records nothing; that it gets committed is the message."""


class ZkMigrationStateRecord(MetadataRecord, key=21, versions="0", flexible="0+"):
    """Records where the migration from ZooKeeper stood."""

    zk_migration_state: Int8
    """0 in clusters that never had ZooKeeper."""
