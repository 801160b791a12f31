"""Read quotas; called by admin clients (KIP-546).

Any broker answers from its image of the metadata. A quota belongs to an entity of one or two parts
(user, client-id) or to an ip.

Version 1 changes the encoding alone: it is flexible.
"""

from __future__ import annotations

from moldau.wire.schema import Request, Response, Struct
from moldau.wire.types import Bool, Float64, Int8, Int16, Int32, String


class DescribeClientQuotasRequest(
    Request, key=48, versions="0-1", flexible="1+", listeners=("broker",)
):
    """Asks for the quotas of entities that match."""

    components: list[ComponentData]
    strict: Bool

    class ComponentData(Struct):
        entity_type: String
        match_type: Int8
        match: String | None


class DescribeClientQuotasResponse(Response, key=48, versions="0-1", flexible="1+"):
    """Answers with each entity and its quotas."""

    throttle_time_ms: Int32
    error_code: Int16
    error_message: String | None
    entries: list[EntryData] | None

    class EntryData(Struct):
        entity: list[EntityData]
        values: list[ValueData]

        class EntityData(Struct):
            entity_type: String
            entity_name: String | None

        class ValueData(Struct):
            key: String
            value: Float64
