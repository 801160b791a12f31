"""The one way from a handler to the quorum: may this principal do that, then ask."""

from __future__ import annotations

from moldau.broker.security.access import CLUSTER_NAME, Operation, Resource
from moldau.broker.server.broker import Broker, controller_call
from moldau.broker.server.call import Call
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message


async def ask_quorum(call: Call, broker: Broker, operation: Operation) -> Message:
    """The quorum's answer, if the caller may do this to the cluster."""
    if not broker.authorizer.allows(call, operation, Resource.CLUSTER, CLUSTER_NAME):
        raise KafkaError(
            ErrorCode.CLUSTER_AUTHORIZATION_FAILED,
            f"{call.principal} may not {operation.name} the cluster; an ACL can allow it",
        )
    return await broker.metadata.answer(call.request, controller_call(call))
