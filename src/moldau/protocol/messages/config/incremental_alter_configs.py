"""Change single dynamic settings; called by admin clients (KIP-339).

A broker checks and forwards it to the active controller; log levels it changes itself. A resource
is changed as a whole or not at all.

Version 1 changes the encoding alone: it is flexible.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bool, Int8, Int16, Int32, String


class IncrementalAlterConfigsRequest(
    Request, key=44, versions="0-1", flexible="1+", listeners=("broker", "controller")
):
    """Asks to set, delete, append to or subtract from settings."""

    resources: list[AlterConfigsResource]
    validate_only: Bool
    """Check everything, change nothing."""

    class AlterConfigsResource(Struct):
        resource_type: Int8 = at(map_key=True)
        """2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group."""
        resource_name: String = at(map_key=True)
        """Empty with type broker: the default of all brokers."""
        configs: list[AlterableConfig]

        class AlterableConfig(Struct):
            name: String = at(map_key=True)
            config_operation: Int8 = at(map_key=True)
            """0 set, 1 delete, 2 append, 3 subtract; the last two need a list."""
            value: String | None
            """Null only to delete."""


class IncrementalAlterConfigsResponse(Response, key=44, versions="0-1", flexible="1+"):
    """Answers for each resource."""

    throttle_time_ms: Int32
    responses: list[AlterConfigsResourceResponse]

    class AlterConfigsResourceResponse(Struct):
        error_code: Int16
        error_message: String | None
        resource_type: Int8
        """2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group."""
        resource_name: String
