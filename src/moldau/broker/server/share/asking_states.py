"""How other brokers put a request to the share coordinators on this one."""

from __future__ import annotations

from typing import Any, cast

from moldau.broker.security.access import CLUSTER_NAME, Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.errors import KafkaError
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message


async def answer(call: Call, broker: Broker) -> Message:
    """What the share coordinators say about every share partition in the request."""
    if not broker.authorizer.allows(call, Operation.CLUSTER_ACTION, Resource.CLUSTER, CLUSTER_NAME):
        raise KafkaError(ErrorCode.CLUSTER_AUTHORIZATION_FAILED)
    response: Any = BY_KEY[call.api_key].response
    request = cast("Any", call.request)
    if not request.group_id or not any(topic.partitions for topic in request.topics):
        return cast(Message, response(results=[]))
    answer = await broker.share_states.ask(call.request, call.version)
    return cast(Message, answer)
