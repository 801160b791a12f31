"""Make a controller known; every controller calls it until the metadata show it as it is.

The active controller answers and writes a record, so that tools find endpoints and that upgrades
know what all controllers support (KIP-919).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bool, Int16, Int32, String, UInt16, Uuid


class ControllerRegistrationRequest(
    Request, key=70, versions="0", flexible="0+", listeners=("controller",)
):
    """Registers a controller: where it listens and what it supports."""

    controller_id: Int32
    incarnation_id: Uuid
    """Made up at each start of the process."""
    zk_migration_ready: Bool
    """Never true any more."""
    listeners: list[Listener]
    features: list[Feature]

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


class ControllerRegistrationResponse(Response, key=70, versions="0", flexible="0+"):
    """Answers whether it is written down."""

    throttle_time_ms: Int32
    error_code: Int16
    error_message: String | None
