"""Requests that the active controller answers: who may ask it, and how it is asked.

The same handlers stand on listeners of brokers and of controllers. A broker checks access itself
and asks in the caller's name; the controller decides and has nothing to do with access.
"""

from __future__ import annotations

from dataclasses import replace

from moldau.broker.security.access import CLUSTER_NAME, Operation, Resource
from moldau.broker.server.broker import Broker, controller_call
from moldau.broker.server.call import Call
from moldau.broker.server.controller.mutations import charge_for
from moldau.errors import KafkaError
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

WAITS_AS_ASKED = frozenset(
    {
        ApiKey.CREATE_TOPICS,
        ApiKey.DELETE_TOPICS,
        ApiKey.CREATE_PARTITIONS,
        ApiKey.ELECT_LEADERS,
        ApiKey.ALTER_PARTITION_REASSIGNMENTS,
    }
)
"""APIs whose decision must be made within their `timeout_ms`: never within none."""
DENIALS = {
    Resource.TOPIC: ErrorCode.TOPIC_AUTHORIZATION_FAILED,
    Resource.GROUP: ErrorCode.GROUP_AUTHORIZATION_FAILED,
    Resource.CLUSTER: ErrorCode.CLUSTER_AUTHORIZATION_FAILED,
    Resource.TRANSACTIONAL_ID: ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
    Resource.DELEGATION_TOKEN: ErrorCode.DELEGATION_TOKEN_AUTHORIZATION_FAILED,
    Resource.USER: ErrorCode.DELEGATION_TOKEN_AUTHORIZATION_FAILED,
}
"""The code of a refusal, by what was asked about."""


async def ask_controller(call: Call, broker: Broker, operation: Operation) -> Message:
    """The controller's answer, if the caller may do this to the cluster."""
    require(call, broker, operation)
    return await forward(call, broker, call.request)


async def forward(call: Call, broker: Broker, request: Message) -> Message:
    """The controller's answer to this request in the caller's name."""
    if request.KEY in WAITS_AS_ASKED and request.timeout_ms <= 0:  # type: ignore[attr-defined]
        raise KafkaError(ErrorCode.REQUEST_TIMED_OUT, "no decision is made in no time")
    asking = replace(controller_call(call), charge=charge_for(call, broker))
    answer = await broker.metadata.ask(request, asking)
    # Where another node decides, its quotas count, and this one keeps the client waiting.
    call.throttle_ms = max(call.throttle_ms, getattr(answer, "throttle_time_ms", 0))
    return answer


def may(call: Call, broker: Broker, operation: Operation) -> bool:
    """Whether the caller may do this to the cluster."""
    return broker.authorizer.allows(call, operation, Resource.CLUSTER, CLUSTER_NAME)


def require(
    call: Call,
    broker: Broker,
    operation: Operation,
    resource: Resource = Resource.CLUSTER,
    name: str = CLUSTER_NAME,
) -> None:
    """Refuse a caller that may not."""
    if not broker.authorizer.allows(call, operation, resource, name):
        raise denial(call, operation, resource, name)


def denial(call: Call, operation: Operation, resource: Resource, name: str) -> KafkaError:
    text = f"{call.principal} may not {operation.name} {resource.name} {name!r}"
    return KafkaError(DENIALS[resource], text)


def require_authorizer(broker: Broker) -> None:
    """Access rules are for clusters with an authorizer."""
    if not broker.settings.authorizer_class_name:
        text = "this cluster has no authorizer; set authorizer.class.name to get one"
        raise KafkaError(ErrorCode.SECURITY_DISABLED, text)
