"""List the resources that have dynamic settings; called by admin clients.

Any broker answers. Version 0 was called ListClientMetricsResources and knows only those (KIP-714);
1 adds the other types (KIP-1142).
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Int8, Int16, Int32, String


class ListConfigResourcesRequest(
    Request, key=74, versions="0-1", flexible="0+", listeners=("broker",)
):
    """Asks which resources there are of these types."""

    resource_types: list[Int8] = at("1+")
    """None means every type."""


class ListConfigResourcesResponse(Response, key=74, versions="0-1", flexible="0+"):
    """Answers with name and type of each."""

    throttle_time_ms: Int32
    error_code: Int16
    config_resources: list[ConfigResource]

    class ConfigResource(Struct):
        resource_name: String
        resource_type: Int8 = at("1+", default=16, ignorable=True)
        """2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group."""
