"""IncrementalAlterConfigs: set, delete, append to and subtract from single settings (KIP-339).

Versions 0-1. This broker looks at access and form, at settings of its own and at its loggers
(`changes`, `logger_levels`); the controller decides on the rest (`controller.configs.alter`).
Levels of loggers last until the node stops: they are not written down.
"""

from __future__ import annotations

from typing import cast

from moldau.broker.metadata.settings import BROKER
from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.config.changes import (
    LOGGER,
    check_broker,
    check_form,
    check_is_here,
    check_resource,
    is_checked_elsewhere,
)
from moldau.broker.server.config.logger_levels import change_level, check_level
from moldau.broker.server.controller.access import forward
from moldau.broker.server.slices import Pace
from moldau.errors import KafkaError
from moldau.protocol.messages.config.incremental_alter_configs import (
    IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

Asked = IncrementalAlterConfigsRequest.AlterConfigsResource
Answer = IncrementalAlterConfigsResponse.AlterConfigsResourceResponse
DELETE = 1
OPERATIONS = range(4)


async def handle(
    call: Call[IncrementalAlterConfigsRequest], broker: Broker
) -> IncrementalAlterConfigsResponse:
    request = call.request
    passed: list[Asked] = []
    answers: list[Answer] = []
    pace = Pace(broker)
    for asked in request.resources:
        if pace.is_over:
            await pace.rest()
        try:
            _check(call, broker, asked)
        except KafkaError as error:
            answers.append(_answer(asked, error.code, error.message))
            continue
        if asked.resource_type == LOGGER:
            answers.append(_change_loggers(asked, validate_only=request.validate_only))
        else:
            passed.append(asked)
    if passed:
        permitted = IncrementalAlterConfigsRequest(
            resources=passed, validate_only=request.validate_only
        )
        response = await forward(call, broker, permitted)
        answers += cast("IncrementalAlterConfigsResponse", response).responses
    return IncrementalAlterConfigsResponse(throttle_time_ms=0, responses=answers)


def _check(call: Call, broker: Broker, asked: Asked) -> None:
    kind, name = asked.resource_type, asked.resource_name
    is_forwarded = is_checked_elsewhere(call, broker)
    if not is_forwarded:
        _check_form(asked)
    check_resource(call, broker, kind, name, Operation.ALTER_CONFIGS)
    if is_forwarded:
        _check_form(asked)
    for config in asked.configs:
        if config.config_operation not in OPERATIONS:
            text = f"{config.config_operation} is no operation on a setting"
            raise KafkaError(ErrorCode.INVALID_REQUEST, text)
    if kind == BROKER and not is_forwarded:
        changes = {
            config.name: None if config.config_operation == DELETE else config.value
            for config in asked.configs
        }
        check_broker(broker, name, changes)
    elif kind == LOGGER:
        check_is_here(broker, name, may_be_all=False)
        for config in asked.configs:
            check_level(config.name, config.config_operation, config.value)


def _check_form(asked: Asked) -> None:
    """Each setting once, and with a value where it gets one."""
    set_to = [config for config in asked.configs if config.config_operation != DELETE]
    check_form(
        [config.name for config in asked.configs],
        [config.name for config in set_to if config.value is None],
    )


def _change_loggers(asked: Asked, *, validate_only: bool) -> Answer:
    for config in asked.configs:
        if not validate_only:
            change_level(config.name, config.config_operation, config.value)
    return _answer(asked, ErrorCode.NONE, None)


def _answer(asked: Asked, code: int, message: str | None) -> Answer:
    return Answer(
        error_code=code,
        error_message=message,
        resource_type=asked.resource_type,
        resource_name=asked.resource_name,
    )
