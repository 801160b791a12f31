"""Replace all dynamic settings of resources; called by old admin clients.

A broker checks and forwards it to the active controller. What the request does not name falls back
to its default, which is why IncrementalAlterConfigs took its place (KIP-339).

Version 2 changes the encoding alone: it is flexible.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bool, Int8, Int16, Int32, String


class AlterConfigsRequest(
    Request, key=33, versions="0-2", flexible="2+", listeners=("broker", "controller")
):
    """Asks that resources have exactly these dynamic settings."""

    resources: list[AlterConfigsResource]
    validate_only: Bool
    """Check everything, change nothing."""

    class AlterConfigsResource(Struct):
        resource_type: Int8 = at(map_key=True)
        """2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group."""
        resource_name: String = at(map_key=True)
        configs: list[AlterableConfig]

        class AlterableConfig(Struct):
            name: String = at(map_key=True)
            value: String | None
            """Null is refused."""


class AlterConfigsResponse(Response, key=33, versions="0-2", flexible="2+"):
    """Answers for each resource."""

    throttle_time_ms: Int32
    responses: list[AlterConfigsResourceResponse]

    class AlterConfigsResourceResponse(Struct):
        error_code: Int16
        error_message: String | None
        resource_type: Int8
        """2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group."""
        resource_name: String
