"""DescribeConfigs: settings with their values, sources, types and what they are for.

Versions 1-4: 1 synonyms and sources (KIP-226), 3 type and documentation (KIP-569). Questions about
one broker or its loggers are answered by that broker, all others by any (`config.describing`).
Secrets are never shown.

Deviation: a resource that is asked about again and again is answered `ANSWERS_MAX` times. Apache
Kafka answers as often as it is asked, and so ten kilobytes may ask for ninety megabytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TypeAlias

from moldau.broker.metadata.settings import BROKER, CLIENT_METRICS, CLUSTER_DEFAULT, GROUP, TOPIC
from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.config.changes import LOGGER, check_is_here, check_resource
from moldau.broker.server.config.logger_levels import levels
from moldau.broker.server.slices import Pace
from moldau.broker.server.topic.creation import is_legal_name
from moldau.config.describing import (
    Described,
    describe_all_brokers,
    describe_broker,
    describe_client_metrics,
    describe_group,
    describe_topic,
)
from moldau.config.sources import BrokerLayers, Source, Synonym
from moldau.errors import KafkaError
from moldau.protocol.messages.config.describe_configs import (
    DescribeConfigsRequest,
    DescribeConfigsResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

UNTYPED = 0
ANSWERS_MAX = 4
"""To the same question in one request; the second is not needed."""
Question: TypeAlias = tuple[int, str, tuple[str, ...]]
Asked = DescribeConfigsRequest.DescribeConfigsResource
Result = DescribeConfigsResponse.DescribeConfigsResult
Shown = Result.DescribeConfigsResourceResult


async def handle(call: Call[DescribeConfigsRequest], broker: Broker) -> DescribeConfigsResponse:
    """In the order of the questions; the same question has the same answer."""
    request = call.request
    for asked in request.resources:
        if asked.resource_type not in _DESCRIBERS:
            text = f"{asked.resource_type} is no type of resource; nothing at all is shown"
            raise KafkaError(ErrorCode.INVALID_REQUEST, text)
    known: dict[Question, Result] = {}
    times: Counter[Question] = Counter()
    results = []
    pace = Pace(broker)
    for asked in request.resources:
        question = asked.resource_type, asked.resource_name, tuple(asked.configuration_keys or ())
        times[question] += 1
        if question not in known:
            known[question] = _result(call, broker, request, asked)
        if times[question] <= ANSWERS_MAX:
            results.append(known[question])
        if pace.is_over:
            await pace.rest()
    return DescribeConfigsResponse(throttle_time_ms=0, results=results)


def _result(call: Call, broker: Broker, request: DescribeConfigsRequest, asked: Asked) -> Result:
    code, message, shown = int(ErrorCode.NONE), None, []
    try:
        check_resource(
            call, broker, asked.resource_type, asked.resource_name, Operation.DESCRIBE_CONFIGS
        )
        described = _DESCRIBERS[asked.resource_type](broker, asked.resource_name)
        shown = [_shown(one, request) for one in _chosen(described, asked)]
    except KafkaError as error:
        code, message = error.code, error.message
    return Result(
        error_code=code,
        error_message=message,
        resource_type=asked.resource_type,
        resource_name=asked.resource_name,
        configs=shown,
    )


def _chosen(described: Iterable[Described], asked: Asked) -> Iterable[Described]:
    keys = asked.configuration_keys
    return (one for one in described if one.name in keys) if keys else described


def _shown(described: Described, request: DescribeConfigsRequest) -> Shown:
    synonyms = described.synonyms if request.include_synonyms else ()
    return Shown(
        name=described.name,
        value=None if described.is_sensitive else described.value,
        read_only=described.is_read_only,
        config_source=described.source,
        is_sensitive=described.is_sensitive,
        synonyms=[
            Shown.DescribeConfigsSynonym(
                name=synonym.name, value=synonym.value, source=synonym.source
            )
            for synonym in synonyms
        ],
        config_type=described.type_code,
        documentation=described.doc if request.include_documentation else None,
    )


def layers_of(broker: Broker) -> BrokerLayers:
    """What was set for this broker, by place."""
    configs = broker.metadata.image.configs
    return BrokerLayers(
        file=broker.started_with,
        all_brokers=configs.of(BROKER, CLUSTER_DEFAULT),
        broker=configs.of(BROKER, str(broker.node_id)),
    )


def _topic(broker: Broker, name: str) -> Iterable[Described]:
    if not is_legal_name(name):
        raise KafkaError(ErrorCode.INVALID_TOPIC_EXCEPTION, f"{name!r} is no topic's name")
    image = broker.metadata.image
    if name not in image.topics.by_name:
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"there is no topic {name!r}")
    return describe_topic(layers_of(broker), image.configs.of(TOPIC, name))


def _broker(broker: Broker, name: str) -> Iterable[Described]:
    if not name:
        return describe_all_brokers(layers_of(broker))
    check_is_here(broker, name, may_be_all=True)
    return describe_broker(layers_of(broker))


def _loggers(broker: Broker, name: str) -> Iterable[Described]:
    check_is_here(broker, name, may_be_all=False)
    return [
        Described(
            name=logger,
            value=level,
            source=Source.LOGGER,
            synonyms=(Synonym(logger, level, Source.LOGGER),),
            is_read_only=False,
            is_sensitive=False,
            type_code=UNTYPED,
            doc=None,
        )
        for logger, level in levels().items()
    ]


def _client_metrics(broker: Broker, name: str) -> Iterable[Described]:
    if not name:
        raise KafkaError(ErrorCode.INVALID_REQUEST, "a subscription to metrics needs a name")
    return describe_client_metrics(broker.metadata.image.configs.of(CLIENT_METRICS, name))


def _group(broker: Broker, name: str) -> Iterable[Described]:
    if not name:
        raise KafkaError(ErrorCode.INVALID_REQUEST, "a group needs a name")
    return describe_group(layers_of(broker), broker.metadata.image.configs.of(GROUP, name))


_DESCRIBERS: dict[int, Callable[[Broker, str], Iterable[Described]]] = {
    TOPIC: _topic,
    BROKER: _broker,
    LOGGER: _loggers,
    CLIENT_METRICS: _client_metrics,
    GROUP: _group,
}
