"""Read quotas; called by admin clients (KIP-546).

Any broker answers from its image of the metadata. A quota belongs to an entity of one or two parts
(user, client-id) or to an ip.

Version 1 changes the encoding alone: it is flexible.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bool, Float64, Int8, Int16, Int32, String


class DescribeClientQuotasRequest(
    Request, key=48, versions="0-1", flexible="1+", listeners=("broker",)
):
    """Asks for the quotas of entities that match."""

    components: list[ComponentData]
    """Each must hold."""
    strict: Bool
    """Leave out entities that have parts not named here."""

    class ComponentData(Struct):
        """A condition on one part of the entity."""

        entity_type: String
        """`user`, `client-id` or `ip`."""
        match_type: Int8
        """0 this name, 1 the default entity, 2 any named one."""
        match: String | None
        """The name for match 0, else null."""


class DescribeClientQuotasResponse(Response, key=48, versions="0-1", flexible="1+"):
    """Answers with each entity and its quotas."""

    throttle_time_ms: Int32
    error_code: Int16
    error_message: String | None
    entries: list[EntryData] | None
    """Null beside an error."""

    class EntryData(Struct):
        entity: list[EntityData]
        values: list[ValueData]

        class EntityData(Struct):
            entity_type: String
            """`user`, `client-id` or `ip`."""
            entity_name: String | None
            """Null means the default entity of this type."""

        class ValueData(Struct):
            key: String
            value: Float64
