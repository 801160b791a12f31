"""DescribeClientQuotas: the quotas of entities that match (KIP-546).

Versions 0-1. Answered from this broker's image. A condition names a type and a name, the default,
or any of both; an entity must meet all conditions, and if the request is strict, have no others.
"""

from __future__ import annotations

from moldau.broker.metadata.settings import QuotaEntity
from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.controller.access import require
from moldau.errors import KafkaError
from moldau.protocol.messages.config.describe_client_quotas import (
    DescribeClientQuotasRequest,
    DescribeClientQuotasResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

USER, CLIENT_ID, IP = "user", "client-id", "ip"
EXACT, DEFAULT, ANY = 0, 1, 2
Condition = DescribeClientQuotasRequest.ComponentData
Entry = DescribeClientQuotasResponse.EntryData


def handle(call: Call[DescribeClientQuotasRequest], broker: Broker) -> DescribeClientQuotasResponse:
    request = call.request
    require(call, broker, Operation.DESCRIBE_CONFIGS)
    try:
        _check(request)
    except KafkaError as error:
        return DescribeClientQuotasResponse(
            throttle_time_ms=0, error_code=error.code, error_message=error.message, entries=None
        )
    entries = [
        Entry(
            entity=[Entry.EntityData(entity_type=kind, entity_name=name) for kind, name in entity],
            values=[Entry.ValueData(key=key, value=value) for key, value in quotas.items()],
        )
        for entity, quotas in broker.metadata.image.quotas.by_entity.items()
        if _matches(entity, request)
    ]
    return DescribeClientQuotasResponse(
        throttle_time_ms=0, error_code=ErrorCode.NONE, error_message=None, entries=entries
    )


def _check(request: DescribeClientQuotasRequest) -> None:
    kinds = [condition.entity_type for condition in request.components]
    for condition in request.components:
        kind, match = condition.entity_type, condition.match_type
        if not kind:
            _refuse("a condition names no type of entity")
        if kind not in (USER, CLIENT_ID, IP):
            code = ErrorCode.UNSUPPORTED_VERSION
            raise KafkaError(code, f"there are quotas of user, client-id and ip, not of {kind!r}")
        if match not in (EXACT, DEFAULT, ANY):
            _refuse(f"{match} is no way to match a name: 0 exactly, 1 the default, 2 any")
        if (match == EXACT) != (condition.match is not None):
            _refuse("a name is needed to match it exactly, and only then")
    if len(set(kinds)) < len(kinds):
        _refuse("the request has two conditions on one type of entity")
    if IP in kinds and len(kinds) > 1:
        _refuse("an ip is not combined with a user or a client-id")


def _refuse(text: str) -> None:
    raise KafkaError(ErrorCode.INVALID_REQUEST, text)


def _matches(entity: QuotaEntity, request: DescribeClientQuotasRequest) -> bool:
    parts = dict(entity)
    if request.strict and len(parts) != len(request.components):
        return False
    return all(_meets(parts, condition) for condition in request.components)


def _meets(parts: dict[str, str | None], condition: Condition) -> bool:
    if condition.entity_type not in parts:
        return False
    name = parts[condition.entity_type]
    if condition.match_type == ANY:
        return True
    return name == (condition.match if condition.match_type == EXACT else None)
