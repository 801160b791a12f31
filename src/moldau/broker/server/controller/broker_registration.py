"""BrokerRegistration: a broker enters the cluster (KIP-631).

Versions 0-4: 2 directories (KIP-858), 3 proof of a clean stop (KIP-966). The controller decides
(`controller.brokers.registration`).
"""

from __future__ import annotations

import logging

from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.controller.access import ask_controller
from moldau.errors import KafkaError
from moldau.protocol.messages.broker.broker_registration import BrokerRegistrationRequest
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

log = logging.getLogger(__name__)

PASSING = frozenset({ErrorCode.NOT_CONTROLLER, ErrorCode.REQUEST_TIMED_OUT})
"""The broker asks elsewhere, or again."""


async def handle(call: Call[BrokerRegistrationRequest], broker: Broker) -> Message:
    try:
        return await ask_controller(call, broker, Operation.CLUSTER_ACTION)
    except KafkaError as error:
        if error.code not in PASSING:
            request = call.request
            log.warning("Broker %d is not registered: %s", request.broker_id, error)
        raise
