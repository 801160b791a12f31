"""A broker that will not come back is struck from the metadata.

One that runs stays out until it is started anew; `server.lifecycle` has its side.
"""

from __future__ import annotations

from moldau.broker.controller.decision import Call, Decision
from moldau.broker.controller.partitions.leaders import when_gone
from moldau.broker.controller.situation import Situation
from moldau.errors import KafkaError
from moldau.protocol.messages.cluster.unregister_broker import (
    UnregisterBrokerRequest,
    UnregisterBrokerResponse,
)
from moldau.protocol.messages.stored.metadata_brokers import UnregisterBrokerRecord
from moldau.protocol.wire.error_codes import ErrorCode


def unregister_broker(
    request: UnregisterBrokerRequest, situation: Situation, call: Call
) -> Decision:
    """Take the broker out of every in-sync set, then forget it."""
    broker = situation.broker(request.broker_id)
    if broker is None:
        text = f"broker {request.broker_id} is not registered, so it cannot be unregistered"
        raise KafkaError(ErrorCode.BROKER_ID_NOT_REGISTERED, text)
    records = when_gone(situation, request.broker_id)
    gone = UnregisterBrokerRecord(broker_id=broker.broker_id, broker_epoch=broker.epoch)
    situation.sessions.drop(request.broker_id)
    reply = UnregisterBrokerResponse(throttle_time_ms=0, error_code=0, error_message="")
    return Decision([*records, gone], reply, is_atomic=False)
