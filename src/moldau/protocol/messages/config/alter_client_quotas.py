"""Set and remove quotas; called by admin clients (KIP-546).

A broker forwards it to the active controller. Keys: `producer_byte_rate`, `consumer_byte_rate`,
`request_percentage`, `controller_mutation_rate`, and for an ip `connection_creation_rate`.

Version 1 changes the encoding alone: it is flexible.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bool, Float64, Int16, Int32, String


class AlterClientQuotasRequest(
    Request, key=49, versions="0-1", flexible="1+", listeners=("broker", "controller")
):
    """Asks for new quotas of entities."""

    entries: list[EntryData]
    validate_only: Bool
    """Check everything, change nothing."""

    class EntryData(Struct):
        entity: list[EntityData]
        """One part, or a user and a client-id."""
        ops: list[OpData]

        class EntityData(Struct):
            entity_type: String
            """`user`, `client-id` or `ip`."""
            entity_name: String | None
            """Null means the default entity of this type."""

        class OpData(Struct):
            """One quota to set or remove."""

            key: String
            value: Float64
            """Ignored on removal."""
            remove: Bool


class AlterClientQuotasResponse(Response, key=49, versions="0-1", flexible="1+"):
    """Answers for each entity."""

    throttle_time_ms: Int32
    entries: list[EntryData]

    class EntryData(Struct):
        error_code: Int16
        error_message: String | None
        entity: list[EntityData]

        class EntityData(Struct):
            entity_type: String
            entity_name: String | None
            """Null means the default entity of this type."""
