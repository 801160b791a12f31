"""AlterConfigs: replace all dynamic settings of resources, the old way.

Versions 0-2. This broker looks at access and form and at settings of its own
(`changes`); the controller decides on the rest (`controller.configs.alter`).
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
    check_resource,
    is_checked_elsewhere,
)
from moldau.broker.server.controller.access import forward
from moldau.broker.server.slices import Pace
from moldau.errors import KafkaError
from moldau.protocol.messages.config.alter_configs import AlterConfigsRequest, AlterConfigsResponse
from moldau.protocol.wire.error_codes import ErrorCode

Asked = AlterConfigsRequest.AlterConfigsResource
Answer = AlterConfigsResponse.AlterConfigsResourceResponse


async def handle(call: Call[AlterConfigsRequest], broker: Broker) -> AlterConfigsResponse:
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
            answers.append(
                Answer(
                    error_code=error.code,
                    error_message=error.message,
                    resource_type=asked.resource_type,
                    resource_name=asked.resource_name,
                )
            )
        else:
            passed.append(asked)
    if passed:
        permitted = AlterConfigsRequest(resources=passed, validate_only=request.validate_only)
        response = await forward(call, broker, permitted)
        answers += cast("AlterConfigsResponse", response).responses
    return AlterConfigsResponse(throttle_time_ms=0, responses=answers)


def _check(call: Call, broker: Broker, asked: Asked) -> None:
    kind, name = asked.resource_type, asked.resource_name
    if kind == LOGGER:
        text = "levels of loggers are changed one by one, by IncrementalAlterConfigs"
        raise KafkaError(ErrorCode.INVALID_REQUEST, text)
    is_forwarded = is_checked_elsewhere(call, broker)
    if not is_forwarded:
        _check_form(asked)
    check_resource(call, broker, kind, name, Operation.ALTER_CONFIGS)
    if is_forwarded:
        _check_form(asked)
    if kind == BROKER and not is_forwarded:
        check_broker(broker, name, {config.name: config.value for config in asked.configs})


def _check_form(asked: Asked) -> None:
    """Each setting once, and with a value."""
    names = [config.name for config in asked.configs]
    check_form(names, [config.name for config in asked.configs if config.value is None])
