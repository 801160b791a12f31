"""Metadata records of nodes, written by the active controller.

A broker's epoch is the offset of its RegisterBrokerRecord. It starts fenced; a change record
unfences it, fences it, or notes that it is shutting down. FenceBroker and UnfenceBroker are older
forms of that change, still read.

RegisterBrokerRecord: version 1 adds controlled shutdown, 2 a flag of the ZooKeeper migration,
3 directory ids (KIP-858), 4 cordoned ones (KIP-1066). The change record never had that flag: its
2 and 3 are the other's 3 and 4.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import MetadataRecord, Struct
from moldau.protocol.wire.types import (
    Bool,
    BrokerId,
    Int8,
    Int16,
    Int32,
    Int64,
    String,
    UInt16,
    Uuid,
)


class RegisterBrokerRecord(MetadataRecord, key=0, versions="0-4", flexible="0+"):
    """Records a broker's registration; it replaces an earlier one."""

    broker_id: BrokerId
    is_migrating_zk_broker: Bool = at("2+", default=False)
    """Only in logs that saw ZooKeeper."""
    incarnation_id: Uuid
    """Made up by the broker at each start."""
    broker_epoch: Int64
    """The offset of this very record."""
    end_points: list[BrokerEndpoint]
    features: list[BrokerFeature]
    rack: String | None
    fenced: Bool = True
    in_controlled_shutdown: Bool = at("1+", default=False)
    log_dirs: list[Uuid] = at("3+", tag=0)
    """Directory ids."""
    cordoned_log_dirs: list[Uuid] | None = at("4+", default=None, tag=1)
    """Directory ids that get no new partitions; null before the first heartbeat."""

    class BrokerEndpoint(Struct):
        name: String = at(map_key=True)
        host: String
        port: UInt16
        security_protocol: Int16
        """SecurityProtocol: 0 PLAINTEXT, 1 SSL, 2 SASL_PLAINTEXT, 3 SASL_SSL."""

    class BrokerFeature(Struct):
        name: String = at(map_key=True)
        min_supported_version: Int16
        max_supported_version: Int16


class BrokerRegistrationChangeRecord(MetadataRecord, key=17, versions="0-3", flexible="0+"):
    """Records what changed of a registered broker."""

    broker_id: BrokerId
    broker_epoch: Int64
    """Must be the registered one, or the record is of an earlier life."""
    fenced: Int8 = at(tag=0)
    """1 fenced, -1 unfenced, 0 as before."""
    in_controlled_shutdown: Int8 = at("1+", tag=1)
    """1 shutting down, 0 as before."""
    log_dirs: list[Uuid] = at("2+", tag=2)
    """Empty: as before."""
    cordoned_log_dirs: list[Uuid] | None = at("3+", default=None, tag=3)
    """Null: as before."""


class FenceBrokerRecord(MetadataRecord, key=7, versions="0", flexible="0+"):
    """Records, in the old form, that a broker is fenced."""

    id: BrokerId
    epoch: Int64


class UnfenceBrokerRecord(MetadataRecord, key=8, versions="0", flexible="0+"):
    """Records, in the old form, that a broker is unfenced."""

    id: BrokerId
    epoch: Int64


class UnregisterBrokerRecord(MetadataRecord, key=1, versions="0", flexible="0+"):
    """Records that a broker is gone from the cluster."""

    broker_id: BrokerId
    broker_epoch: Int64


class RegisterControllerRecord(MetadataRecord, key=27, versions="0", flexible="0+"):
    """Records a controller's endpoints and features."""

    controller_id: Int32
    incarnation_id: Uuid
    zk_migration_ready: Bool
    """Never true any more."""
    end_points: list[ControllerEndpoint]
    features: list[ControllerFeature]

    class ControllerEndpoint(Struct):
        name: String = at(map_key=True)
        host: String
        port: UInt16
        security_protocol: Int16
        """SecurityProtocol: 0 PLAINTEXT, 1 SSL, 2 SASL_PLAINTEXT, 3 SASL_SSL."""

    class ControllerFeature(Struct):
        name: String = at(map_key=True)
        min_supported_version: Int16
        max_supported_version: Int16
