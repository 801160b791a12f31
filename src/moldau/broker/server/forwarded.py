"""Requests that a broker or controller only passes on: who may send them, and who decides.

The decisions are where the comments say; each message has its versions and KIPs in its own file.
A refusal reads the same for all: which principal may not do what to the cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final, cast

from moldau.broker.security.access import Operation
from moldau.broker.server.broker import Broker, controller_call
from moldau.broker.server.call import Call
from moldau.broker.server.controller.access import ask_controller, require
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.wire.schema import Message

__all__ = ["HANDLERS"]

Ask = Callable[[Call, Broker, Operation], Coroutine[Any, Any, Message]]
Forward = Callable[[Call, Broker], Coroutine[Any, Any, Message]]


async def _ask_quorum(call: Call, broker: Broker, operation: Operation) -> Message:
    """The quorum's answer, if the caller may do this to the cluster."""
    require(call, broker, operation)
    return await broker.metadata.answer(call.request, controller_call(call))


async def _fetch_metadata(call: Call, broker: Broker, operation: Operation) -> Message:
    """The same for the log of the metadata, which voters and observers follow."""
    call.is_of_follower = True
    return await _ask_quorum(call, broker, operation)


async def _ask_share_states(call: Call[Any], broker: Broker, operation: Operation) -> Message:
    """What the share coordinators here have of every share partition in the request."""
    require(call, broker, operation)
    response: Any = BY_KEY[call.api_key].response
    request = call.request
    if not request.group_id or not any(topic.partitions for topic in request.topics):
        return cast(Message, response(results=[]))
    answer = await broker.share_states.ask(call.request, call.version)
    return cast(Message, answer)


def _forward(ask: Ask, operation: Operation) -> Forward:
    """A handler for callers that may do this to the cluster."""

    async def handle(call: Call, broker: Broker) -> Message:
        return await ask(call, broker, operation)

    return handle


_CLUSTER_ACTION: Final = Operation.CLUSTER_ACTION
_ALTER: Final = Operation.ALTER

HANDLERS: Final[Mapping[int, Forward]] = {
    # The active controller decides.
    ApiKey.ELECT_LEADERS: _forward(ask_controller, _ALTER),  # partitions.elections
    ApiKey.ALTER_PARTITION_REASSIGNMENTS: _forward(ask_controller, _ALTER),  # partitions.moves
    ApiKey.LIST_PARTITION_REASSIGNMENTS: _forward(ask_controller, Operation.DESCRIBE),
    ApiKey.ALTER_PARTITION: _forward(ask_controller, _CLUSTER_ACTION),  # partitions
    ApiKey.ALTER_CLIENT_QUOTAS: _forward(ask_controller, Operation.ALTER_CONFIGS),  # cluster.quotas
    ApiKey.UPDATE_FEATURES: _forward(ask_controller, _ALTER),  # cluster.features
    ApiKey.ALLOCATE_PRODUCER_IDS: _forward(ask_controller, _CLUSTER_ACTION),  # cluster.producer_ids
    ApiKey.UNREGISTER_BROKER: _forward(ask_controller, _ALTER),  # brokers.unregistration
    ApiKey.ASSIGN_REPLICAS_TO_DIRS: _forward(ask_controller, _CLUSTER_ACTION),  # brokers
    ApiKey.CONTROLLER_REGISTRATION: _forward(ask_controller, _CLUSTER_ACTION),  # brokers
    # The quorum answers, at its leader where a broker was asked. Fetch is that of the metadata log,
    # for voters and observers; one that finds nothing waits for as long as it allows.
    ApiKey.FETCH: _forward(_fetch_metadata, _CLUSTER_ACTION),
    ApiKey.FETCH_SNAPSHOT: _forward(_ask_quorum, _CLUSTER_ACTION),
    ApiKey.VOTE: _forward(_ask_quorum, _CLUSTER_ACTION),  # on the disk before the answer leaves
    ApiKey.BEGIN_QUORUM_EPOCH: _forward(_ask_quorum, _CLUSTER_ACTION),
    ApiKey.END_QUORUM_EPOCH: _forward(_ask_quorum, _CLUSTER_ACTION),
    ApiKey.DESCRIBE_QUORUM: _forward(_ask_quorum, Operation.DESCRIBE),
    ApiKey.ADD_RAFT_VOTER: _forward(_ask_quorum, _ALTER),
    ApiKey.REMOVE_RAFT_VOTER: _forward(_ask_quorum, _ALTER),
    ApiKey.UPDATE_RAFT_VOTER: _forward(_ask_quorum, _CLUSTER_ACTION),
    # The share coordinators on this broker answer other brokers (KIP-932).
    ApiKey.INITIALIZE_SHARE_GROUP_STATE: _forward(_ask_share_states, _CLUSTER_ACTION),
    ApiKey.READ_SHARE_GROUP_STATE: _forward(_ask_share_states, _CLUSTER_ACTION),
    ApiKey.READ_SHARE_GROUP_STATE_SUMMARY: _forward(_ask_share_states, _CLUSTER_ACTION),
    ApiKey.WRITE_SHARE_GROUP_STATE: _forward(_ask_share_states, _CLUSTER_ACTION),
    ApiKey.DELETE_SHARE_GROUP_STATE: _forward(_ask_share_states, _CLUSTER_ACTION),
}
