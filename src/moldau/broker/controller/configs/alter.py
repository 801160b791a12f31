"""Settings are changed: one by one (KIP-339), or all of a resource at once, the old way.

A resource is changed as a whole or not at all; resources of one request succeed or fail each by
itself. What is as it was needs no record, except for brokers, who take one as a sign to read
their passwords and certificates again.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from moldau.broker.controller.configs.min_isr import check_min_isr, clear_elr_records
from moldau.broker.controller.configs.validation import check_settings
from moldau.broker.controller.decision import Call, Deciding, Decision
from moldau.broker.controller.situation import Situation
from moldau.broker.metadata.settings import BROKER, TOPIC
from moldau.config.broker.settings import BrokerSettings
from moldau.config.key import Key
from moldau.config.kinds import LIST
from moldau.config.topic import TopicSettings
from moldau.errors import KafkaError
from moldau.protocol.messages.config.alter_configs import AlterConfigsRequest, AlterConfigsResponse
from moldau.protocol.messages.config.incremental_alter_configs import (
    IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResponse,
)
from moldau.protocol.messages.stored.metadata_cluster import ConfigRecord
from moldau.protocol.messages.stored.metadata_topics import ClearElrRecord
from moldau.protocol.wire.error_codes import ErrorCode

VALUE_LENGTH_MAX = 32_767
"""Characters; a longer value could not be sent back."""
KEYS = {TOPIC: TopicSettings.KEYS, BROKER: BrokerSettings.KEYS}
"""Resources whose lists can be added to; Kafka looks at no others."""

Change = IncrementalAlterConfigsRequest.AlterConfigsResource.AlterableConfig
Written = ConfigRecord | ClearElrRecord


class Operation(IntEnum):
    """What is done to one setting."""

    SET = 0
    DELETE = 1
    APPEND = 2
    SUBTRACT = 3


OPERATIONS = frozenset(Operation)


def alter_some(
    request: IncrementalAlterConfigsRequest, situation: Situation, call: Call
) -> Deciding:
    """Set, delete, append to and subtract from single settings."""
    records: list[Written] = []
    answers = []
    answer = IncrementalAlterConfigsResponse.AlterConfigsResourceResponse
    for asked in request.resources:
        kind, name = asked.resource_type, asked.resource_name
        code, message = int(ErrorCode.NONE), None
        try:
            records += _changed(kind, name, asked.configs, situation)
        except KafkaError as error:
            code, message = error.code, error.message
        answers.append(
            answer(error_code=code, error_message=message, resource_type=kind, resource_name=name)
        )
        yield
    reply = IncrementalAlterConfigsResponse(throttle_time_ms=0, responses=answers)
    return Decision([] if request.validate_only else records, reply)


def alter_all(request: AlterConfigsRequest, situation: Situation, call: Call) -> Deciding:
    """Give resources exactly these settings; what is not named falls back to its default."""
    records: list[Written] = []
    answers = []
    for asked in request.resources:
        kind, name = asked.resource_type, asked.resource_name
        code, message = int(ErrorCode.NONE), None
        try:
            records += _replaced(asked, situation)
        except KafkaError as error:
            code, message = error.code, error.message
        answers.append(
            AlterConfigsResponse.AlterConfigsResourceResponse(
                error_code=code, error_message=message, resource_type=kind, resource_name=name
            )
        )
        yield
    reply = AlterConfigsResponse(throttle_time_ms=0, responses=answers)
    return Decision([] if request.validate_only else records, reply)


def _changed(
    kind: int, name: str, changes: Sequence[Change], situation: Situation
) -> list[Written]:
    before = situation.image.configs.of(kind, name)
    records = []
    for change in changes:
        value = _value_after(kind, change, before.get(change.name))
        if value != before.get(change.name) or kind == BROKER:
            records.append(_record(kind, name, change.name, value))
    return _checked(kind, name, records, situation)


def _replaced(
    asked: AlterConfigsRequest.AlterConfigsResource, situation: Situation
) -> list[Written]:
    kind, name = asked.resource_type, asked.resource_name
    before = situation.image.configs.of(kind, name)
    records = []
    for config in asked.configs:
        if config.value is None:
            raise _without_value(config.name)
        if config.value != before.get(config.name) or kind == BROKER:
            records.append(_record(kind, name, config.name, config.value))
    named = {config.name for config in asked.configs}
    records += [_record(kind, name, gone, None) for gone in before if gone not in named]
    return _checked(kind, name, records, situation)


def _value_after(kind: int, change: Change, before: str | None) -> str | None:
    if change.config_operation not in OPERATIONS:
        text = (
            f"{change.config_operation} is no operation; 0 sets, 1 deletes, 2 appends, 3 subtracts"
        )
        raise KafkaError(ErrorCode.INVALID_REQUEST, text)
    operation = Operation(change.config_operation)
    if operation is Operation.DELETE:
        return None
    if change.value is None:
        raise _without_value(change.name)
    if operation is Operation.SET:
        return change.value
    key = KEYS.get(kind, {}).get(change.name)
    if key is None or key.kind is not LIST:
        text = f"Can't {operation.name} to key {change.name} because its type is not LIST."
        raise KafkaError(ErrorCode.INVALID_CONFIG, text)
    return _list_after(operation, change.value, key, before)


def _without_value(name: str) -> KafkaError:
    return KafkaError(ErrorCode.INVALID_REQUEST, f"Null value not supported for : {name}")


def _list_after(operation: Operation, value: str, key: Key[object], before: str | None) -> str:
    present = key.default_text if before is None else before
    parts = [part for part in (present or "").split(",") if part]
    for part in value.split(","):
        if operation is Operation.SUBTRACT:
            parts = [other for other in parts if other != part]
        elif part not in parts:
            parts.append(part)
    return ",".join(parts)


def _record(kind: int, name: str, key: str, value: str | None) -> ConfigRecord:
    return ConfigRecord(resource_type=kind, resource_name=name, name=key, value=value)


def _checked(
    kind: int, name: str, records: list[ConfigRecord], situation: Situation
) -> list[Written]:
    """The records and what follows from them, if the resource may become so."""
    after = dict(situation.image.configs.of(kind, name))
    for record in records:
        check_min_isr(record, situation)
        if record.value is None:
            after.pop(record.name, None)
            continue
        if len(record.value) > VALUE_LENGTH_MAX:
            text = f"setting {record.name} has {len(record.value)} characters"
            raise KafkaError(ErrorCode.INVALID_CONFIG, f"{text}; {VALUE_LENGTH_MAX} is the limit")
        after[record.name] = record.value
    check_settings(kind, name, after, situation.settings)
    _check_there(kind, name, situation)
    return [*records, *clear_elr_records(records, situation)]


def _check_there(kind: int, name: str, situation: Situation) -> None:
    if kind == TOPIC and name not in situation.image.topics.by_name:
        text = f"there is no topic {name!r}"
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, text)
    cluster = situation.image.cluster
    nodes = {*cluster.brokers, *cluster.controllers}
    if kind == BROKER and name and int(name) not in nodes:
        text = f"no node {name} is registered"
        raise KafkaError(ErrorCode.BROKER_ID_NOT_REGISTERED, text)
