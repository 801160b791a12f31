"""Enter the cluster; a starting broker calls it once per life (KIP-631).

The active controller answers with the broker epoch: the offset of the record it wrote. The broker
stays fenced until its heartbeats show that it has caught up. The same id, alive elsewhere, is
DUPLICATE_BROKER_REGISTRATION.

Versions: 1 a flag of the ZooKeeper migration, never set any more, 2 directory ids (KIP-858),
3 epoch of the life before, as proof of a clean shutdown (KIP-966), 4 features whose lowest level is
0 are no longer left out (KAFKA-17011).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bool, BrokerId, Int16, Int32, Int64, String, UInt16, Uuid


class BrokerRegistrationRequest(
    Request, key=62, versions="0-4", flexible="0+", listeners=("controller",)
):
    """Registers a broker: its identity, where it listens and what it supports."""

    broker_id: BrokerId
    cluster_id: String
    incarnation_id: Uuid
    """Made up at each start of the process."""
    listeners: list[Listener]
    features: list[Feature]
    """Must contain every level in force. Below version 4 without lowest level 0."""
    rack: String | None
    is_migrating_zk_broker: Bool = at("1+", default=False)
    """Never true any more."""
    log_dirs: list[Uuid] = at("2+", ignorable=True)
    """Directory ids, unique in the cluster."""
    previous_broker_epoch: Int64 = at("3+", default=-1, ignorable=True)
    """From the clean-shutdown file; -1 means the last stop was not clean."""

    class Listener(Struct):
        name: String = at(map_key=True)
        host: String
        port: UInt16
        security_protocol: Int16
        """SecurityProtocol: 0 PLAINTEXT, 1 SSL, 2 SASL_PLAINTEXT, 3 SASL_SSL."""

    class Feature(Struct):
        name: String = at(map_key=True)
        min_supported_version: Int16
        max_supported_version: Int16


class BrokerRegistrationResponse(Response, key=62, versions="0-4", flexible="0+"):
    """Answers with the epoch that names this life of the broker."""

    throttle_time_ms: Int32
    error_code: Int16
    broker_epoch: Int64 = -1
    """-1 on an error."""
