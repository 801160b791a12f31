"""Enter the cluster; a starting broker calls it once per life (KIP-631).

The active controller answers with the broker epoch: the offset of the record it wrote. The broker
stays fenced until its heartbeats show that it has caught up. The same id, alive elsewhere, is
DUPLICATE_BROKER_REGISTRATION.

Versions: 1 a flag of the ZooKeeper migration, never set any more, 2 directory ids (KIP-858),
3 epoch of the life before, as proof of a clean shutdown (KIP-966), 4 features whose lowest level is
0 are no longer left out (KAFKA-17011).
"""

from __future__ import annotations

from moldau.wire.declaration import at
from moldau.wire.schema import Request, Response, Struct
from moldau.wire.types import Bool, BrokerId, Int16, Int32, Int64, String, UInt16, Uuid


class BrokerRegistrationRequest(
    Request, key=62, versions="0-4", flexible="0+", listeners=("controller",)
):
    """Says who a broker is, where it listens and what it supports."""

    broker_id: BrokerId
    cluster_id: String
    incarnation_id: Uuid
    listeners: list[Listener]
    features: list[Feature]
    rack: String | None
    is_migrating_zk_broker: Bool = at("1+", default=False)
    log_dirs: list[Uuid] = at("2+", ignorable=True)
    previous_broker_epoch: Int64 = at("3+", default=-1, ignorable=True)

    class Listener(Struct):
        name: String = at(map_key=True)
        host: String
        port: UInt16
        security_protocol: Int16

    class Feature(Struct):
        name: String = at(map_key=True)
        min_supported_version: Int16
        max_supported_version: Int16


class BrokerRegistrationResponse(Response, key=62, versions="0-4", flexible="0+"):
    """Answers with the epoch that names this life of the broker."""

    throttle_time_ms: Int32
    error_code: Int16
    broker_epoch: Int64 = -1
