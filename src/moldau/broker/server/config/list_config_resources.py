"""ListConfigResources: which resources have dynamic settings (KIP-714, KIP-1142).

Versions 0-1: 0 has subscriptions to clients' metrics alone. Of brokers and topics all are shown,
because each has settings; of groups and subscriptions those that were given some.
"""

from __future__ import annotations

from collections.abc import Iterable

from moldau.broker.metadata.image import Image
from moldau.broker.metadata.settings import BROKER, CLIENT_METRICS, GROUP, TOPIC
from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.config.changes import LOGGER
from moldau.broker.server.controller.access import require
from moldau.protocol.messages.config.list_config_resources import (
    ListConfigResourcesRequest,
    ListConfigResourcesResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

KINDS = (TOPIC, BROKER, LOGGER, CLIENT_METRICS, GROUP)


def handle(call: Call[ListConfigResourcesRequest], broker: Broker) -> ListConfigResourcesResponse:
    request = call.request
    require(call, broker, Operation.DESCRIBE_CONFIGS)
    wanted = set(request.resource_types or KINDS) if call.version > 0 else {CLIENT_METRICS}
    code = ErrorCode.NONE if wanted <= set(KINDS) else ErrorCode.UNSUPPORTED_VERSION
    found = [
        ListConfigResourcesResponse.ConfigResource(resource_name=name, resource_type=kind)
        for kind in KINDS
        if kind in wanted and code == ErrorCode.NONE
        for name in _names(kind, broker.metadata.image)
    ]
    return ListConfigResourcesResponse(throttle_time_ms=0, error_code=code, config_resources=found)


def _names(kind: int, image: Image) -> Iterable[str]:
    if kind == TOPIC:
        return list(image.topics.by_name)
    if kind in (BROKER, LOGGER):
        return [str(broker_id) for broker_id in image.cluster.brokers]
    return [name for resource, name in image.configs.by_resource if resource == kind]
