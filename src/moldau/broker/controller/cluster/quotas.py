"""Quotas of clients are set and removed (KIP-546).

An entity is a user, a client id, both, or an ip; null names the default of its type. Each kind of
entity has its own quotas. A value that is there already needs no record.
"""

from __future__ import annotations

import re

from moldau.broker.controller.decision import Call, Deciding, Decision
from moldau.broker.controller.situation import Situation
from moldau.broker.metadata.settings import QuotaEntity, quota_entity
from moldau.errors import KafkaError
from moldau.platform.slices import counted, each
from moldau.protocol.messages.config.alter_client_quotas import (
    AlterClientQuotasRequest,
    AlterClientQuotasResponse,
)
from moldau.protocol.messages.stored.metadata_cluster import ClientQuotaRecord
from moldau.protocol.wire.error_codes import ErrorCode

USER, CLIENT_ID, IP = "user", "client-id", "ip"
KINDS = frozenset({USER, CLIENT_ID, IP})
IS_WHOLE = {
    "producer_byte_rate": True,
    "consumer_byte_rate": True,
    "request_percentage": False,
    "controller_mutation_rate": False,
    "connection_creation_rate": True,
}
"""Every quota, and whether its value is a whole number."""
OF_IPS = frozenset({"connection_creation_rate"})
OF_CLIENTS = frozenset(IS_WHOLE) - OF_IPS
WHOLE_MAX = float((1 << 63) - 1)
HOST = re.compile(r"[0-9A-Fa-f:.%]+|[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")
"""An address or a name; the broker that counts connections resolves it."""

Entry = AlterClientQuotasRequest.EntryData
EntryAnswer = AlterClientQuotasResponse.EntryData


def alter_quotas(request: AlterClientQuotasRequest, situation: Situation, call: Call) -> Deciding:
    """Change the quotas of each entity that is named once and makes sense."""
    entities = yield from each(_entity, request.entries)
    counts = yield from counted(entities)
    records: list[ClientQuotaRecord] = []
    answers = []
    for entity, entry in dict(zip(entities, request.entries, strict=True)).items():
        code, message = int(ErrorCode.NONE), None
        try:
            if counts[entity] > 1 or len({op.key for op in entry.ops}) != len(entry.ops):
                raise KafkaError(ErrorCode.INVALID_REQUEST, "the request changes a quota twice")
            _check_entity(entity)
            records += _records(entry, entity, situation)
        except KafkaError as error:
            code, message = error.code, error.message
        parts = yield from each(_repeated, entry.entity)
        answers.append(EntryAnswer(error_code=code, error_message=message, entity=parts))
        yield
    reply = AlterClientQuotasResponse(throttle_time_ms=0, entries=answers)
    return Decision([] if request.validate_only else records, reply)


def _repeated(part: Entry.EntityData) -> EntryAnswer.EntityData:
    return EntryAnswer.EntityData(entity_type=part.entity_type, entity_name=part.entity_name)


def _entity(entry: Entry) -> QuotaEntity:
    parts = {part.entity_type: part.entity_name for part in entry.entity}
    if len(parts) > len(KINDS):
        return tuple(parts.items())  # never an entity, so it needs no one spelling
    return quota_entity(parts.items())


def _check_entity(entity: QuotaEntity) -> None:
    kinds = {kind for kind, _ in entity}
    if not kinds:
        _refuse("a quota needs an entity: a user, a client-id, both, or an ip")
    if unknown := kinds - KINDS:
        _refuse(f"{min(unknown)!r} is no type of entity; there are user, client-id and ip")
    if IP in kinds and len(kinds) > 1:
        _refuse("an ip cannot be combined with a user or a client-id")
    for kind, name in entity:
        if name == "":
            _refuse(f"the {kind} has an empty name; null means the default")
        if kind == IP and name is not None and not HOST.fullmatch(name):
            _refuse(f"{name!r} is neither an address nor a host's name")


def _records(entry: Entry, entity: QuotaEntity, situation: Situation) -> list[ClientQuotaRecord]:
    present = situation.image.quotas.of(entity)
    legal = OF_IPS if entity[0][0] == IP else OF_CLIENTS
    records = []
    for operation in entry.ops:
        if operation.remove:
            if operation.key in present:
                records.append(_record(entity, operation.key, 0.0, remove=True))
            continue
        _check_value(operation.key, operation.value, legal)
        if present.get(operation.key) != operation.value:
            records.append(_record(entity, operation.key, operation.value, remove=False))
    return records


def _check_value(key: str, value: float, legal: frozenset[str]) -> None:
    if key not in legal:
        _refuse(f"the entity has no quota {key!r}; it has {', '.join(sorted(legal))}")
    if not value > 0:
        _refuse(f"{key} is {value}; it must be greater than 0, or be removed")
    if IS_WHOLE[key] and (value > WHOLE_MAX or value != int(value)):
        _refuse(f"{key} is {value}; it must be a whole number of 64 bits")


def _record(entity: QuotaEntity, key: str, value: float, *, remove: bool) -> ClientQuotaRecord:
    return ClientQuotaRecord(
        entity=[
            ClientQuotaRecord.EntityData(entity_type=kind, entity_name=name)
            for kind, name in entity
        ],
        key=key,
        value=value,
        remove=remove,
    )


def _refuse(text: str) -> None:
    raise KafkaError(ErrorCode.INVALID_REQUEST, text)
